// Nobody leaves before they join: whoever writes the two days, and whatever happened while a file waited.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import {
  compare,
  untilFinished,
  addPeopleByFile,
  type Entry,
} from '../../test/world/people-files.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ worker: true })

const open = async (count: number) => {
  const stage = await fundedCompany(scene, { people: count + 10 })
  const people = await addPeopleByFile(stage, count)
  await scene.sql`insert into people_lists (company_id, leave_percent) values (${stage.id}, 100)`
  return { stage, people: people as [Entry, Entry], admin: stage.company.admin }
}
const found = async (admin: Person, { email }: { email: string }) => {
  const { employees } = await admin.api.employees.list({ search: email })
  return employees.find((one) => one.email === email)!
}
const leave = async (admin: Person, who: Entry, left_on: string) =>
  admin.api.employees.leave({ ...(await found(admin, who)), left_on })
const join = async (admin: Person, who: Entry, joined_on: string) => {
  const { id, version, full_name, department } = await found(admin, who)
  const now = { id, version, full_name, department: department ?? 'Sales', joined_on }
  return admin.api.employees.edit(now)
}
const daysOf = async (stage: FundedCompany, { email }: { email: string }) => {
  const [row] = await scene.sql`select joined_on::text, left_on::text, account_state from profiles
    where company_id = ${stage.id} and email = ${email}`
  return row && { ...row }
}
/** A full list that has these people alone. */
async function send(admin: Person, lines: string[]) {
  const file = ['Name;Email;Eintritt;Austritt', ...lines].join('\n')
  return (await compare(admin, file)).id
}
async function apply(admin: Person, id: string) {
  await admin.api.imports.start({ id })
  return untilFinished(admin, id)
}
const nameOf = ({ first, last }: Entry) => `${first} ${last}`

test('the last day is not before the first, nor the first day years ahead, for anybody', async () => {
  const { stage, people, admin } = await open(1)
  const { id } = await found(admin, people[0])
  const before_it = daysAfter(stage.plan_year, -1)
  await assert.rejects(scene.sql`update profiles set left_on = ${before_it} where id = ${id}`, {
    constraint: 'employment_ends_before_it_begins',
  })
  const code = 'employment_ends_before_it_begins'
  const at = (field: string) => (problem: { code: string; fields: object }) => {
    assert.deepEqual([problem.code, Object.keys(problem.fields)], [code, [field]])
    return true
  }
  await assert.rejects(leave(admin, people[0], before_it), at('left_on'))
  await leave(admin, people[0], daysAfter(stage.today, 20))
  await assert.rejects(join(admin, people[0], daysAfter(stage.today, 21)), at('joined_on'))
  await admin.api.employees.stay(await found(admin, people[0]))
  await refuses('joins_too_far_ahead', join(admin, people[0], daysAfter(stage.today, 367)))
})

describe('a file', () => {
  test('leaves alone whose days it would turn round, as they are by now', async () => {
    const { stage, people, admin } = await open(2)
    const [a, b] = people
    const [soon, later] = [daysAfter(stage.today, 10), daysAfter(stage.today, 30)]
    const id = await send(admin, [
      `${nameOf(a)};${a.email};${later};`,
      `${nameOf(b)};${b.email};;${soon}`,
    ])
    await leave(admin, a, soon)
    await join(admin, b, later)
    const done = await apply(admin, id)
    assert.deepEqual([done.status, done.done, done.untouched], ['done', 2, 2])
    const { people: untouched } = await admin.api.imports.people({ id, kind: 'untouched' })
    assert.deepEqual(
      untouched.map(({ email, reason }) => [email, reason]),
      [
        [a.email, 'changed_since'],
        [b.email, 'changed_since'],
      ],
    )
    const state = { account_state: 'active' }
    assert.deepEqual(await daysOf(stage, a), {
      joined_on: stage.plan_year,
      left_on: soon,
      ...state,
    })
    assert.deepEqual(await daysOf(stage, b), { joined_on: later, left_on: null, ...state })
  })

  test('is taken back but for days that would be turned round', async () => {
    const { stage, people, admin } = await open(2)
    const [a, b] = people
    const [soon, later, last] = [10, 30, 60].map((days) => daysAfter(stage.today, days)) as [
      string,
      string,
      string,
    ]
    await join(admin, a, later)
    await leave(admin, b, soon)
    const id = await send(admin, [
      `${nameOf(a)};${a.email};${stage.plan_year};`,
      `${nameOf(b)};${b.email};;${last}`,
    ])
    assert.equal((await apply(admin, id)).untouched, 0)
    await leave(admin, a, soon)
    await join(admin, b, later)
    await admin.api.imports.undo({ id })
    const undone = await untilFinished(admin, id)
    assert.deepEqual([undone.status, undone.kept], ['undone', 2])
    const state = { account_state: 'active' }
    assert.deepEqual(await daysOf(stage, a), {
      joined_on: stage.plan_year,
      left_on: soon,
      ...state,
    })
    assert.deepEqual(await daysOf(stage, b), { joined_on: later, left_on: last, ...state })
  })

  test('adds nobody whose last day came while it waited', async () => {
    const { stage, people, admin } = await open(1)
    const [email, other] = [`late@${stage.company.domain}`, `early@${stage.company.domain}`]
    const id = await send(admin, [
      `${nameOf(people[0])};${people[0].email};;`,
      `Late Person;${email};;${daysAfter(stage.today, 10)}`,
      `Early Person;${other};;${daysAfter(stage.today, 10)}`,
    ])
    await scene.sql`update import_rows set left_on = ${daysAfter(stage.today, -1)}
      where import_id = ${id} and email = ${email}`
    const done = await apply(admin, id)
    assert.deepEqual([done.taken, done.done], [1, 2])
    assert.equal(await daysOf(stage, { email }), undefined)
    const { rows } = await admin.api.imports.rows({ id })
    assert.deepEqual(
      rows.map((one) => [one.email, one.finding, one.reason]),
      [[email, 'gone', 'left_before']],
    )
  })

  test('says the last day of whom it takes in, also of who had one', async () => {
    const { stage, people, admin } = await open(1)
    const email = `asked@${stage.company.domain}`
    await scene.signUp(email, 'employee')
    const later = daysAfter(stage.today, 30)
    await scene.sql`update profiles set status = 'pending', requested_at = now(),
      left_on = ${daysAfter(stage.today, 5)} where email = ${email}`
    const id = await send(admin, [
      `${nameOf(people[0])};${people[0].email};;`,
      `Asked Person;${email};${later};`,
    ])
    assert.equal((await apply(admin, id)).taken, 1)
    const days = { joined_on: later, left_on: null, account_state: 'active' }
    assert.deepEqual(await daysOf(stage, { email }), days)
  })
})

describe('who comes to a company', () => {
  test('from none begins without a last day', async () => {
    const { stage, admin } = await open(1)
    const email = `back@${stage.company.domain}.test`
    const { id } = await scene.signUp(email, 'employee')
    await scene.sql`update profiles set joined_on = '2020-01-01', left_on = '2020-02-01'
      where id = ${id}`
    await admin.api.employees.add({ full_name: 'Back', email, department: 'Sales' })
    const days = { joined_on: stage.today, left_on: null, account_state: 'active' }
    assert.deepEqual(await daysOf(stage, { email }), days)
  })

  test('as its admin, and becomes an employee, begins without one, too', async () => {
    const { stage, admin } = await open(1)
    const second = await stage.admin('Second')
    await scene.sql`update profiles set role = 'company_admin', joined_on = '2020-01-01',
      left_on = '2020-02-01' where id = ${second.id}`
    const { email } = second
    await admin.api.employees.add({ full_name: 'Second', email, department: 'Sales' })
    const days = { joined_on: stage.today, left_on: null, account_state: 'active' }
    assert.deepEqual(await daysOf(stage, second), days)
  })
})
