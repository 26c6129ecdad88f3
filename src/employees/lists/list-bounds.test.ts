// Promises of the bound: more than a share of a company's people leave by a file only if two people say so.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { keyOf } from '../../../test/world/keys.ts'
import {
  compare,
  asCsv,
  untilFinished,
  addPeopleByFile,
  type Entry,
} from '../../../test/world/people-files.ts'
import { refuses, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true })

const open = async (count: number) => {
  const stage = await fundedCompany(scene, { people: count + 10 })
  return { stage, people: await addPeopleByFile(stage, count), hr: stage.company.admin }
}
/** An admin for more than a day: a second person. */
const second = async (stage: FundedCompany, name = 'Second'): Promise<Person> => {
  const admin = await stage.admin(name)
  await scene.sql`update company_rights set given_at = now() - interval '25 hours'
    where person_id = ${admin.id}`
  return admin
}
const start = async (by: Pick<Person, 'api'>, people: Entry[]) => {
  const { id } = await compare(by, asCsv(people))
  return by.api.imports.start({ id, leaves: true })
}
const left = async (stage: FundedCompany) => {
  const [row] = await scene.sql<[{ people: number }]>`select count(*)::int as people from profiles
    where company_id = ${stage.id} and account_state = 'left'`
  return row.people
}

test('HR hears of the claims of those who would leave, reviewers or not', async () => {
  const { stage, people } = await open(20)
  const hr = await withRights(scene, stage.company, 'people')
  const claimant = await stage.hire('Claimant')
  await stage.claim(claimant)
  const { id } = await compare(hr, asCsv(people))
  const { leavers, open_claims } = await hr.api.imports.leavers({ id })
  assert.deepEqual(
    leavers.map((leaver) => [leaver.person_id, leaver.open_claims]),
    [[claimant.id, 1]],
  )
  assert.equal(open_claims, 1)
})

describe('more leavers than one admin may decide', () => {
  test('wait for another admin, who neither sent nor started the file', async () => {
    const { stage, people, hr } = await open(20)
    const other = await second(stage)
    const waiting = await start(hr, people.slice(2))
    assert.equal(waiting.status, 'waiting')
    assert.equal(await left(stage), 0)
    await scene.confirm(hr)
    await refuses('import_started_by_you', hr.api.imports.approve({ id: waiting.id }))
    const { lines } = await other.api.needs.list({})
    assert.ok(lines.some(({ kind }) => kind === 'import_waits'))
    const import_detail = await other.api.imports.find({ id: waiting.id })
    assert.equal(import_detail.refusals.approve, null)
    await scene.stale(other)
    await refuses('password_needed', other.api.imports.approve({ id: waiting.id }))
    await scene.confirm(other)
    await other.api.imports.approve({ id: waiting.id })
    await untilFinished(hr, waiting.id)
    assert.equal(await left(stage), 2)
    await refuses('import_not_ready', other.api.imports.approve({ id: waiting.id }))
  })

  test('a no puts the file away, and nobody leaves', async () => {
    const { stage, people, hr } = await open(20)
    const other = await second(stage)
    const { id } = await start(hr, people.slice(2))
    await other.api.imports.discard({ id })
    await refuses('not_found', hr.api.imports.find({ id }))
    assert.equal(await left(stage), 0)
  })

  test('whom one made an admin within a day is no second person', async () => {
    const { stage, people, hr } = await open(20)
    const made = await stage.admin('Made')
    await scene.sql`update company_rights set given_at = now(), given_by = ${hr.id}
      where person_id = ${made.id}`
    const { id, refusals } = await compare(hr, asCsv(people.slice(2)))
    assert.deepEqual([refusals.leave, refusals.start], ['leaves_need_second_admin', null])
    await refuses('leaves_need_second_admin', hr.api.imports.start({ id, leaves: true }))
    const other = await second(stage)
    assert.equal((await hr.api.imports.find({ id })).refusals.leave, null)
    await hr.api.imports.start({ id, leaves: true })
    await scene.confirm(made)
    await refuses('admin_too_new', made.api.imports.approve({ id }))
    await scene.confirm(other)
    await other.api.imports.approve({ id })
  })

  test('who sent the file approves it no more than who started it', async () => {
    const { stage, people, hr } = await open(20)
    const other = await second(stage)
    const third = await second(stage, 'Third')
    const { id } = await compare(other, asCsv(people.slice(2)))
    await hr.api.imports.start({ id, leaves: true })
    await scene.confirm(other)
    await refuses('import_started_by_you', other.api.imports.approve({ id }))
    await scene.confirm(third)
    await third.api.imports.approve({ id })
    await untilFinished(hr, id)
  })

  test('small files one after the other count together', async () => {
    const { stage, people, hr } = await open(40)
    await second(stage)
    assert.equal((await start(hr, people.slice(1))).status, 'importing')
    await untilFinished(hr, (await hr.api.imports.list({}))[0]!.id)
    assert.equal((await start(hr, people.slice(2))).status, 'waiting')
  })

  test('last days that stand in the file count, too', async () => {
    const { stage, people, hr } = await open(10)
    const { id, refusals } = await compare(
      hr,
      [
        'Name;Email;Austritt',
        ...people.map(
          ({ email }, at) => `Zoë ${at} Öztürk;${email};${at === 0 ? stage.today : ''}`,
        ),
      ].join('\n'),
    )
    assert.equal(refusals.start, 'leaves_need_second_admin')
    await refuses('leaves_need_second_admin', hr.api.imports.start({ id }))
    await second(stage)
    assert.equal((await hr.api.imports.find({ id })).refusals.start, null)
    assert.equal((await hr.api.imports.start({ id })).status, 'waiting')
  })
})

describe('a key', () => {
  test('compares and applies, but more than the bound waits for people', async () => {
    const { stage, people, hr } = await open(20)
    const other = await second(stage)
    const key = await keyOf(scene, hr, ['people:write'])
    const small = await compare(key, asCsv([...people.slice(1), { ...people[0]!, last: 'Other' }]))
    const { people: changing } = await key.api.imports.people({ id: small.id, kind: 'changes' })
    assert.equal(changing[0]?.changes[0]?.becomes, 'Zoë 0 Other')
    assert.equal((await key.api.imports.start({ id: small.id })).status, 'importing')
    await untilFinished(hr, small.id)
    const compared = await compare(key, asCsv(people.slice(3)))
    assert.equal(
      compared.refusals.leave,
      null,
      'a key’s login, too, knows that a second one is there',
    )
    const large = await key.api.imports.start({ id: compared.id, leaves: true })
    assert.equal(large.status, 'waiting')
    await scene.confirm(hr)
    await refuses('not_found', key.api.imports.approve({ id: large.id }))
    await refuses('method_not_allowed', key.api.imports.set_leaver_limit({ leave_percent: 100 }))
    await refuses('not_found', key.api.imports.leavers({ id: large.id }))
    await refuses('import_by_your_key', hr.api.imports.approve({ id: large.id }))
    await scene.confirm(other)
    await other.api.imports.approve({ id: large.id })
    await untilFinished(hr, large.id)
    assert.equal(await left(stage), 3)
  })

  test('that sends a file sends it for its maker, whoever starts it', async () => {
    const { stage, people, hr } = await open(20)
    const other = await second(stage)
    const third = await second(stage, 'Third')
    const key = await keyOf(scene, hr, ['people:write'])
    const { id, started_by_name } = await compare(key, asCsv(people.slice(3)))
    assert.equal(started_by_name, key.name)
    await other.api.imports.start({ id, leaves: true })
    await scene.confirm(hr)
    await refuses('import_by_your_key', hr.api.imports.approve({ id }))
    await scene.confirm(other)
    await refuses('import_started_by_you', other.api.imports.approve({ id }))
    await scene.confirm(third)
    await third.api.imports.approve({ id })
    await untilFinished(hr, id)
  })
})

describe('the share', () => {
  test('is the company’s: lowered at once, raised with the password, a day later, and the others are told', async () => {
    const { stage, hr } = await open(2)
    const other = await second(stage)
    const { imports } = hr.api
    assert.equal((await imports.reading({})).leave_percent_now, 5)
    assert.equal((await imports.set_leaver_limit({ leave_percent: 2 })).leave_percent_now, 2)
    await scene.stale(hr)
    await refuses('password_needed', imports.set_leaver_limit({ leave_percent: 50 }))
    await scene.confirm(hr)
    const raised = await imports.set_leaver_limit({ leave_percent: 50 })
    assert.deepEqual([raised.leave_percent, raised.leave_percent_now], [50, 2])
    const { notifications } = await other.api.notifications.list({})
    assert.ok(notifications.some(({ code }) => code === 'leaver_limit_raised'))
    // Raised again within the day, the share still counts from before the first time.
    await imports.set_leaver_limit({ leave_percent: 60 })
    assert.equal((await imports.reading({})).leave_percent_now, 2)
    await scene.sql`update people_lists set raised_at = now() - interval '24 hours'`
    assert.equal((await imports.reading({})).leave_percent_now, 60)
  })
})

describe('a file that was not read whole', () => {
  test('lets nobody leave: who is missing may stand in what is missing', async () => {
    const { people, hr } = await open(30)
    const cut = asCsv(people.slice(1)).slice(0, -60)
    const { id } = await compare(hr, `${cut}\r\n"P-99;Never;Closed`)
    await refuses('file_not_read_whole', hr.api.imports.start({ id, leaves: true }))
    assert.equal((await hr.api.imports.find({ id })).status, 'checked')
    await hr.api.imports.start({ id })
  })

  test('nor one in which an address is none: its row may be that of whoever is missing', async () => {
    const { people, hr } = await open(30)
    const [first, ...others] = people
    const whole = asCsv([{ ...first!, email: 'not-an-address', number: '' }, ...others])
    const { id, refusals } = await compare(hr, whole)
    assert.equal(refusals.leave, 'file_not_read_whole')
    await refuses('file_not_read_whole', hr.api.imports.start({ id, leaves: true }))
    const good = await compare(hr, asCsv(others))
    assert.equal(good.refusals.leave, null)
  })

  test('nor one in which somebody has no address: nobody can tell whether that is whoever is missing', async () => {
    const { people, hr } = await open(30)
    const [first, ...others] = people
    const nameless = { ...first!, first: '', last: '' }
    for (const one of [
      { ...first!, email: '', number: '' },
      { ...nameless, email: '', number: 'X-1' },
    ]) {
      const { id, skipped, missing, refusals } = await compare(hr, asCsv([one, ...others]))
      assert.deepEqual([skipped, missing, refusals.leave], [1, 1, 'file_not_read_whole'])
      await refuses('file_not_read_whole', hr.api.imports.start({ id, leaves: true }))
    }
    const known_by_number = await compare(hr, asCsv([{ ...first!, email: '' }, ...others]))
    assert.deepEqual([known_by_number.missing, known_by_number.refusals.leave], [0, null])
  })
})
