// Lists and counts of claims cost the same, however many claims there are: none reads them all.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { eachReadsBelow, rowsRead, rowsReadBy } from '../../test/rows-read.ts'

const scene = openedScene()
let acme: FundedCompany
let ana: Person
const many = 20_000
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
  await scene.sql`select count(*) from private.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', (array['Iva', 'Marko'])[1 + i % 2] || ' Horvat ' || i,
      null, 'Sales')::private.newcomer from generate_series(1, 500) i), null)`
  await scene.sql`alter table claims disable trigger user, enable trigger numbered`
  await scene.sql`
    with people as (select id, row_number() over () as at, count(*) over () as all from profiles
      where company_id = ${acme.id} and role = 'employee')
    insert into claims (company_id, person_id, category, type_id, type_name, provider, service_on,
      plan_year, bill_cents, amount_cents, approved_cents, status, stage, payment, policy_version, spot_check_draw,
      due_at, overdue)
    select ${acme.id}, p.id, (array['prevention', 'treatment'])[1 + n % 2], ${acme.id}, 'GP visit', 'Clinic',
      ${acme.today}, ${acme.plan_year}, n, n, case when n % 3 = 0 then n end,
      case n % 3 when 0 then 'approved' when 1 then 'pending' else 'rejected' end,
      case n % 3 when 1 then 'first_review' end, case n % 3 when 0 then 'paid' end, 1, 50,
      case n % 3 when 1 then now() + interval '1 day' end, n % 3 = 1 and n % 5 = 0
    from generate_series(1, ${many}) n join people p on p.at = 1 + n % p.all`
  await scene.sql`alter table claims enable trigger user`
  await scene.sql`insert into claim_totals select company_id, status, category, type_id, count(*),
    sum(amount_cents), coalesce(sum(approved_cents), 0), count(*) filter (where overdue)
    from claims group by 1, 2, 3, 4`
  await scene.sql`vacuum analyze`
})

const costs = (acts: (() => Promise<unknown>)[]) => rowsReadBy(scene, ['claims'], acts)

test('the queue: each order and each filter reads a short run per status and category', async () => {
  const { queue } = acme.company.admin.api.review
  const orders = ['oldest', 'newest', 'amount', '-amount'] as const
  const filters = [
    {},
    { status: 'pending' },
    { category: 'treatment' },
    { status: 'approved', category: 'prevention' },
    { overdue: 'true' },
  ] as const
  const pages = orders.flatMap((sort) => filters.map((filter) => ({ ...filter, sort })))
  await eachReadsBelow(scene, ['claims'], 4 * 52, queue, pages)
})

test('the queue: fifty pages cost fifty times the first', async () => {
  const { queue } = acme.company.admin.api.review
  const walk = async () => {
    let after_it: string | undefined
    for (let page = 0; page < 50; page += 1) {
      const { next } = await queue({ sort: 'newest', ...(after_it ? { after: after_it } : {}) })
      after_it = next ?? undefined
    }
  }
  const rows = await costs([walk])
  assert.ok(rows < 50 * 52 * 3, `${rows} rows`)
})

test('the queue: a search reads the claims of whom it finds, or goes in order until the page is full', async () => {
  const { queue } = acme.company.admin.api.review
  const words = ['person77@', 'iva', 'horvat', 'xyzzy', '#77', 'an']
  await eachReadsBelow(
    scene,
    ['claims'],
    20 * 52,
    queue,
    words.map((search) => ({ search })),
  )
})

test('counts are kept: summary and types read no claim', async () => {
  const { review, policies } = acme.company.admin.api
  const rows = await costs([() => review.summary({}), () => policies.types({})])
  assert.ok(rows < 10, `${rows} rows`)
  const { total, overdue } = await review.summary({})
  assert.equal(total, many)
  assert.equal((await review.queue({ overdue: 'true' })).total, overdue)
})

test('one’s own, submitting and deciding read that person’s claims alone', async () => {
  const own = many / 500 + 60
  const all = { category: null, type_id: null, group_id: null }
  const { add } = acme.company.admin.api.limits
  await add({ ...all, kind: 'per_year', cents: 1e9 })
  await add({ ...all, category: 'prevention', kind: 'frequency', claims: 100, months: 120 })
  const rows = await costs([
    () => ana.api.claims.mine({}),
    () => ana.api.claims.my_summary({}),
    () => ana.api.claims.options({}),
    () => acme.claim(ana, { amount_cents: 100 }),
    async () => {
      const { claims } = await acme.company.admin.api.review.queue({
        person_id: ana.id,
        status: 'pending',
        sort: 'newest',
      })
      const { id, version } = claims[0]!
      await acme.company.admin.api.review.find({ id })
      await acme.company.admin.api.review.approve({ id, version })
    },
  ])
  assert.ok(rows < own * 12, `${rows} rows`)
})

test('a page of the statement reads the claims that its entries name, and no others', async () => {
  const { funds } = acme.company.admin.api
  /** Rows read from indexes alone count, too. */
  const read = async () => {
    await rowsRead(scene, 'claims')
    const [found] = await scene.sql<[{ rows: number }]>`
      select sum(idx_tup_read)::bigint as rows from pg_stat_user_indexes where relname = 'claims'`
    return found.rows
  }
  const before_it = await read()
  await funds.statement({ limit: 25 })
  const rows = (await read()) - before_it
  assert.ok(rows < 100, `${rows} rows`)
})
