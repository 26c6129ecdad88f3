// An admin with every right who goes around the server: straight SQL as the login that requests use.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import type { Company } from './scene.ts'
import { openStraight } from './straight-stage.ts'

const { scene, as, close } = await openStraight()
after(close)

let acme: Company
before(async () => {
  acme = await scene.company({ name: 'Acme' })
})

/** As the company's first admin, who has every right. */
const refused = (statement: string, by: { code?: string; message?: string }) =>
  assert.rejects(
    as(acme.admin, (tx) => tx.unsafe(statement)),
    by,
    statement,
  )
const denied = (statement: string) => refused(statement, { code: '42501' })

describe('a plan year', () => {
  const save = (seen: number, settings: object) => async (tx: Tx) => {
    const [saved] = await tx<[{ people: number }]>`
      select save_plan_year(company_id, starts_on, ${seen}, ${tx.json(settings)}) as people
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
    const asked = await scene.sql`select from regrants r join plan_years y
      on y.company_id = r.company_id and y.starts_on = r.plan_year
      where r.company_id = ${acme.id} and y.starts_on > company_today(y.company_id)`
    assert.equal(asked.length, 0)
  })

  test('that is closed is neither changed nor granted again', async () => {
    await scene.sql`update plan_years set closed_at = now() where company_id = ${acme.id}`
    await assert.rejects(as(acme.admin, save(1, {})), { message: 'plan_year_closed' })
    await refused('select regrant(company_id, starts_on) from plan_years', {
      message: 'plan_year_closed',
    })
  })
})
