// An admin with every right who goes around the server: straight SQL as the login that requests use.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import type { Person } from './world/people.ts'
import { opened } from './world/opened.ts'
import { withRights } from './world/rights.ts'
import { openStraight } from './world/straight.ts'

const { scene, as, close } = await openStraight()
after(close)

const acme = opened(() => scene.company({ name: 'Acme' }))

/** Tried as the company's first admin, who has every right. */
const refused = (statement: string, by: { code?: string; message?: string }) =>
  assert.rejects(
    as(acme.admin, (tx) => tx.unsafe(statement)),
    by,
    statement,
  )
const denied = (statement: string) => refused(statement, { code: '42501' })

describe('a plan year', () => {
  const save = (version: number, settings: object) => async (tx: Tx) => {
    const [saved] = await tx<[{ people: number }]>`
      select save_plan_year(company_id, starts_on, ${version}, ${tx.json(settings)}) as people
      from plan_years`
    return saved.people
  }

  test('is changed by its act alone, which asks for the version that was read', async () => {
    await denied('update plan_years set treatment_cents = 1')
    await denied('update plan_years set version = 7')
    await denied('update plan_years set closed_at = null')
    await denied('delete from plan_years')
    await assert.rejects(as(acme.admin, save(7, {})), { message: 'changed_meanwhile' })
    assert.equal(await as(acme.admin, save(0, { treatment_cents: 60_000 })), 0)
    const plan = await acme.admin.api.funds.plan({})
    assert.deepEqual(
      [plan.version, plan.treatment_cents, plan.prevention_cents],
      [1, 60_000, 20_000],
    )
  })

  test('that is to come gives nobody anything yet', async () => {
    await refused(`select regrant('${acme.id}', '2200-01-01')`, { message: 'not_found' })
    await as(acme.admin, (tx) =>
      tx.unsafe(`insert into plan_years (company_id, starts_on)
        select company_id, ends_on + 1 from plan_years;
        select regrant(company_id, starts_on) from plan_years order by starts_on desc limit 1`),
    )
    const regrants = await scene.sql`select from regrants r join plan_years y
      on y.company_id = r.company_id and y.starts_on = r.plan_year
      where r.company_id = ${acme.id} and y.starts_on > company_today(y.company_id)`
    assert.equal(regrants.length, 0)
  })

  test('that is closed is neither changed nor granted again', async () => {
    await scene.sql`update plan_years set closed_at = now() where company_id = ${acme.id}`
    await assert.rejects(as(acme.admin, save(1, {})), { message: 'plan_year_closed' })
    await refused('select regrant(company_id, starts_on) from plan_years', {
      message: 'plan_year_closed',
    })
  })
})

describe('a group of people who are picked', () => {
  let group: string
  let ben: Person
  const mine = () => scene.sql`select from employee_group_people where person_id = ${acme.admin.id}`
  before(async () => {
    const other = await withRights(scene, acme, 'people')
    ben = await acme.hire('Ben')
    ;({ id: group } = await other.api.groups.add({ name: 'Interns', departments: null }))
    await scene.sql`insert into employee_group_people (company_id, group_id, person_id)
      values (${acme.id}, ${group}, ${acme.admin.id})`
    await other.api.groups.put_person({ id: group, person_id: ben.id })
  })

  test('is left by the act of another alone', async () => {
    await denied('delete from employee_group_people')
    await denied(`insert into employee_group_people (company_id, group_id, person_id)
      select company_id, '${group}', id from profiles where id = '${ben.id}'`)
    for (const act of [
      `take_out_of_group('${acme.id}', '${group}', '${acme.admin.id}')`,
      `put_in_group('${acme.id}', '${group}', '{${acme.admin.id}}')`,
    ])
      await refused(`select ${act}`, { message: 'own_benefit' })
    assert.equal((await mine()).length, 1)
  })

  test('has nobody of them once it goes by department', async () => {
    await as(acme.admin, (tx) => tx`update employee_groups set departments = '{Sales}'`)
    const kept = await scene.sql`select from employee_group_people where group_id = ${group}`
    assert.equal(kept.length, 0)
  })
})

test('a company’s currency stays when money is recorded, whoever writes', async () => {
  const provider = await scene.superAdmin()
  const { id } = await scene.company({ name: 'Settled' })
  const write = (tx: Tx) => tx`update companies set currency = 'CHF' where id = ${id}`
  await as(provider, write)
  await scene.sql`select contribute(id, current_plan_year(id), 100, company_today(id), 'First')
    from companies where id = ${id}`
  await as(provider, write)
  await assert.rejects(
    as(provider, (tx) => tx`update companies set currency = 'EUR' where id = ${id}`),
    { message: 'currency_settled' },
  )
})
