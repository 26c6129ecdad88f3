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

-- The effect of a file's changes of department, first or last day on people's money, as
-- `private.grant_changed_people` would lower and grant it now: what is on hold for claims stays,
-- and people who wait for a grant are not counted as gaining what they are due already.
create or replace function private.changed_grants(company uuid, import uuid,
  lines integer[] default null)
returns table (line integer, plan_year date, category text, plan_was text, plan_becomes text,
  cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with changed as materialized (
    select r.line, r.becomes ->> 'department' as moved, jsonb_populate_record(p, r.becomes
        || case when r.becomes ? 'left_on' then jsonb_build_object('has_left',
          (r.becomes ->> 'left_on')::date <= private.today_at(company)) else '{}' end) as p
      from import_rows r join profiles p on p.company_id = company and p.id = r.person_id
      where r.company_id = company and r.import_id = import and r.finding = 'changes'
        and (lines is null or r.line = any (lines))
        and r.becomes ?| '{department,joined_on,left_on}' and is_active_employee(p.role, p.status)),
  running as materialized (
    select y, private.counting_plans(company, y.starts_on) as own,
        private.grants_as_of(company, y.starts_on) as as_of
      from plan_years y where y.company_id = company and y.closed_at is null
        and y.starts_on <= private.today_at(company)),
  granted as materialized (
    select c.line, c.p, w.y, w.as_of, k.category, b.plan, b.plan_group,
        coalesce(a.balance_cents, 0) as balance_cents,
        -- Somebody who comes into the year by an earlier first day is put into it first.
        case when g.person_id is null then jsonb_populate_record(null::grants, jsonb_build_object(
            'category', k.category, 'due_cents', 0, 'granted_cents', 0, 'dependents', 0,
            'covered_to', case when (c.p).has_left then (w.y).starts_on - 1 else (c.p).left_on end))
          else g end as held
      from running w
      cross join lateral private.person_plans(w.y, w.own, array(select (x.p).id from changed x),
        coalesce((select jsonb_object_agg((x.p).id, x.moved) from changed x
          where x.moved is not null), '{}')) b
      join changed c on (c.p).id = b.person_id
      cross join private.categories() k
      left join grants g on g.company_id = company and g.plan_year = (w.y).starts_on
        and g.person_id = b.person_id and g.category = k.category
      left join accounts a on a.company_id = company and a.plan_year = (w.y).starts_on
        and a.kind = 'available' and a.person_id = b.person_id and a.category = k.category
      where g.person_id is not null or is_granted(c.p, (w.y).starts_on, (w.y).ends_on)),
  due as (
    select g.*, private.due_of(g.held, g.p, g.plan, g.as_of) as due_cents from granted g)
  select d.line, (d.y).starts_on, d.category, nullif((d.held).plan_group, ''),
      nullif(private.plan_group_of(d.held, d.p, d.plan_group), ''),
      case when d.due_cents < (d.held).granted_cents
        then -least((d.held).granted_cents - d.due_cents, d.balance_cents)
        else greatest(0, d.due_cents - greatest((d.held).due_cents, (d.held).granted_cents)) end
    from due d
$$;

-- The same for these lines of a file, in a sum for each person; nothing of people who keep what
-- they have.
create or replace function import_effects(company uuid, import uuid, lines integer[])
returns table (line integer, plan_was text, plan_becomes text, less_cents bigint,
  more_cents bigint)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select g.line, max(g.plan_was) filter (where g.plan_was is distinct from g.plan_becomes),
      max(g.plan_becomes) filter (where g.plan_was is distinct from g.plan_becomes),
      coalesce(-sum(g.cents) filter (where g.cents < 0), 0)::bigint,
      coalesce(sum(g.cents) filter (where g.cents > 0), 0)::bigint
    from private.changed_grants(company, import, lines) g
    where private.may_know(company) and actor_has('people')
    group by g.line
    having bool_or(g.cents <> 0 or g.plan_was is distinct from g.plan_becomes);
end;

-- The price of a file: its new people's grants now and in the whole plan year; what its changes
-- take and give; and what the pools lack now, since people who wait or are invited come first.
create or replace function import_price(company uuid, import uuid) returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with changed as materialized (
    select * from private.changed_grants(company, import) g where g.cents <> 0),
  of_pool as (
    select g.category, sum(g.cents) as cents from changed g
      where g.plan_year = current_plan_year(company) group by g.category)
  select jsonb_build_object('currency', (select c.currency from companies c where c.id = company),
      'need_cents', coalesce(sum(n.file_cents), 0),
      'year_cents', coalesce(sum(n.file_year_cents), 0),
      'pool_cents', coalesce(sum(n.pool_cents), 0),
      'missing_cents', coalesce(sum(greatest(0, n.file_cents + coalesce(o.cents, 0)
        + n.invited_cents + n.waiting_cents - n.pool_cents)), 0),
      'people_before', coalesce((select h.pending from headcounts h
          where h.company_id = company), 0)
        + coalesce((select w.people from waiting_totals w where w.company_id = company
          and w.plan_year = current_plan_year(company)), 0))
      || (select jsonb_build_object(
          'less_cents', coalesce(-sum(g.cents) filter (where g.cents < 0), 0),
          'people_less', count(distinct g.line) filter (where g.cents < 0),
          'more_cents', coalesce(sum(g.cents) filter (where g.cents > 0), 0),
          'people_more', count(distinct g.line) filter (where g.cents > 0)) from changed g)
    from private.grants_needed(company, import) n
      left join of_pool o on o.category = n.category
    having private.may_know(company) and actor_has('people');
end;
grant execute on function import_price, import_effects to healthfund_request;
