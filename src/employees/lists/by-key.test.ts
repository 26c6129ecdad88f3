// People by key: what the record names for each of a file, in whose name they are invited, and that no key approves any.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../../test/world/company.ts'
import { keyOf } from '../../../test/world/keys.ts'
import { withRights } from '../../../test/world/rights.ts'
import {
  compare,
  asCsv,
  entryOf,
  untilFinished,
  addPeopleByFile,
} from '../../../test/world/people-files.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { providerOf } from '../../../test/world/scim.ts'
import { until } from '../../../test/until.ts'

const scene = openedScene({ worker: true })

test('who is added, changed or left by a file is recorded for whoever started or undid it', async () => {
  const stage = await fundedCompany(scene)
  const { admin, domain } = stage.company
  const [changing, , ...staying] = await addPeopleByFile(stage, 40)
  const key = await keyOf(scene, admin, ['people:write'], { name: 'Nightly file' })
  const file = asCsv([
    { ...changing!, department: 'Research' },
    ...staying,
    entryOf(50, domain, stage.plan_year),
  ])
  let last_id = 0
  /** Acts of people and keys since it was last asked; invitations are the system’s. */
  const recorded = async () => {
    const { entries } = await admin.api.audit.list({ table: 'profiles' })
    const fresh = entries.filter(({ id, actor_id }) => id > last_id && actor_id)
    last_id = entries[0]!.id
    return [...new Set(fresh.map((one) => `${one.actor_name}: ${one.act} ${one.subject}`))]
  }
  const apply = async ({ api }: Pick<typeof admin, 'api'>) => {
    const { id } = await compare({ api }, file)
    await api.imports.start({ id, leaves: true })
    await untilFinished(admin, id)
    return id
  }
  const undo = async ({ api }: Pick<typeof admin, 'api'>, id: string) => {
    await api.imports.undo({ id })
    await untilFinished(admin, id)
  }
  const all_by = (name: string, last: 'insert' | 'delete') => [
    `${name}: ${last} Zoë 50 Öztürk`,
    ...[0, 1, ...(last === 'insert' ? [50] : [])].map((at) => `${name}: update Zoë ${at} Öztürk`),
  ]
  await recorded()
  const by_key = await apply(key)
  assert.deepEqual((await recorded()).toSorted(), all_by('Nightly file', 'insert'))
  await undo(admin, by_key)
  assert.deepEqual((await recorded()).toSorted(), all_by('admin', 'delete'))
  const by_admin = await apply(admin)
  assert.deepEqual((await recorded()).toSorted(), all_by('admin', 'insert'))
  await undo(key, by_admin)
  assert.deepEqual((await recorded()).toSorted(), all_by('Nightly file', 'delete'))
  const people_only = await withRights(scene, stage.company, 'people')
  for (const { api } of [admin, people_only, key]) {
    assert.equal((await api.imports.find({ id: by_key })).started_by_name, 'Nightly file')
    assert.equal((await api.imports.find({ id: by_admin })).started_by_name, 'admin')
  }
})

test('no key is told that it may approve a file, whoever sent it', async () => {
  const { admin } = await scene.company()
  const key = await keyOf(scene, admin, ['people:write'])
  const { id } = await compare(admin, 'name,email\nNobody,none\n')
  assert.equal((await key.api.imports.find({ id })).refusals.approve, 'forbidden')
})

test('a key invites in its company’s name, and not in that of the admin who made it', async () => {
  const company = await scene.company({ name: 'Nightly' })
  const { admin, domain } = company
  const key = await keyOf(scene, admin, ['people:write'])
  const provider = await providerOf(scene, company)
  const invitations = async (name: string, count = 1) => {
    const mails = await until(async () => {
      const mails = (await scene.mailbox()).filter(({ to }) => to === `${name}@${domain}`)
      return mails.length === count && mails
    }, `${count} mails to ${name}`)
    return mails.map(({ text }) => /(.*) invited you to/.exec(text)?.[1] ?? '').toSorted()
  }
  const add = ({ api }: Pick<typeof admin, 'api'>, name: string) =>
    api.employees.add({ full_name: name, email: `${name}@${domain}`, department: 'Sales' })

  const { employee } = await add(admin, 'ana')
  assert.deepEqual(await invitations('ana'), ['admin'])
  await add(key, 'ben')
  assert.deepEqual(await invitations('ben'), ['Nightly'])
  await provider.add('cleo')
  assert.deepEqual(await invitations('cleo'), ['Nightly'])
  const { id } = await compare(key, `name,email\nDan,dan@${domain}\n`)
  await key.api.imports.start({ id })
  assert.deepEqual(await invitations('dan'), ['Nightly'])
  await scene.sql`update profiles set invited_at = now() - interval '1 hour'
    where id = ${employee.id}`
  await key.api.employees.resend({ id: employee.id })
  assert.deepEqual(await invitations('ana', 2), ['Nightly', 'admin'])
})
