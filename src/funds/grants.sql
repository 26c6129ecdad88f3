-- Each person's grants for a plan year, and the people who wait for them.

create policy your_own_and_your_companys on grants for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_id()) or (select actor_has('finance', 'people', 'auditor'))));
grant select on grants to healthfund_request;

-- The grant of a category for a full year, by the plan.
create or replace function full_grant(plan plan_years, category text, dependents integer)
  returns bigint
language sql immutable
return case category
  when 'prevention' then plan.prevention_cents
  when 'treatment' then plan.treatment_cents
  else plan.solidarity_cents + least(plan.dependent_cents * dependents,
    coalesce(plan.dependent_cap_cents, plan.dependent_cents * dependents)) end;

-- The days on which a year's months begin.
create or replace function private.months_of(plan plan_years) returns setof date
language sql immutable
begin atomic
  select (plan.starts_on + make_interval(months => m))::date from generate_series(0, 11) m;
end;

-- The part of a full grant for a person covered from this day: the month of the day, and all after
-- it. Somebody covered only after the year's end is due nothing.
create or replace function grant_due(plan plan_years, category text, covered_from date,
  dependents integer)
returns bigint language sql immutable
return case
  when covered_from > plan.ends_on then 0
  when plan.proration = 'full' or covered_from <= plan.starts_on then
    full_grant(plan, category, dependents)
  when plan.proration = 'month' then round(full_grant(plan, category, dependents)
    * (1 + (select count(*) from private.months_of(plan) m (day) where m.day > covered_from))
    / 12.0)
  else round(full_grant(plan, category, dependents)::numeric
    * (plan.ends_on - covered_from + 1) / (plan.ends_on - plan.starts_on + 1)) end::bigint;

-- The extra of one covered dependent in a plan year: a share of it for whoever joined in that year.
create or replace function dependent_share(company uuid, year date, joined_on date) returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select grant_due(y, 'solidarity', greatest(dependent_share.joined_on, y.starts_on), 1)
    - grant_due(y, 'solidarity', greatest(dependent_share.joined_on, y.starts_on), 0)
  from plan_years y where y.company_id = company and y.starts_on = year
    and private.may_know(company));
grant execute on function dependent_share to healthfund_request;

-- The part of a grant that is due by a day, if the plan is by month: all but the twelfths of months
-- that have not begun. Subtracting those makes the twelfths add up to the year to the cent; a
-- joiner gets the part of their first month, and a twelfth with each month after it.
create or replace function private.due_by(plan plan_years, category text, covered_from date,
  dependents integer, as_of date)
returns bigint language sql immutable
return case when not plan.by_month then grant_due(plan, category, covered_from, dependents)
  else greatest(0, grant_due(plan, category, covered_from, dependents)
    - full_grant(plan, category, dependents)
    + round(full_grant(plan, category, dependents)
      * (select count(*) from private.months_of(plan) m (day) where m.day <= as_of) / 12.0))
  end::bigint;

-- Whether somebody is an employee who can use what they are granted.
create or replace function is_active_employee(role text, status text) returns boolean
language sql immutable
return role = 'employee' and status = 'active';

-- Whether a person is granted money for a plan year of their company, as they are now.
create or replace function is_granted(p profiles, starts_on date, ends_on date)
returns boolean
language sql immutable
return is_active_employee(p.role, p.status) and p.erased_at is null
  and p.joined_on <= is_granted.ends_on
  and (p.left_on is null or p.left_on >= is_granted.starts_on);
grant execute on function is_active_employee, is_granted to healthfund_request;

-- Puts active employees among these people into a plan year: their grants become due and their
-- accounts are opened. Two batches that enroll the same people hold the company's accounts one
-- after the other. A last day that has come by then stands as one before the year until they are
-- due again: like a corrected one, it is given what the year gives (`private.due_of`).
create or replace function private.enroll(company uuid, year date, people uuid[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  y plan_years;
  as_of constant date := private.grants_as_of(company, year);
begin
  perform private.lock_pools(company, year);
  select * into y from plan_years where company_id = company and starts_on = year;
  insert into grants (company_id, plan_year, person_id, category, covered_from, covered_to,
    plan_group, due_cents)
    select company, year, p.id, c.category, greatest(p.joined_on, year),
        case when p.has_left then year - 1 else p.left_on end, assigned.plan_group,
        private.due_by(assigned.plan, c.category, greatest(p.joined_on, year), 0, as_of)
      from private.person_plans(y, private.counting_plans(company, year), people) assigned
      cross join lateral (select * from profiles x where x.id = assigned.person_id
        and x.company_id = company and is_granted(x, y.starts_on, y.ends_on) offset 0) p
      cross join private.categories() c
    on conflict do nothing;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    select company, year, 'available', g.category, g.person_id
      from unnest(people) chosen (id)
      cross join lateral (select * from grants x where x.company_id = company and x.plan_year = year
        and x.person_id = chosen.id offset 0) g
    on conflict do nothing;
end $$;

-- Everything that grants or takes back locks the company's own accounts of the year first, so
-- grants are made one at a time.
create or replace function private.lock_pools(company uuid, year date) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select from accounts where company_id = company and plan_year = year and person_id is null
    order by id for no key update
$$;

-- Grants what is due to at most `people_max` people, in order of joining. The first person whom a
-- pool can't cover gets nothing and ends the run, so nobody overtakes. Answers how many people were
-- granted.
create or replace function private.grant_waiting(company uuid, year date, people_max integer)
  returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  alike record;
  people integer := 0;
begin
  perform private.lock_pools(company, year);
  for alike in with line as materialized (
    select g.covered_from, g.person_id from grants g
      where g.company_id = company and g.plan_year = year and g.due_cents > g.granted_cents
      group by g.covered_from, g.person_id order by g.covered_from, g.person_id limit people_max),
  due as materialized (
    select g.covered_from, g.person_id, g.category, g.changes, g.plan_group, p.id as pool,
        g.due_cents - g.granted_cents as cents,
        p.balance_cents - sum(g.due_cents - g.granted_cents)
          over (partition by g.category order by g.covered_from, g.person_id) as pool_after
      from line l
      cross join lateral (select * from grants n where n.company_id = company and n.plan_year = year
        and n.person_id = l.person_id and n.due_cents > n.granted_cents offset 0) g
      join accounts p on p.company_id = company and p.plan_year = year and p.kind = 'pool'
        and p.category = g.category and p.person_id is null),
  uncovered as (
    select w.covered_from, w.person_id from due w where w.pool_after < 0
      order by w.covered_from, w.person_id limit 1),
  granted as materialized (
    select w.* from due w left join uncovered u on true
      where u.person_id is null or (w.covered_from, w.person_id) < (u.covered_from, u.person_id)),
  -- All of their accounts are locked before any of them moves, in the order of locks.
  locked as materialized (
    select a.id, a.person_id, a.category from granted w
      join accounts a on a.company_id = company and a.plan_year = year
        and a.person_id = w.person_id and a.kind = 'available' and a.category = w.category
      order by a.id for no key update of a),
  noted as (
    update grants g set granted_cents = g.granted_cents + w.cents, changes = g.changes + 1
      from granted w
      where g.company_id = company and g.plan_year = year and g.person_id = w.person_id
        and g.category = w.category)
  select w.plan_group, count(distinct w.person_id) as people, array_agg((w.pool, a.id, w.cents,
      private.origin(concat_ws(' ', 'grant', year, w.person_id, w.category, w.changes)),
        w.person_id)::private.posting
      order by w.covered_from, w.person_id, w.category) as postings,
      array_agg((w.pool, a.id, w.cents, null, w.person_id)::private.posting)
        filter (where w.changes > 0) as raised
    from granted w join locked a on a.person_id = w.person_id and a.category = w.category
    group by w.plan_group order by w.plan_group nulls first
  loop
    people := people + alike.people;
    perform transfer_all(company, year, 'grant', alike.postings,
      private.plan_note(alike.plan_group));
    perform private.notify_of_allowances(company, year, '{}', alike.raised)
      where alike.raised is not null;
  end loop;
  return people;
end $$;

-- Grants as many as can be granted at once after money or people came in; the rest follows in the
-- background. (A person with two plans is counted once for each.)
create or replace function private.grant_soon(company uuid, year date) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if private.grant_waiting(company, year, 200) >= 200 then
    perform add_job('funds:grant', json_build_object('company_id', company, 'plan_year', year),
      concat_ws(' ', 'funds:grant', company, year));
  end if;
end $$;

-- Grants of employees who became active, or whose first or last day changed, follow at once; those
-- of many in the background. `running_only`: they only changed group or department, which changes
-- nothing of a year that has ended.
create or replace function private.grant_changed_people(people uuid[], running_only boolean)
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare of_year record;
begin
  for of_year in
    select p.company_id, y.starts_on, array_agg(p.id) as people
      from unnest(people) chosen (id) join profiles p on p.id = chosen.id
      join plan_years y on y.company_id = p.company_id and y.closed_at is null
        and y.starts_on <= private.today_at(p.company_id)
        and (not running_only or y.ends_on >= private.today_at(p.company_id))
      group by p.company_id, y.starts_on order by p.company_id, y.starts_on
  loop
    if not running_only then -- a last day is the last of dependents, too
      perform private.cover_dependents(of_year.company_id, of_year.people,
        private.today_at(of_year.company_id));
    end if;
    if cardinality(of_year.people) > 100 then
      perform private.regrant_later(of_year.company_id, of_year.starts_on);
    else
      perform private.enroll(of_year.company_id, of_year.starts_on, of_year.people),
        private.regrant_people(of_year.company_id, of_year.starts_on, of_year.people),
        private.grant_soon(of_year.company_id, of_year.starts_on);
    end if;
  end loop;
end $$;

create or replace function private.grant_added_profiles() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.grant_changed_people(array(
    select id from added where is_active_employee(role, status) and company_id is not null),
    running_only => false);
  return null;
end $$;
create or replace trigger join_funds after insert on profiles referencing new table as added
  for each statement execute function private.grant_added_profiles();

-- A person who is no longer an active employee leaves the line for funds. Their due is kept, so
-- they are back in their place when they return.
create or replace function private.leave_waiting_list(people uuid[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare of_year record;
begin
  for of_year in select g.company_id, g.plan_year, array_agg(distinct g.person_id) as people
    from unnest(people) chosen (id) join profiles p on p.id = chosen.id
    join grants g on g.company_id = p.company_id and g.person_id = p.id
    where g.due_cents > g.granted_cents
    group by g.company_id, g.plan_year order by g.company_id, g.plan_year
  loop
    perform private.lock_pools(of_year.company_id, of_year.plan_year);
    update grants g set due_cents = g.granted_cents
      where g.company_id = of_year.company_id and g.plan_year = of_year.plan_year
        and g.person_id = any (of_year.people) and g.due_cents > g.granted_cents;
    perform private.grant_soon(of_year.company_id, of_year.plan_year);
  end loop;
end $$;

create or replace function private.grant_changed_profiles() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  of_kind record;
  stopped constant uuid[] := array(select n.id from now_is n join was o on o.id = n.id
    where is_active_employee(o.role, o.status) and not is_active_employee(n.role, n.status));
begin
  for of_kind in select c.moved, array_agg(c.id) as people from (
      select n.id, (o.role, o.status, o.company_id, o.joined_on, o.left_on, o.has_left)
          is not distinct from (n.role, n.status, n.company_id, n.joined_on, n.left_on,
            n.has_left) as moved, o.department is distinct from n.department as elsewhere,
          n.company_id
        from now_is n join was o on o.id = n.id
        where is_active_employee(n.role, n.status) and n.company_id is not null) c
    where not c.moved or c.elsewhere and private.has_group_plans(c.company_id)
    group by c.moved order by c.moved
  loop
    perform private.grant_changed_people(of_kind.people, running_only => of_kind.moved);
  end loop;
  perform private.leave_waiting_list(stopped) where cardinality(stopped) > 0;
  return null;
end $$;
create or replace trigger join_funds_later after update on profiles
  referencing old table as was new table as now_is
  for each statement execute function private.grant_changed_profiles();

-- Tells open screens that their person's grants have changed.
create or replace function private.publish_changed_grants() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform publish('person:' || person_id) from (select distinct person_id from changed) c;
  return null;
end $$;
create or replace trigger publish_changed_grants after update on grants
  referencing new table as changed
  for each statement execute function private.publish_changed_grants();
