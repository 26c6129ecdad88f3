-- The money for people who are to come, and how much of it is missing.

-- Grants by the plan and each person's first day, as `private.enroll` would make them now: for a
-- file's new people, if there is a file, and for invited people. People who already wait for a
-- grant come first. For the file also the whole plan year's, which are more if grants come by
-- month.
create or replace function private.grants_needed(company uuid, import uuid)
returns table (category text, pool_cents bigint, file_cents bigint, file_year_cents bigint,
  invited_cents bigint, waiting_cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp
begin atomic
  with own_plans as materialized (
    select o.*, jsonb_populate_record(y, o.terms) as plan from plan_years y
      cross join private.plans_of_groups(company, private.counting_plans(company, y.starts_on)) o
      where y.company_id = company and y.starts_on = current_plan_year(company)),
  coming as (
    select null::uuid as person, r.department, r.joined_on, true as is_new from import_rows r
      where r.company_id = company and r.import_id = import and r.finding = 'fresh'
    union all select p.id, p.department, p.joined_on, false from profiles p
      where p.company_id = company and p.account_state = 'pending' and p.role = 'employee'),
  alike as materialized (
    select b.position, coalesce(c.joined_on, (select private.today_at(company))) as covered_from,
        count(*) filter (where c.is_new) as people, count(*) filter (where not c.is_new) as invited
      from coming c
        left join lateral (select o.position from own_plans o
          where exists (select from private.matches_group(company, o.id, o.departments, c.person,
            c.department)) order by o.position limit 1) b on true
      group by 1, 2)
  select k.category, coalesce(f.free_cents, 0), coalesce(sum(a.people * d.cents), 0)::bigint,
      coalesce(sum(a.people * d.year_cents), 0)::bigint,
      coalesce(sum(a.invited * d.cents), 0)::bigint, coalesce(case k.category
        when 'prevention' then w.prevention_cents when 'treatment' then w.treatment_cents
        else w.solidarity_cents end, 0)
    from plan_years y cross join private.categories() k
      left join category_funds f on f.company_id = company and f.plan_year = y.starts_on
        and f.category = k.category
      left join waiting_totals w on w.company_id = company and w.plan_year = y.starts_on
      left join alike a on true
      left join own_plans o on o.position = a.position
      left join lateral (select case when o.position is null then y else o.plan end as plan,
        greatest(a.covered_from, y.starts_on) as covered_from) t on true
      left join lateral (select private.due_by(t.plan, k.category, t.covered_from, 0,
          private.grants_as_of(company, y.starts_on)) as cents,
        grant_due(t.plan, k.category, t.covered_from, 0) as year_cents) d on true
    where y.company_id = company and y.starts_on = current_plan_year(company)
    group by k.category, f.free_cents, w.prevention_cents, w.treatment_cents, w.solidarity_cents;
end;

-- The price of a file: its new people's grants now and in the whole plan year, and what the pools
-- lack now, since people who wait or are invited come first.
create or replace function import_price(company uuid, import uuid) returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select jsonb_build_object('currency', (select c.currency from companies c where c.id = company),
      'need_cents', coalesce(sum(n.file_cents), 0),
      'year_cents', coalesce(sum(n.file_year_cents), 0),
      'pool_cents', coalesce(sum(n.pool_cents), 0),
      'missing_cents', coalesce(sum(greatest(0,
        n.file_cents + n.invited_cents + n.waiting_cents - n.pool_cents)), 0),
      'people_before', coalesce((select h.pending from headcounts h
          where h.company_id = company), 0)
        + coalesce((select w.people from waiting_totals w where w.company_id = company
          and w.plan_year = current_plan_year(company)), 0))
    from private.grants_needed(company, import) n
    having private.may_know(company) and actor_has('people');
end;
grant execute on function import_price to healthfund_request;
