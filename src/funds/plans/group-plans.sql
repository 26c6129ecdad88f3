-- Plans of groups: amounts that differ from the company's plan, who writes them, and which plan
-- counts for whom.

create policy your_companys on group_plans for select using (
  company_id = (select actor_company())
    and (select actor_has('owner', 'people', 'auditor')));
grant select on group_plans to healthfund_request;
create or replace trigger audit after insert or update or delete on group_plans
  for each row execute function audited('id');

-- The plans of groups, with each group and the amounts that replace the company's.
create or replace function private.plans_of_groups(company uuid, own group_plans[])
returns table (id uuid, departments text[], "position" smallint, plan_group text, terms jsonb)
language sql stable
begin atomic
  select g.id, g.departments, o.position, g.name, jsonb_build_object('prevention_cents',
      o.prevention_cents, 'treatment_cents', o.treatment_cents, 'solidarity_cents',
      o.solidarity_cents, 'by_month', o.by_month)
    from unnest(own) o join employee_groups g on g.company_id = company and g.id = o.group_id;
end;

-- The plan that counts for each of these people, and its group if it is not the company's: the
-- first, in the order written, of their groups. In a year that has ended it stays the plan they
-- had, as somebody who changes groups now was elsewhere while that year ran. `moved`: departments
-- that people are to have, by person.
create or replace function private.person_plans(y plan_years, own group_plans[], people uuid[],
  moved jsonb default '{}')
returns table (person_id uuid, plan plan_years, plan_group text)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with own_plans as materialized (
    select o.*, jsonb_populate_record(y, o.terms) as plan
      from private.plans_of_groups(y.company_id, own) o)
  select p.id, case when b.plan_group is null then y else b.plan end, b.plan_group
    from profiles p
    left join lateral (select g.plan_group, true as kept from grants g
      where y.ends_on < private.today_at(y.company_id) and g.company_id = y.company_id
        and g.plan_year = y.starts_on and g.person_id = p.id limit 1) had on true
    left join lateral (select o.plan, o.plan_group from own_plans o
      where case when had.kept then o.plan_group = had.plan_group
        else exists (select from private.matches_group(y.company_id, o.id, o.departments, p.id,
          coalesce(moved ->> p.id::text, p.department))) end
      order by o.position limit 1) b on true
    where p.id = any (people) and p.company_id = y.company_id
$$;

-- The day up to which a year's grants are computed: today, and never earlier than before. `begins`
-- is the year's first day after a move.
create or replace function private.grants_as_of(company uuid, year date, begins date default null)
  returns date
language sql stable
return greatest(private.today_at(company), coalesce(begins, year), (select r.as_of from regrants r
  where r.company_id = company and r.plan_year = year));

-- The group plans in force by now; one from the year's first day moves along with the year.
create or replace function private.counting_plans(company uuid, year date,
  begins date default null) returns group_plans[]
language sql stable
return array(select o from group_plans o where o.company_id = company and o.plan_year = year
  and (o.counts_from <= private.grants_as_of(company, year, begins) or o.counts_from = year)
  order by o.position);

-- Group plans as they are typed, in their order.
create or replace function private.group_plans_from(y plan_years, input jsonb)
  returns group_plans[]
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  own group_plans[] := array(select jsonb_populate_record(null::group_plans, w.one
      || jsonb_build_object('company_id', y.company_id, 'plan_year', y.starts_on,
        'position', w.at))
    from jsonb_array_elements(input) with ordinality w (one, at) order by w.at);
begin
  if exists (select from unnest(own) o where not exists (select from employee_groups g
    where g.company_id = y.company_id and g.id = o.group_id)) then
    perform private.refuse('not_found');
  end if;
  if exists (select from unnest(own) o
    where o.counts_from not between y.starts_on and y.ends_on) then
    perform private.refuse('day_outside_plan_year');
  end if;
  return own;
end $$;

-- Changes of group members share this lock, and changes of group plans hold it alone, so neither
-- misses the other.
create or replace function private.has_group_plans(company uuid) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('group plans of ' || company, 0));
  return exists (select from group_plans o where o.company_id = company);
end $$;

-- Saves all group plans of a year, in their order, if `expected_version` is still the newest. If
-- people have used or hold more than they would be given it answers how many, and writes nothing.
create or replace function save_group_plans(company uuid, year date, expected_version integer,
  input jsonb)
  returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  y plan_years;
  below integer;
begin
  perform private.require_right_at(company, 'owner'),
    pg_advisory_xact_lock(hashtextextended('group plans of ' || company, 0));
  select * into y from plan_years p where p.company_id = company and p.starts_on = year
    for no key update;
  perform private.refuse(case when not found then 'not_found' else year_refusal(y) end);
  if y.groups_version <> expected_version then perform private.refuse('changed_meanwhile'); end if;
  select max(e.people_below_used) into below from plan_effect(company, year, '{}', input) e;
  if below > 0 then return below; end if;
  delete from group_plans o where o.company_id = company and o.plan_year = year
    and o.group_id not in (select w.group_id from unnest(private.group_plans_from(y, input)) w);
  insert into group_plans as o (company_id, plan_year, group_id, position, counts_from,
      prevention_cents, treatment_cents, solidarity_cents, by_month)
    select company, year, w.group_id, w.position, w.counts_from, w.prevention_cents,
        w.treatment_cents, w.solidarity_cents, w.by_month
      from unnest(private.group_plans_from(y, input)) w
    on conflict (company_id, plan_year, group_id) do update set position = excluded.position,
      counts_from = excluded.counts_from, prevention_cents = excluded.prevention_cents,
      treatment_cents = excluded.treatment_cents, solidarity_cents = excluded.solidarity_cents,
      by_month = excluded.by_month
      where (o.position, o.counts_from, o.prevention_cents, o.treatment_cents, o.solidarity_cents,
          o.by_month)
        is distinct from (excluded.position, excluded.counts_from, excluded.prevention_cents,
          excluded.treatment_cents, excluded.solidarity_cents, excluded.by_month);
  update plan_years p set groups_version = groups_version + 1
    where p.company_id = company and p.starts_on = year;
  perform regrant(company, year), publish('admins:' || company);
  return 0;
end $$;

-- A new year begins with the plans of groups of the year before it, from its first day.
create or replace function private.carry_over_group_plans() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into group_plans (company_id, plan_year, group_id, position, counts_from,
      prevention_cents, treatment_cents, solidarity_cents, by_month)
    select new.company_id, new.starts_on, o.group_id, o.position, new.starts_on,
        o.prevention_cents, o.treatment_cents, o.solidarity_cents, o.by_month
      from group_plans o join plan_years y on y.company_id = o.company_id
        and y.starts_on = o.plan_year
      where o.company_id = new.company_id and y.ends_on + 1 = new.starts_on;
  return null;
end $$;
create or replace trigger carry_over_group_plans after insert on plan_years
  for each row execute function private.carry_over_group_plans();

-- Group plans move with their year: a plan from the year's start stays one.
create or replace function private.move_group_plans() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  update group_plans o set counts_from = case when o.counts_from = old.starts_on
      then new.starts_on else least(greatest(o.counts_from, new.starts_on), new.ends_on) end
    where o.company_id = new.company_id and o.plan_year = new.starts_on;
  return null;
end $$;
create or replace trigger move_group_plans after update of starts_on on plan_years
  for each row when (old.starts_on <> new.starts_on)
  execute function private.move_group_plans();

-- A person who is added to a group or removed from it is granted by the plan that counts for them
-- now.
create or replace function private.grant_changed_members() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare of_company record;
begin
  for of_company in select t.company_id, array_agg(distinct t.person_id) as people
    from touched t group by t.company_id order by t.company_id
  loop
    if private.has_group_plans(of_company.company_id) then
      perform private.grant_changed_people(array(select p.id from profiles p
        where p.id = any (of_company.people) and is_active_employee(p.role, p.status)),
        running_only => true);
    end if;
  end loop;
  return null;
end $$;
create or replace trigger plan_of_picked after insert on employee_group_people
  referencing new table as touched
  for each statement execute function private.grant_changed_members();
create or replace trigger plan_of_taken_out after delete on employee_group_people
  referencing old table as touched
  for each statement execute function private.grant_changed_members();

-- Another rule for who is in a group computes all grants again, in the background. Another name
-- renames its plan.
create or replace function private.regrant_group() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  year date;
  last_day date;
begin
  if not private.has_group_plans(new.company_id) then return null; end if;
  for year, last_day in select o.plan_year, y.ends_on from group_plans o join plan_years y
    on y.company_id = o.company_id and y.starts_on = o.plan_year
    where o.company_id = new.company_id and o.group_id = new.id and y.closed_at is null
      and y.starts_on <= private.today_at(y.company_id) order by o.plan_year
  loop
    if old.name <> new.name then
      perform private.lock_pools(new.company_id, year);
      update grants g set plan_group = new.name
        where g.company_id = new.company_id and g.plan_year = year
          and g.plan_group = old.name;
    end if;
    if old.departments is distinct from new.departments
        and last_day >= private.today_at(new.company_id) then
      perform private.regrant_later(new.company_id, year);
    end if;
  end loop;
  return null;
end $$;
create or replace trigger plan_of_group after update of name, departments on employee_groups
  for each row execute function private.regrant_group();

-- Plans of closed years don't keep a group from being removed: the record has them.
create or replace function private.forget_closed_plans() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from group_plans o using plan_years y
    where o.company_id = old.company_id and o.group_id = old.id
      and y.company_id = o.company_id and y.starts_on = o.plan_year and y.closed_at is not null;
  return old;
end $$;
create or replace trigger forget_closed_plans before delete on employee_groups
  for each row execute function private.forget_closed_plans();

grant execute on function save_group_plans to healthfund_request;
