// Promises of one's own data: the file of it is whole and one's own; erasure leaves nothing of the person.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { unzipSync } from 'fflate'
import type { Files } from '#lib/files.server.ts'
import { daysOf } from '#lib/retention.ts'
import { Problem } from '#problems.ts'
import { sweepFiles } from '#receipts/jobs.server.ts'
import { refuses, won, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { Archive } from './archive.server.ts'
import { about_a_person } from './about-a-person.ts'
import { keepPrivacy, makeExport } from './jobs.server.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))
const other = opened(() => scene.company({ name: 'Other' }))

const run = (person: Person, id: string) =>
  makeExport(scene.services.files, { days: daysOf(scene.config) })(
    { person_id: person.id, id },
    scene.tools,
  )

async function made(person: Person) {
  const { id } = await person.api.privacy.request_export({})
  await run(person, id)
  const [newest] = (await person.api.privacy.exports({})).exports
  assert.equal(newest?.status, 'ready', newest?.fault ?? '')
  const blob = await person.api.privacy.download_export({ id })
  return { id, files: unzipSync(new Uint8Array(await blob.arrayBuffer())) }
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

describe('an export of one’s data', () => {
  test('opens, and holds what there is, explained', async () => {
    const ana = await acme.hire('Ana')
    await scene.sql`update profiles set phone = '+385 91 234 567', department = '=1+1' where id = ${ana.id}`
    await ana.api.dependents.add({ full_name: 'Mia', relationship: 'child', born_on: '2020-02-29' })
    const { files } = await made(ana)
    const data = JSON.parse(textOf(files['data.json'])) as Record<string, unknown>
    assert.deepEqual(Object.keys(data), ['made_at', ...about_a_person.map(({ name }) => name)])
    const profile = data['profile'] as Record<string, unknown>
    assert.equal(profile['email'], ana.email)
    assert.equal((data['dependents'] as { full_name: string }[])[0]?.full_name, 'Mia')
    const csv = textOf(files['dependents.csv'])
    assert.match(csv, /^full_name,relationship,born_on/)
    assert.match(csv, /Mia,child,2020-02-29/)
    for (const { name, title, single } of about_a_person) {
      if (!single) assert.ok(files[`${name}.csv`], `${name}.csv is missing`)
      assert.ok(textOf(files['README.txt']).includes(title))
    }
  })

  test('has the currency beside each amount, and says what the amounts count', async () => {
    const { files } = await made(await acme.hire('Kyo'))
    const lists = about_a_person.filter(({ single }) => !single)
    const bare = lists.filter(({ name }) => {
      const [head = ''] = textOf(files[`${name}.csv`]).split(/\r?\n/)
      return /cents\b/.test(head) && !/currency\b/.test(head)
    })
    assert.deepEqual(
      bare.map(({ name }) => name),
      [],
    )
    assert.ok(textOf(files['README.txt']).includes('the smallest unit of the currency beside them'))
  })

  test('keeps the fields of a spreadsheet from being formulas, and gives no secret away', async () => {
    const eve = await acme.hire('Eve')
    await scene.sql`update profiles set department = '=1+1' where id = ${eve.id}`
    await eve.api.dependents.add({
      full_name: '=cmd()',
      relationship: 'spouse',
      born_on: '1990-01-01',
    })
    const { files } = await made(eve)
    assert.match(textOf(files['dependents.csv']), /\n'=cmd\(\),/)
    const secrets = await scene.sql<{ secret: string }[]>`
      select password_hash as secret from auth.users where id = ${eve.id}
      union all select encode(refresh_key, 'hex') from auth.sessions where user_id = ${eve.id}`
    for (const [name, bytes] of Object.entries(files)) {
      for (const { secret } of secrets) assert.ok(!textOf(bytes).includes(secret), name)
    }
  })

  test('is asked for and fetched by a fresh sign-in alone', async () => {
    const gus = await acme.hire('Gus')
    await scene.stale(gus)
    await refuses('password_needed', gus.api.privacy.request_export({}))
    assert.ok(await scene.confirm(gus))
    const { id } = await made(gus)
    await scene.stale(gus)
    await refuses('password_needed', gus.api.privacy.download_export({ id }))
    assert.equal(
      (await gus.api.privacy.exports({})).exports[0]?.downloads,
      1,
      'a refusal is no download',
    )
    assert.ok(await scene.confirm(gus))
    assert.ok(await gus.api.privacy.download_export({ id }))
  })

  test('is nobody else’s: not a colleague’s, not HR’s, not the provider’s, not a visitor’s', async () => {
    const bea = await acme.hire('Bea')
    const { id } = await made(bea)
    const others = [await acme.hire('Nosy'), acme.admin, other.admin, await scene.superAdmin()]
    for (const { api } of others) {
      await refuses('not_found', api.privacy.download_export({ id }))
      await refuses('not_found', api.privacy.retry_export({ id }))
      assert.deepEqual((await api.privacy.exports({})).exports, [])
    }
    await refuses('not_signed_in', scene.visitor.privacy.download_export({ id }))
    const [after] = (await bea.api.privacy.exports({})).exports
    assert.equal(after?.downloads, 1, 'only the owner’s download is counted')
  })

  test('is asked for by whoever has left, too, and by HR and the provider for themselves', async () => {
    const leaver = await acme.hire('Leaver')
    await scene.sql`update profiles set joined_on = '2020-01-01', left_on = '2021-01-01'
      where id = ${leaver.id}`
    for (const person of [leaver, acme.admin, await scene.superAdmin()]) {
      const { files } = await made(person)
      assert.ok(textOf(files['data.json']).includes(person.email))
    }
  })

  test('one at a time, however often it is pressed, and three a day', async () => {
    const cara = await acme.hire('Cara')
    const { privacy } = cara.api
    await scene.confirm(cara)
    const pressed = await Promise.allSettled([1, 2, 3, 4].map(() => privacy.request_export({})))
    assert.equal(won(pressed).length, 1)
    const shown = async () => (await privacy.exports({})).refusals.request
    assert.equal(await shown(), 'export_under_way')
    await refuses('export_under_way', privacy.request_export({}))
    const [first] = (await privacy.exports({})).exports
    await run(cara, first!.id)
    await made(cara)
    await made(cara)
    assert.equal(await shown(), 'exports_used_up')
    await refuses('exports_used_up', privacy.request_export({}))
    await scene.sql`update data_exports set requested_at = now() - interval '25 hours'
      where person_id = ${cara.id}`
    assert.equal(await shown(), null)
    await made(cara)
  })

  test('that a killed worker left is taken up again; the first one’s pieces count no more', async () => {
    const dan = await acme.hire('Dan')
    const { id } = await dan.api.privacy.request_export({})
    const run_lost = '00000000-0000-4000-8000-000000000001'
    await scene.sql`select private.begin_export(${dan.id}, ${id}, ${run_lost})`
    await scene.sql`update data_exports set touched_at = now() - interval '3 minutes'
      where person_id = ${dan.id}`
    await scene.sql`delete from graphile_worker._private_jobs`
    await keepPrivacy({}, scene.tools)
    const jobs = await scene.sql`
      select from graphile_worker.jobs where task_identifier = 'privacy:export'`
    assert.equal(jobs.length, 1)
    await run(dan, id)
    assert.equal((await dan.api.privacy.exports({})).exports[0]?.status, 'ready')
    const [late] = await scene.sql`
      select private.note_export(${dan.id}, ${id}, ${run_lost}, 50) as ours`
    assert.equal(late?.['ours'], false)
  })

  test('that fails three times says so, and can be tried again', async () => {
    const fay = await acme.hire('Fay')
    const { id } = await fay.api.privacy.request_export({})
    const away: Files = {
      ...scene.services.files,
      put: () => Promise.reject(new Problem('storage_away')),
    }
    const attempt = () =>
      makeExport(away, { days: daysOf(scene.config) })({ person_id: fay.id, id }, scene.tools)
    await refuses('storage_away', attempt())
    await refuses('export_not_failed', fay.api.privacy.retry_export({ id }))
    await refuses('storage_away', attempt())
    await attempt()
    const [failed] = (await fay.api.privacy.exports({})).exports
    assert.equal(failed?.status, 'failed')
    assert.match(failed.fault ?? '', /recorded/)
    await refuses('not_found', fay.api.privacy.download_export({ id }))
    assert.equal((await fay.api.privacy.retry_export({ id })).status, 'waiting')
    await run(fay, id)
    assert.equal((await fay.api.privacy.exports({})).exports[0]?.status, 'ready')
  })

  test('goes when its days are over, with its files', async () => {
    const gil = await acme.hire('Gil')
    const { id } = await made(gil)
    const [part] = await scene.sql<[{ storage_key: string }]>`
      select storage_key from data_export_parts where export_id = ${id}`
    await scene.sql`update data_exports set expires_at = now() - interval '1 second'
      where person_id = ${gil.id}`
    await refuses('not_found', gil.api.privacy.download_export({ id }))
    await keepPrivacy({}, scene.tools)
    assert.deepEqual((await gil.api.privacy.exports({})).exports, [])
    await sweepFiles(scene.services.files)({}, scene.tools)
    const file = path.join(scene.config.DATA_FOLDER, 'files', part.storage_key)
    await assert.rejects(readFile(file), { code: 'ENOENT' })
  })

  test('lies on the disk sealed', async () => {
    const ida = await acme.hire('Ida')
    const { id } = await made(ida)
    const parts = await scene.sql<{ storage_key: string }[]>`
      select storage_key from data_export_parts where export_id = ${id}`
    for (const { storage_key } of parts) {
      const bytes = await readFile(path.join(scene.config.DATA_FOLDER, 'files', storage_key))
      assert.ok(!bytes.includes('PK\u0003\u0004') && !bytes.includes('data.json'))
    }
  })

  test('goes out in pieces of a few megabytes, however large it is', async () => {
    const sizes: number[] = []
    const whole: Uint8Array[] = []
    const archive = new Archive(async (_, bytes) => {
      sizes.push(bytes.length)
      whole.push(bytes)
    })
    const megabyte = new Uint8Array(randomBytes(2 ** 20))
    await archive.add(
      'much.bin',
      Array.from({ length: 40 }, () => megabyte),
      { packed: true },
    )
    await archive.add('text.txt', ['one ', 'two'])
    await archive.end()
    assert.ok(sizes.length >= 8 && Math.max(...sizes) < 6 * 2 ** 20, String(sizes))
    const files = unzipSync(Buffer.concat(whole))
    assert.equal(files['much.bin']?.length, 40 * 2 ** 20)
    assert.equal(textOf(files['text.txt']), 'one two')
  })
})
