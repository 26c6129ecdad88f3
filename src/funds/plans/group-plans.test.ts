// Plans of groups: who is given what, from which day, and what follows when people come and go.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import {
  ownBalances,
  contributedCompany,
  moveFunds,
  purse,
  spread,
  utcToday,
} from '../../../test/world/money.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { keepYearsOf, regrant, sealAll } from '#funds/jobs.server.ts'

const scene = openedScene()

/** A company with money for its people, two of Sales and one of Support, and two groups. */
async function grouped(pool = 10_000_000) {
  const made = await contributedCompany(scene, pool * 3, { starts_on: utcToday() })
  const { company, funds, plan_year } = made
  await funds.allocate({ plan_year, ...spread(pool, pool, pool) })
  const { groups, group_plans } = company.admin.api
  const people = []
  for (const [name, department] of [
    ['Ana', 'Sales'],
    ['Ben', 'Sales'],
    ['Cem', 'Support'],
  ] as const) {
    const person = await company.hire(name)
    await move(person, department)
    people.push(person)
  }
  const field = await groups.add({ name: 'Field', departments: ['Sales'] })
  const parents = await groups.add({ name: 'Parents', departments: null })
  const job = (of_year = plan_year) =>
    regrant({ company_id: company.id, plan_year: of_year }, scene.tools)
  const write = async (...plans: ReturnType<typeof plan>[]) => {
    const { version } = await group_plans.list({ plan_year })
    const saved = await group_plans.change({ plan_year, version, plans })
    await job()
    return saved
  }
  const plan = (
    group: { id: string },
    cents: readonly [number, number, number],
    counts_from = plan_year,
  ) => ({
    group_id: group.id,
    counts_from,
    ...spread(...cents),
  })
  const [ana, ben, cem] = people as [Person, Person, Person]
  return { ...made, groups, group_plans, ana, ben, cem, field, parents, plan, write, job }
}

const move = ({ id }: { id: string }, department: string | null) =>
  scene.sql`update profiles set department = ${department} where id = ${id}`
const companys = [20_000, 70_000, 10_000]
const fields = [25_000, 60_000, 20_000] as const
const of_parents = [30_000, 80_000, 0] as const
const good = async (funds: { verify: (of: object) => Promise<{ good: boolean }> }) =>
  assert.equal((await funds.verify({})).good, true)

test('each has the plan of the first of their groups, else the company’s, as it was shown before', async () => {
  const { funds, group_plans, plan_year, groups, ana, ben, cem, ...made } = await grouped()
  const { field, parents, plan, write } = made
  await groups.put_person({ id: parents.id, person_id: ana.id })
  const plans = [plan(parents, of_parents), plan(field, fields)]
  const effect = await group_plans.preview({ plan_year, plans })
  assert.deepEqual([effect.people, effect.people_changed, effect.people_below_used], [3, 2, 0])
  assert.deepEqual(
    effect.categories.map(({ change_cents }) => change_cents),
    [15_000, 0, 0],
  )
  const saved = await write(...plans)
  assert.deepEqual(
    saved.plans.map(({ name }) => name),
    ['Parents', 'Field'],
  )
  const all = () => Promise.all([ana, ben, cem].map(ownBalances))
  assert.deepEqual(await all(), [[...of_parents], [...fields], companys])
  await write(plan(field, fields), plan(parents, of_parents))
  assert.deepEqual(await all(), [[...fields], [...fields], companys])
  const plain = await funds.plan({})
  const owner = await withRights(scene, made.company, 'owner')
  const raised = await owner.api.funds.preview_plan({ ...plain, treatment_cents: 90_000 })
  assert.equal(raised.categories[1]?.change_cents, 20_000, 'of Cem alone')
  await write()
  assert.deepEqual(await all(), [companys, companys, companys])
  const { entries } = await ana.api.funds.my_statement({ limit: 20 })
  assert.deepEqual(
    [...new Set(entries.map(({ note }) => note))],
    ['company_plan', 'group_plan Field', 'group_plan Parents', null],
  )
  const record = await made.company.admin.api.audit.list({ table: 'grants' })
  const mine = record.entries.filter(({ subject }) => subject === 'Ana')
  assert.deepEqual(
    mine.map(({ before, after }) => [
      before?.['plan_group'],
      after?.['plan_group'],
      after?.['prevention_cents'],
    ]),
    [
      ['Field', null, 20_000],
      ['Parents', 'Field', 25_000],
      [null, 'Parents', 30_000],
    ],
  )
  await good(funds)
})

test('who comes to a group or leaves it is granted at once, and nobody loses what they used', async () => {
  const { company, funds, plan_year, groups, ana, ben, cem, ...made } = await grouped(300_000)
  const { field, parents, plan, write } = made
  await write(plan(parents, [20_000, 70_000, 250_000]), plan(field, fields))
  const of = purse(company, plan_year, ben, 'prevention')
  await moveFunds(scene.sql, 'hold', of, 22_000, 'claim 1')
  await move(ben, null)
  assert.deepEqual(await ownBalances(ben), [0, 70_000, 10_000], '220.00 of 200.00 are on hold')
  await moveFunds(scene.sql, 'release', of, 22_000, 'claim 1')
  await move(ben, 'Sales')
  assert.deepEqual(await ownBalances(ben), [...fields])
  for (const department of ['Support', 'Sales', 'Support']) await move(cem, department)
  assert.deepEqual(await ownBalances(cem), companys, 'twice on a day')
  for (const person of [ana, cem]) {
    await groups.put_person({ id: parents.id, person_id: person.id })
    await groups.put_person({ id: parents.id, person_id: person.id })
  }
  const waiting = await funds.overview({})
  assert.equal(waiting.waiting.people, 1, 'the pool holds enough for one of the two')
  assert.equal(waiting.waiting.solidarity_cents, 240_000)
  await groups.take_person({ id: parents.id, person_id: ana.id })
  assert.deepEqual(await ownBalances(ana), [...fields])
  await made.job()
  assert.deepEqual(
    await ownBalances(cem),
    [20_000, 70_000, 250_000],
    'what went back is granted on',
  )
  await groups.take_person({ id: parents.id, person_id: cem.id })
  const late = await company.hire('Dan')
  await move(late, 'Sales')
  assert.deepEqual(await ownBalances(late), [...fields])
  await good(funds)
})

test('a group that goes by other departments, or is called differently, carries its plan along', async () => {
  const { funds, groups, ana, ben, cem, field, plan, write, job, parents } = await grouped()
  await groups.put_person({ id: parents.id, person_id: cem.id })
  await write(plan(field, fields), plan(parents, of_parents))
  const change = { id: field.id, version: field.version, name: 'Help', departments: ['Support'] }
  const changed = await groups.change(change)
  await job()
  assert.deepEqual(await Promise.all([ana, ben, cem].map(ownBalances)), [
    companys,
    companys,
    [...fields],
  ])
  const emptied = { ...change, version: changed.version, departments: ['Nobody'] }
  await groups.change(emptied)
  await job()
  assert.deepEqual(await ownBalances(cem), [...of_parents], 'the next of their groups')
  await refuses('group_in_use', groups.remove({ id: field.id }))
  await write(plan(parents, of_parents))
  await groups.remove({ id: field.id })
  assert.deepEqual(
    (await scene.sql`select distinct plan_group from grants where person_id = ${cem.id}`)[0],
    { plan_group: 'Parents' },
  )
  await good(funds)
})

test('a plan counts from its day, once, however late and often the clock comes', async () => {
  const { company, funds, plan_year, ana, ben, field, plan, write, job } = await grouped()
  const { ends_on } = await funds.plan({})
  const today = utcToday()
  await write(plan(field, fields, ends_on))
  assert.deepEqual(await ownBalances(ana), companys)
  await keepYearsOf(scene.sql, company.id, today)
  const queuedAt = async () =>
    (
      await scene.sql<{ at: string }[]>`select requested_at::text as at from regrants
      where company_id = ${company.id} and plan_year = ${plan_year}`
    )[0]!.at
  const before_it = await queuedAt()
  const late = daysAfter(ends_on, 40)
  await keepYearsOf(scene.sql, company.id, late)
  const after_it = await queuedAt()
  assert.notEqual(after_it, before_it)
  await job()
  await keepYearsOf(scene.sql, company.id, late)
  assert.equal(await queuedAt(), after_it, 'done already')
  await job()
  assert.deepEqual(await Promise.all([ana, ben].map(ownBalances)), [[...fields], [...fields]])
  const { entries } = await ana.api.funds.my_statement({ limit: 20 })
  assert.equal(entries.filter(({ note }) => note === 'group_plan Field').length, 3)
  await good(funds)
})

test('owners alone write them, of their own groups, in this order or told of another’s', async () => {
  const { company, group_plans, plan_year, ben, field, plan, write, parents } = await grouped()
  const plans = [plan(field, fields)]
  const hr = await withRights(scene, company, 'people')
  const owner = await withRights(scene, company, 'owner')
  const change = { plan_year, version: 0, plans }
  for (const person of [hr, ben]) {
    await refuses('forbidden', person.api.group_plans.preview(change))
    await refuses('forbidden', person.api.group_plans.change(change))
  }
  assert.equal((await owner.api.group_plans.change(change)).version, 1)
  await refuses('changed_meanwhile', owner.api.group_plans.change(change))
  const both = await Promise.allSettled(
    [fields, of_parents].map((cents) =>
      group_plans.change({ plan_year, version: 1, plans: [plan(parents, cents)] }),
    ),
  )
  assert.deepEqual(lost(both), ['changed_meanwhile'])
  const other = await scene.company({ name: 'Other' })
  const theirs = await other.admin.api.groups.add({ name: 'Theirs', departments: ['Sales'] })
  const foreign = { ...change, version: 2, plans: [plan(theirs, fields)] }
  await refuses('not_found', group_plans.change(foreign))
  await refuses('not_found', group_plans.preview(foreign))
  const before_year = [plan(field, fields, daysAfter(plan_year, -1))]
  await refuses(
    'day_outside_plan_year',
    group_plans.change({ plan_year, version: 2, plans: before_year }),
  )
  await refuses(
    'invalid_input',
    group_plans.change({ plan_year, version: 2, plans: [...plans, ...plans] }),
  )
  await write(plan(field, fields))
  await moveFunds(scene.sql, 'hold', purse(company, plan_year, ben, 'treatment'), 60_000, 'claim 1')
  const lowered = [plan(field, [0, 59_999, 0])]
  const previewed = (await group_plans.preview({ plan_year, plans: lowered })).refusals
  assert.deepEqual(previewed, { save: 'grant_below_used' })
  await refuses('grant_below_used', group_plans.change({ plan_year, version: 3, plans: lowered }))
  await scene.sql`update plan_years set closed_at = now() where company_id = ${company.id}`
  await refuses('plan_year_closed', group_plans.change({ plan_year, version: 3, plans: [] }))
})

test('the next year begins with them, and closes with what it gave', async () => {
  const { company, funds, group_plans, ben, field, plan, write, groups, job } = await grouped()
  await write(plan(field, fields))
  const owner = await withRights(scene, company, 'owner')
  const companys_plan = await funds.plan({})
  await owner.api.funds.change_plan({ ...companys_plan, carry_over: 'all', filing_days: 0 })
  const { ends_on } = companys_plan
  const next = daysAfter(ends_on, 1)
  await keepYearsOf(scene.sql, company.id, daysAfter(ends_on, -30))
  const copied = await group_plans.list({ plan_year: next })
  assert.deepEqual(
    copied.plans.map(({ name, counts_from, treatment_cents }) => [
      name,
      counts_from,
      treatment_cents,
    ]),
    [['Field', next, 60_000]],
  )
  await scene.sql`select private.regrant_later(${company.id}, ${next}, ${next})`
  await job(next)
  const due = await scene.sql`select due_cents from grants where person_id = ${ben.id}
    and plan_year = ${next} order by due_cents`
  assert.deepEqual(
    due.map((one) => one['due_cents']),
    [20_000, 25_000, 60_000],
  )
  await keepYearsOf(scene.sql, company.id, daysAfter(next, 1))
  const carried = await scene.sql`select sum(carried_cents)::int as cents from grants
    where person_id = ${ben.id} and plan_year = ${next}`
  assert.equal(carried[0]!['cents'], 105_000)
  const { version } = await group_plans.list({ plan_year: next })
  await group_plans.change({ plan_year: next, version, plans: [] })
  await groups.remove({ id: field.id })
  await good(funds)
})

test('hundreds who change their department at once are granted in a few statements', async () => {
  const { company, funds, field, plan, write, job } = await grouped(100_000_000)
  await write(plan(field, fields))
  const many = 300
  await scene.sql`select count(*) from private.add_people(${company.id}, 'employee', array(
    select row('person' || i || '@many.example', 'Person ' || i, null, 'Depot')::private.newcomer
    from generate_series(1, ${many}) i), null)`
  await scene.sql`update profiles set status = 'active'
    where company_id = ${company.id} and role = 'employee'`
  await job()
  await scene.sql`update profiles set department = 'Sales'
    where company_id = ${company.id} and department = 'Depot'`
  await job()
  await sealAll(scene.sql)
  const [sum] = await scene.sql`select count(*)::int as people, sum(granted_cents)::int as cents
    from grants where company_id = ${company.id} and plan_group = 'Field'
      and category = 'treatment'`
  assert.deepEqual({ ...sum }, { people: many + 2, cents: (many + 2) * 60_000 })
  await good(funds)
})
