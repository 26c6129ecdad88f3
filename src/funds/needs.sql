-- Money of a company that waits for somebody.

create or replace function private.fund_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'adjustment_waits', 1, null::bigint, a.person_id, a.id, null::integer, a.cents,
      a.proposed_at, null::timestamptz, '/dashboard/funds'
    from (select * from balance_adjustments x where x.company_id = p.company_id
      and x.status = 'waiting' order by x.proposed_at, x.id limit 100) a
    where adjustment_refusal('confirm', a::balance_adjustments, p.id) is null
  union all
  select 'grants_wait', w.people::integer, null, null, null, null,
      (w.prevention_cents + w.treatment_cents + w.solidarity_cents)::bigint, null, null,
      '/dashboard/funds'
    from waiting_totals w where w.company_id = p.company_id and w.people > 0
      and w.plan_year = current_plan_year(p.company_id)
  union all
  -- The first contribution: people get none of it before it is in a category.
  select 'money_to_allocate', 1, null, null, null, null, a.balance_cents, null, null,
      '/dashboard/funds'
    from accounts a where a.company_id = p.company_id and a.kind = 'unallocated'
      and a.plan_year = current_plan_year(p.company_id) and a.balance_cents > 0
      and not exists (select from private.fund_totals f where f.company_id = a.company_id
        and f.plan_year = a.plan_year and f.category is not null and f.balance_cents > 0)
$$;
