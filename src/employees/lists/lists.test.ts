// Promises of a file that is the list of all employees: compared first, applied once, taken back whole.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import {
  peopleRows,
  compare,
  asCsv,
  entryOf,
  untilFinished,
  untilGranted,
  addPeopleByFile,
  workbookOf,
  type Entry,
} from '../../../test/world/people-files.ts'
import { refuses } from '../../../test/world/people.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { until } from '../../../test/until.ts'

const scene = openedScene({ worker: true })

const open = async (count: number) => {
  const stage = await fundedCompany(scene, { people: count + 10 })
  return {
    stage,
    people: await addPeopleByFile(stage, count),
    api: stage.company.admin.api.imports,
  }
}
const findingsOf = async (stage: FundedCompany, id: string) => {
  const found = await scene.sql<{ email: string; finding: string; reason: string | null }[]>`
    select coalesce(email, '') as email, finding, reason from import_rows
    where company_id = ${stage.id} and import_id = ${id} order by line`
  return found.map(({ email, finding, reason }) => [email.split('@')[0], finding, reason])
}

describe('an Excel file of 2,000 people', () => {
  test('with 40 changes and 12 leavers is compared, applied and undone', async () => {
    const { stage, people, api } = await open(2000)
    const [claimant] = await scene.sql<[{ id: string }]>`
      select id from profiles where company_id = ${stage.id} and personnel_number = 'P-1005'`
    const before_it = await peopleRows(stage)
    const next = people
      .map((entry, at): Entry => {
        if (at < 100 || at >= 140) return entry
        return at % 2 ? { ...entry, department: 'Research' } : { ...entry, last: 'Yılmaz' }
      })
      .filter((_, at) => at >= 12)
    const file = await workbookOf([
      ...next,
      ...[1, 2, 3].map((at) => entryOf(5000 + at, stage.company.domain, stage.plan_year)),
    ])
    const reads = await rowsRead(scene, 'profiles')
    const found = await compare(stage.company.admin, file)
    const looked_at = (await rowsRead(scene, 'profiles')) - reads
    assert.ok(looked_at < 20 * 2000, `${looked_at} rows`) // some each, not all for each
    const { rows, fresh, changes, missing, same, invalid, encoding } = found
    assert.deepEqual(
      { rows, fresh, changes, missing, same, invalid, encoding },
      { rows: 1991, fresh: 3, changes: 40, missing: 12, same: 1948, invalid: 0, encoding: 'xlsx' },
    )
    assert.deepEqual(await peopleRows(stage), before_it)

    const { people: changing } = await api.people({ id: found.id, kind: 'changes' })
    assert.deepEqual(changing[1]?.changes, [
      { field: 'department', was: 'Legal', becomes: 'Research' },
    ])
    const leaving = await api.leavers({ id: found.id })
    assert.deepEqual(
      [leaving.people, leaving.available_cents, leaving.filing_days, leaving.leavers.length],
      [12, 12 * 1_000_000, 90, 12],
    )
    assert.ok(leaving.leavers.some(({ person_id }) => person_id === claimant.id))

    await api.start({ id: found.id, leaves: true, left_on: stage.today })
    const done = await untilFinished(stage.company.admin, found.id)
    assert.deepEqual([done.taken, done.untouched, done.done], [3, 0, 55])
    const [counts] = await scene.sql`
      select count(*) filter (where department = 'Research')::int as research,
        count(*) filter (where full_name like '%Yılmaz')::int as renamed,
        count(*) filter (where account_state = 'left')::int as gone,
        count(*) filter (where account_state = 'pending')::int as new
      from profiles where company_id = ${stage.id}`
    assert.deepEqual({ ...counts }, { research: 20, renamed: 20, gone: 12, new: 3 })

    await api.undo({ id: found.id })
    const undone = await untilFinished(stage.company.admin, found.id)
    assert.deepEqual([undone.status, undone.kept], ['undone', 0])
    await untilGranted(stage, 2000)
    await until(async () => {
      const now = await peopleRows(stage)
      return JSON.stringify(now) === JSON.stringify(before_it)
    }, 'everybody is as before, their money too')
    assert.deepEqual(await stage.faults(), [])
  })
})

describe('the comparison', () => {
  test('tells apart whose row it is, and changes nobody it is not sure of', async () => {
    const { stage, people, api } = await open(12)
    const { domain, admin } = stage.company
    const [a, b, c, d, e, f, g, h, i, j, k] = people as [Entry, ...Entry[]] & Entry[]
    await stage.company.admin.api.employees.leave({
      ...(await personOf(stage, i!)),
      left_on: daysAfter(stage.today, -1),
    })
    await admin.api.employees.suspend({ id: (await personOf(stage, j!)).id })
    const { id } = await compare(
      admin,
      asCsv([
        a,
        { ...b!, email: `new-address@${domain}` },
        { ...c!, number: d!.number },
        { ...e!, number: 'P-9' },
        f!,
        f!,
        g!,
        { ...g!, department: 'Elsewhere' },
        { ...entryOf(70, domain, stage.plan_year), email: admin.email },
        { ...h!, email: '', department: 'By number' },
        i!,
        { ...entryOf(71, domain, stage.plan_year), number: '' },
        { ...entryOf(72, domain, stage.plan_year), email: 'no address' },
      ]),
    )
    assert.deepEqual(await findingsOf(stage, id), [
      ['p0', 'same', null],
      ['new-address', 'same', 'address_differs'],
      ['p2', 'conflict', 'number_of_another'],
      ['p4', 'conflict', 'number_differs'],
      ['p5', 'same', null],
      ['p5', 'duplicate', null],
      ['p6', 'duplicate', 'rows_differ'],
      ['p6', 'duplicate', 'rows_differ'],
      ['admin', 'admin', null],
      ['', 'changes', null],
      ['p8', 'gone', null],
      ['p71', 'fresh', null],
      ['no address', 'invalid', 'email'],
      // d is named by the number in c's row; those not named at all:
      [k!.email.split('@')[0], 'missing', null],
      ['p11', 'missing', null],
      ['p9', 'suspended', 'not_in_file'],
      // the admin is in the file
    ])
    await api.discard({ id })
  })

  test('an empty cell takes nothing away, and a column that is not there neither', async () => {
    const { stage, people, api } = await open(2)
    const [a, b] = people as [Entry, Entry]
    await scene.sql`update profiles set phone = '+49 30 1234567' where email = ${a.email}`
    const found = await compare(
      stage.company.admin,
      `Name;E-Mail;Telefon;Abteilung\nZoë 0 Öztürk;${a.email};;\nZoë 1 Öztürk;${b.email};+49 30 7654321;`,
    )
    assert.deepEqual([found.same, found.changes, found.missing], [1, 1, 0])
    const { people: changing } = await api.people({ id: found.id, kind: 'changes' })
    assert.deepEqual(changing[0]?.changes, [
      { field: 'phone', was: null, becomes: '+49 30 7654321' },
    ])
  })

  test('impossible days are refused row by row, and nobody is added who left before they joined', async () => {
    const { stage, people } = await open(2)
    const { domain, admin } = stage.company
    const row = (at: number, first: string, last: string) =>
      `P-${2000 + at};New ${at} Person;n${at}@${domain};${first};${last}`
    const far = daysAfter(stage.today, 400)
    const found = await compare(
      admin,
      [
        'Personalnummer;Name;Email;Eintritt;Austritt',
        row(0, stage.today, daysAfter(stage.today, -1)),
        row(1, far, ''),
        row(2, '2020-02-30', ''),
        row(3, '2020-01-01', '31.12.2020'),
        `${people[0]!.number};Zoë 0 Öztürk;${people[0]!.email};;${daysAfter(stage.plan_year, -9)}`,
        `${people[1]!.number};Zoë 1 Öztürk;${people[1]!.email};;`,
      ].join('\n'),
    )
    const findings = await findingsOf(stage, found.id)
    assert.deepEqual(
      findings.map(([, finding, reason]) => [finding, reason]),
      [
        ['invalid', 'ends_before_it_begins'],
        ['invalid', 'begins_too_late'],
        ['invalid', 'joined_on'],
        ['gone', 'left_before'],
        ['invalid', 'ends_before_it_begins'],
        ['same', null],
        ['admin', 'not_in_file'],
      ],
    )
  })

  test('belongs to its company alone', async () => {
    const { stage, people } = await open(1)
    const other = await scene.company({ name: 'Other' })
    const { id } = await compare(stage.company.admin, asCsv(people))
    const theirs = other.admin.api.imports
    await refuses('not_found', theirs.people({ id, kind: 'fresh' }))
    await refuses('not_found', theirs.leavers({ id }))
    await refuses('not_found', theirs.start({ id, leaves: true }))
    await refuses('not_found', theirs.approve({ id }))
    // The same number in another company is another person's.
    const found = await compare(other.admin, asCsv(people))
    assert.deepEqual([found.fresh, found.address_taken, found.changes], [0, 1, 0])
  })
})

describe('applying', () => {
  test('people missing from the file stay unless HR says that they leave', async () => {
    const { stage, people, api } = await open(3)
    const { id, missing } = await compare(stage.company.admin, asCsv(people.slice(1)))
    assert.equal(missing, 1)
    await api.start({ id })
    await untilFinished(stage.company.admin, id)
    assert.equal((await personOf(stage, people[0]!)).left_on, null)
  })

  test('a person changed meanwhile is left as they are, and named', async () => {
    const { stage, people, api } = await open(3)
    const moved = people.map((entry) => ({ ...entry, department: 'Moved' }))
    const { id } = await compare(stage.company.admin, asCsv(moved))
    await scene.sql`update profiles set department = 'Board' where email = ${people[1]!.email}`
    await api.start({ id })
    const done = await untilFinished(stage.company.admin, id)
    assert.deepEqual([done.done, done.untouched], [3, 1])
    const { people: untouched } = await api.people({ id, kind: 'untouched' })
    assert.deepEqual(
      untouched.map(({ email, reason }) => [email, reason]),
      [[people[1]!.email, 'changed_since']],
    )
    assert.equal((await personOf(stage, people[1]!)).department, 'Board')
    assert.equal((await personOf(stage, people[2]!)).department, 'Moved')
  })

  test('each person is changed once, however many workers there are and whichever is killed between batches', async () => {
    const { stage, people } = await open(60)
    const moved = people.map((entry) => ({ ...entry, department: 'Moved' }))
    const { id } = await compare(stage.company.admin, asCsv(moved))
    await scene.sql`update imports set status = 'importing' where id = ${id}`
    const batch = () => scene.sql`select private.import_batch(${stage.id}, ${id}, 7)`
    await batch() // and then its server is killed
    await Promise.all([batch(), batch(), batch()])
    await scene.sql`update imports set touched_at = now() - interval '5 minutes' where id = ${id}`
    await scene.sql`select private.resume_imports()`
    const done = await untilFinished(stage.company.admin, id)
    assert.deepEqual([done.done, done.untouched], [60, 0])
    const versions = await scene.sql`select from audit_log where company_id = ${stage.id}
      and table_name = 'profiles' and after ->> 'department' = 'Moved'`
    assert.equal(versions.length, 60)
  })
})

describe('undo', () => {
  test('people changed since are named, and stay as they are', async () => {
    const { stage, people, api } = await open(40)
    const { domain, admin } = stage.company
    const next = people.slice(2).map((entry) => ({ ...entry, department: 'Moved' }))
    const { id } = await compare(
      admin,
      asCsv([...next, entryOf(90, domain, stage.plan_year), entryOf(91, domain, stage.plan_year)]),
    )
    await admin.api.imports.set_leaver_limit({ leave_percent: 5 })
    await api.start({ id, leaves: true })
    await untilFinished(admin, id)
    await scene.sql`update auth.users set last_sign_in_at = now() where email = ${`p90@${domain}`}`
    await scene.sql`update profiles set department = 'Board' where email = ${people[2]!.email}`
    const stays = await personOf(stage, people[0]!)
    await admin.api.employees.leave({ ...stays, left_on: daysAfter(stage.today, 3) })

    await api.undo({ id })
    const undone = await untilFinished(admin, id)
    assert.equal(undone.kept, 3)
    const { people: kept } = await api.people({ id, kind: 'kept' })
    assert.deepEqual(
      kept.map(({ email, reason }) => [email, reason]),
      [
        [people[2]!.email, 'changed_since'],
        [`p90@${domain}`, 'had_account'],
        [people[0]!.email, 'changed_since'],
      ],
    )
    assert.equal((await personOf(stage, people[3]!)).department, people[3]!.department)
    assert.equal((await personOf(stage, people[2]!)).department, 'Board')
    assert.equal((await personOf(stage, people[1]!)).left_on, null)
    assert.equal((await personOf(stage, people[0]!)).left_on, daysAfter(stage.today, 3))
    await refuses('import_not_ready', api.undo({ id }))
  })
})

async function personOf(stage: FundedCompany, { email }: Entry) {
  const { employees } = await stage.company.admin.api.employees.list({ search: email })
  return employees.find((one) => one.email === email)!
}
