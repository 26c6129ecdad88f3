// Every screen asks for needs: they cost the same with twenty thousand claims as with a hundred.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { rowsRead, rowsReadBy } from '../../test/rows-read.ts'

const scene = openedScene()
let acme: FundedCompany
let ana: Person
const many = 20_000
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
  await scene.sql`select count(*) from private.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', 'Iva Horvat ' || i, null, 'Sales')::private.newcomer
    from generate_series(1, 5000) i), null)`
  await scene.sql`alter table claims disable trigger user, enable trigger numbered`
  await scene.sql`
    with people as (select id, row_number() over () as at, count(*) over () as all from profiles
      where company_id = ${acme.id} and role = 'employee')
    insert into claims (company_id, person_id, category, type_id, type_name, provider, service_on,
      plan_year, bill_cents, amount_cents, approved_cents, status, stage, payment, policy_version, spot_check_draw,
      due_at, reviewed_at)
    select ${acme.id}, p.id, 'prevention', ${acme.id}, 'GP visit', 'Clinic', ${acme.today}, ${acme.plan_year},
      n, n, case when n % 3 = 0 then n end,
      case n % 3 when 0 then 'approved' when 1 then 'pending' else 'rejected' end,
      case n % 3 when 1 then (array['first_review', 'further_review'])[1 + n % 2] end,
      case n % 3 when 0 then (array['paid', 'unpaid'])[1 + n % 2] end, 1, 50,
      case n % 3 when 1 then now() + interval '1 day' end,
      case when n % 3 <> 1 then now() - interval '20 days' end
    from generate_series(1, ${many}) n join people p on p.at = 1 + n % p.all`
  await scene.sql`alter table claims enable trigger user`
  await scene.sql`insert into inquiries (full_name, email, company, people, message, answered_at)
    select 'Ida', 'ida@north.test', 'North', 40, 'Please call us', case when n % 50 > 0 then now() end
    from generate_series(1, ${many}) n`
  await scene.sql`vacuum analyze`
})

const tables = [
  'claims',
  'claim_events',
  'profiles',
  'inquiries',
  'accounts',
  'companies',
  'pay_runs',
]
const costs = (...acts: (() => Promise<unknown>)[]) => rowsReadBy(scene, tables, acts)

test('an admin’s is counted to a hundred of a kind and no further', async () => {
  const { admin } = acme.company
  const rows = await costs(() => admin.api.needs.list({}))
  assert.ok(rows < 3000, `${rows} rows`)
  const { lines } = await admin.api.needs.list({})
  assert.deepEqual(
    lines
      .filter(({ items }) => items >= 100)
      .map(({ kind }) => kind)
      .toSorted(),
    ['claim_approved_step', 'claim_submitted', 'payout_to_make'],
  )
})

test('an employee’s reads their own claims, the provider’s what is open', async () => {
  const boss = await scene.superAdmin()
  const own = await costs(() => ana.api.needs.list({}))
  assert.ok(own < 300, `${own} rows of the employee`)
  const rows = await costs(() => boss.api.needs.list({}))
  assert.ok(rows < 1000, `${rows} rows of the provider`)
})

test('whose mails are due is found without reading those of the morning', async () => {
  await scene.sql`select private.notify(array(select p.id from profiles p
    where p.company_id = ${acme.id}), 'join_requested')`
  await scene.sql`vacuum analyze notifications`
  const before_it = await rowsRead(scene, 'notifications')
  await scene.sql`select private.due_digests(now(), 200)`
  const rows = (await rowsRead(scene, 'notifications')) - before_it
  assert.ok(rows < 50, `${rows} rows`)
})
