// A year of claims by bulk SQL, as the owner: claims with their events, their money moved and sealed, their counts kept.
import type { Sql, Tx } from '#lib/db.server.ts'

type Company = { id: string; plan_year: string; admin: { id: string } }

const people_at_once = 10_000

/** So many claims of a company's people, the same for everybody: seven of ten approved, most of them paid. */
export async function fillYear(sql: Sql, company: Company, count: number) {
  await sql`alter table claims disable trigger user`
  const [{ people }] = await sql<[{ people: number }]>`
    select count(*) as people from profiles where company_id = ${company.id} and role = 'employee'`
  const each = Math.ceil(count / people)
  let last = '00000000-0000-0000-0000-000000000000'
  for (let done = 0; done < people; done += people_at_once) {
    last = await sql.begin(async (tx) => {
      await tx`set local work_mem = '256MB'`
      await tx`set local synchronous_commit = off`
      const [{ until }] = await tx<[{ until: string }]>`
        with chosen as (select id from profiles where company_id = ${company.id} and role = 'employee'
          and id > ${last}::uuid order by id limit ${people_at_once})
        select max(id::text) as until from chosen`
      await addClaims(tx, company, each, [last, until])
      await addEvents(tx, company)
      await moveMoney(tx, company)
      await tx`select seal_transfers(${company.id}, 100000000)`
      return until
    })
  }
  await sql`
    insert into claim_totals
    select company_id, status, category, type_id, count(*), sum(amount_cents),
      coalesce(sum(approved_cents), 0), count(*) filter (where overdue)
    from claims where company_id = ${company.id} group by 1, 2, 3, 4`
  await sql`alter table claims enable trigger user`
  await sql`delete from graphile_worker._private_jobs where locked_at is null`
  await sql`vacuum analyze`
}

/** Claims are added in the order of their time, as in real life. */
async function addClaims(
  tx: Tx,
  { id, plan_year, admin }: Company,
  each: number,
  people: string[],
) {
  await tx`
    create temp table made on commit drop as
    with type as (select id, name, category, row_number() over (partition by category order by id) as at,
        count(*) over (partition by category) as all from claim_types where company_id = ${id}),
    drawn as (
      select p.id as person_id, n, (row_number() over ())::int as at from profiles p
      cross join generate_series(1, ${each}::int) n
      where p.company_id = ${id} and p.role = 'employee'
        and p.id > ${people[0]!}::uuid and p.id <= ${people[1]!}::uuid),
    sent as (
      select d.*, (array['prevention', 'treatment'])[1 + n % 2] as category,
        500 + d.at::bigint * 7919 % 3000 as cents, (d.at::bigint * 31 % 10)::int as fate,
        now() - (d.at::bigint * 7919 % greatest(1, least(300, current_date - ${plan_year}::date))::int)
          * interval '1 day' - (d.at % 36000) * interval '1 second' as sent_at
      from drawn d)
    select s.*, t.id as type_id, t.name as type_name,
      case when fate < 7 then 'approved' when fate = 7 then 'rejected'
        when fate = 8 and sent_at > now() - interval '40 days' then 'pending'
        when fate = 8 then 'rejected' else 'withdrawn' end as status,
      least(now(), sent_at + (s.at % 6) * interval '20 hours') as decided_at,
      fate < 3 as automatic
    from sent s join type t on t.category = s.category and t.at = 1 + s.at % t.all
    order by sent_at`
  await tx`alter table made add claim_id bigint`
  await tx`update made set claim_id = private.next_number('claims', ${id})`
  await tx`
    insert into claims (company_id, id, person_id, category, type_id, type_name, provider, service_on,
      plan_year, bill_cents, amount_cents, approved_cents, receipts, status, stage, payment, automatic,
      policy_version, spot_check_draw, submitted_at, due_at, reviewed_by, reviewed_at, paid_on, version, overdue)
    select ${id}, claim_id, person_id, category, type_id, type_name, 'Harbour Clinic', sent_at::date,
      ${plan_year}, cents, cents, case status when 'approved' then cents end, 1, status,
      case status when 'pending' then 'first_review' end,
      case when status = 'approved' then case when decided_at < now() - interval '30 days' then 'paid' else 'unpaid' end end,
      automatic and status = 'approved', 1, 50, sent_at,
      case status when 'pending' then sent_at + interval '5 days' end,
      case when status in ('approved', 'rejected') and not automatic then ${admin.id}::uuid end,
      case when status <> 'pending' then decided_at end,
      case when status = 'approved' and decided_at < now() - interval '30 days' then (decided_at + interval '20 days')::date end,
      case status when 'pending' then 1 else 2 end,
      status = 'pending' and sent_at < now() - interval '5 days'
    from made order by claim_id`
}

const trace = JSON.stringify([
  { rule: 'amount', outcome: 'holds', says: 'The amount is at most the bill' },
  { rule: 'available', outcome: 'holds', says: 'There is enough in the fund' },
  { rule: 'receipt', outcome: 'holds', says: 'A receipt is there and was read' },
])

const addEvents = (tx: Tx, { id, admin }: Company) => tx`
  insert into claim_events (company_id, claim_id, number, event, at, by_id, by_role, amount_cents, trace)
  select ${id}::uuid, claim_id, 1, 'submitted', sent_at, person_id, 'employee', cents, ${trace}::json
    from made
  union all
  select ${id}::uuid, claim_id, 2, case when status = 'approved' and automatic then 'approved_by_policy'
      else status end, decided_at,
    case when status = 'withdrawn' then person_id when automatic then null else ${admin.id}::uuid end,
    case when status = 'withdrawn' then 'employee' when automatic then 'system' else 'company_admin' end,
    case status when 'approved' then cents end, null
    from made where status <> 'pending'`

/** Each step of each claim, with both balances as they were after it; the accounts as they are after all. */
async function moveMoney(tx: Tx, { id, plan_year }: Company) {
  await tx`
    insert into accounts (company_id, plan_year, kind, category, person_id)
    select distinct ${id}::uuid, ${plan_year}::date, kind, category, person_id from made
    cross join unnest(array['held', 'payable', 'paid']) kind`
  await tx`
    create temp table step on commit drop as
    with place as (select id, kind, category, person_id from accounts
      where company_id = ${id} and plan_year = ${plan_year} and person_id in (select person_id from made)),
    moved as (
      select m.*, s.event, s.from_kind, s.to_kind, s.moved_at from made m
      cross join lateral (values
        ('claim_held', 'available', 'held', sent_at, true),
        ('claim_approved', 'held', 'payable', decided_at, status = 'approved'),
        ('claim_released', 'held', 'available', decided_at, status in ('rejected', 'withdrawn')),
        ('claim_paid', 'payable', 'paid', decided_at + interval '20 days',
          status = 'approved' and decided_at < now() - interval '30 days')) s (event, from_kind, to_kind, moved_at, is_so)
      where s.is_so)
    select (row_number() over (order by moved_at, claim_id))::int as at, claim_id, m.person_id, event,
      moved_at, cents, f.id as from_account, t.id as to_account
    from moved m
    join place f on f.person_id = m.person_id and f.category = m.category and f.kind = m.from_kind
    join place t on t.person_id = m.person_id and t.category = m.category and t.kind = m.to_kind`
  await tx`
    create temp table after on commit drop as
    select at, account, a.balance_cents + sum(change) over (partition by account order by at)
      as balance_cents
    from (select at, from_account as account, -cents as change from step
      union all select at, to_account, cents from step) e
    join accounts a on a.company_id = ${id} and a.plan_year = ${plan_year} and a.id = e.account`
  await tx`
    with posted as (
      insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, claim_id, person_id, occurred_on, posted_at)
      select ${id}::uuid, ${plan_year}::date, s.from_account, s.to_account, s.cents, f.balance_cents,
        t.balance_cents, s.event, s.event || ' claim ' || s.claim_id || ' 1', s.claim_id, s.person_id,
        s.moved_at::date, s.moved_at
      from step s
      join after f on f.at = s.at and f.account = s.from_account
      join after t on t.at = s.at and t.account = s.to_account
      order by s.at
      returning id)
    insert into unsealed_transfers select ${id}::uuid, id from posted`
  await tx`
    update accounts a set balance_cents = l.balance_cents
    from (select distinct on (account) account, balance_cents from after order by account, at desc) l
    where a.company_id = ${id} and a.plan_year = ${plan_year} and a.id = l.account`
}
