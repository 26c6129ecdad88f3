// Background work of one company goes on while another's rows are broken.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { countClaims } from '#claims/jobs.server.ts'
import { keepFamilies } from '#dependents/jobs.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { keepYears, notifyOfExpiry, sealTransfers } from './jobs.server.ts'

type One = { stage: FundedCompany; person: Person }

const scene = openedScene()
let broken: One
let sound: One
before(async () => {
  const both: One[] = []
  for (let times = 0; times < 2; times += 1) {
    const stage = await fundedCompany(scene)
    both.push({ stage, person: await stage.hire() })
  }
  // Companies have their turn in the order of their ids.
  ;[broken, sound] = both.toSorted((a, b) => (a.stage.id < b.stage.id ? -1 : 1)) as [One, One]
  await scene.sql`create function private.break_one() returns trigger language plpgsql as $$
    begin raise exception 'this company is broken'; end $$`
})

/** Makes writes of such a row of the broken company fail. */
const breaks = (write: 'insert' | 'update', table: string, key = 'company_id') => {
  const its = key === 'company_id' ? broken.stage.id : broken.person.id
  return scene.sql.unsafe(`create trigger a_break before ${write} on ${table} for each row
    when (new.${key} = '${its}') execute function private.break_one()`)
}

/** The job says at its end that it failed, and the log for whom. */
async function fails(task: Task) {
  const logged: { one: object }[] = []
  const log = { error: (what: { one: object }) => logged.push(what) } as never
  await assert.rejects(task({}, { sql: scene.sql, log }), /this company is broken/)
  assert.deepEqual(
    logged.map(({ one }) => Object.values(one).includes(broken.stage.id)),
    [true],
  )
}

test('a year opens in the next company', async () => {
  await scene.sql`update plan_years set opened_at = null`
  await scene.sql`delete from regrants`
  await breaks('insert', 'regrants')
  await fails(keepYears)
  const queued = await scene.sql<{ company_id: string }[]>`
    select company_id from regrants where plan_year = ${sound.stage.plan_year}`
  assert.deepEqual(queued, [{ company_id: sound.stage.id }])
})

test('what moved is sealed, and claims are counted', async () => {
  for (const { stage, person } of [broken, sound]) await stage.claim(person)
  await breaks('insert', 'transfer_seals')
  await fails(sealTransfers)
  const unsealed = await scene.sql<{ company_id: string }[]>`
    select distinct company_id from unsealed_transfers`
  assert.deepEqual(unsealed, [{ company_id: broken.stage.id }])
  await breaks('insert', 'claim_totals')
  await fails(countClaims)
  const uncounted = await scene.sql<{ company_id: string }[]>`
    select distinct company_id from claim_changes`
  assert.deepEqual(uncounted, [{ company_id: broken.stage.id }])
})

test('families are kept', async () => {
  await scene.sql`update grants set dependents = 1 where category = 'solidarity'`
  await breaks('update', 'grants')
  await fails(keepFamilies)
  const [kept] = await scene.sql<[{ dependents: number }]>`
    select max(dependents) as dependents from grants where company_id = ${sound.stage.id}`
  assert.equal(kept.dependents, 0)
})

test('what expires is told', async () => {
  const people = [broken, sound].map(({ person }) => person.id)
  await scene.sql`drop trigger a_break on grants`
  await scene.sql`update profiles set left_on = private.today_at(company_id) + 10
    where id = any (${people}::uuid[])`
  await breaks('insert', 'notifications', 'person_id')
  await fails(notifyOfExpiry)
  const notices = await scene.sql`select from notifications
    where person_id = ${sound.person.id} and code = 'money_expires'`
  assert.equal(notices.length, 1)
})
