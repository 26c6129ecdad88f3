// A company that is suspended while a file of its people is taken, or they are invited.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inviteImported, invitePeople, workOnImport } from '#employees/jobs.server.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

test('suspended in the middle of a file, a company adds and invites nobody until it is back', async () => {
  const provider = await scene.superAdmin()
  const acme = await scene.company()
  const { imports } = acme.admin.api
  const people = [1, 2, 3, 4, 5].map((n) => `Person ${n},p${n}@${acme.domain}`)
  const file = new Blob([`name,email\n${people.join('\n')}`])
  const { id } = await imports.upload({ file_name: 'people.csv' }, { file })
  await imports.start({ id })
  const job = { company_id: acme.id, id }
  await scene.sql`select private.import_batch(${acme.id}, ${id}, 2)`
  const jobsThere = async () => {
    const [found] = await scene.sql<[{ jobs: number }]>`select count(*)::int as jobs
      from graphile_worker._private_jobs where key like ${`%${id}`}`
    return found.jobs
  }
  /** A worker's look, and the clock's: which of the file's jobs are there. */
  const goOn = async () => {
    await scene.sql`delete from graphile_worker._private_jobs where key like ${`%${id}`}`
    await workOnImport(job, scene.tools)
    const written: string[] = []
    await inviteImported(async (person) => void written.push(person))(job, scene.tools)
    await scene.sql`update imports set touched_at = now() - interval '2 minutes' where id = ${id}`
    await scene.sql`select private.resume_imports()`
    const [found] = await scene.sql<[{ taken: number }]>`
      select taken from imports where id = ${id}`
    return { ...found, jobs: await jobsThere(), written: written.length }
  }
  await scene.confirm(provider)
  await provider.api.companies.suspend({ id: acme.id })
  assert.deepEqual(await goOn(), { taken: 2, jobs: 0, written: 0 })
  await provider.api.companies.activate({ id: acme.id })
  await scene.sql`select private.resume_imports()`
  await workOnImport(job, scene.tools)
  await provider.api.companies.suspend({ id: acme.id })
  assert.deepEqual(await goOn(), { taken: 5, jobs: 0, written: 0 })
  await scene.sql`update imports set finished_at = now() - interval '8 days' where id = ${id}`
  await provider.api.companies.activate({ id: acme.id })
  assert.equal(await jobsThere(), 1, 'however long it was suspended')
  assert.deepEqual(await goOn(), { taken: 5, jobs: 0, written: 5 })
})

test('somebody added just before their company was suspended is invited once it is back', async () => {
  const provider = await scene.superAdmin()
  const acme = await scene.company()
  const { employee: ana } = await acme.admin.api.employees.add({
    full_name: 'Ana Silva',
    email: `ana@${acme.domain}`,
    department: 'Sales',
  })
  const jobsOfAna = () => scene.sql<{ payload: Record<string, unknown>; waits: boolean }[]>`
    select j.payload, j.run_at > now() + interval '30 minutes' as waits
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'users:invite' and j.payload -> 'ids' ->> 0 = ${ana.id}`
  /** A worker takes the job of her invitation. */
  const goOn = async () => {
    const [job] = await jobsOfAna()
    assert.ok(job)
    await scene.sql`delete from graphile_worker._private_jobs where payload -> 'ids' ->> 0 = ${ana.id}`
    const written: string[] = []
    await invitePeople(async (person) => void written.push(person))(job.payload, scene.tools)
    return { written, waiting: (await jobsOfAna()).map(({ waits }) => waits) }
  }
  await scene.confirm(provider)
  await provider.api.companies.suspend({ id: acme.id })
  assert.deepEqual(await goOn(), { written: [], waiting: [true] })
  assert.deepEqual(await goOn(), { written: [], waiting: [true] })
  await provider.api.companies.activate({ id: acme.id })
  assert.deepEqual(await goOn(), { written: [ana.id], waiting: [] })
})
