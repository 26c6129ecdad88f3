-- Dependents that a person's Solidarity money covers, from when until when, and what they add to
-- the grant.

-- A child who reaches the age this month is covered until its last day. Born on 29 February:
-- February, too.
create or replace function ages_out_on(relationship text, born_on date, child_age integer)
  returns date
language sql immutable
return case when relationship = 'child' then (date_trunc('month', born_on
  + make_interval(years => child_age)) + interval '1 month' - interval '1 day')::date end;

create or replace function age_on(born_on date, day date) returns integer language sql immutable
return extract(year from day)::int - extract(year from born_on)::int
  - (born_on + make_interval(years => extract(year from day)::int - extract(year from born_on)::int)
      > day)::int;

-- A company's rules about dependents, with defaults; without a company the defaults alone.
create or replace function family_rules_of(company uuid)
returns table (approval_needed boolean, child_age integer)
language sql stable
begin atomic
  select coalesce(r.approval_needed, false), coalesce(r.child_age, 26)
    from (select) one left join family_rules r on r.company_id = company;
end;

-- People who have dependents to add read these rules.
create or replace function my_family_rules()
returns table (approval_needed boolean, child_age integer)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('employee');
  return query select * from family_rules_of(actor_company());
end $$;

create or replace function child_age_of(company uuid) returns integer
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select r.child_age from family_rules_of(company) r where private.may_know(company));

-- The last day of cover that was set or follows from age; null: it goes on.
create or replace function cover_ends_on(dependent dependents, child_age integer) returns date
language sql immutable
return least(dependent.covered_to,
  ages_out_on(dependent.relationship, dependent.born_on, child_age));

-- The last day on which they are covered: never after the person's own.
create or replace function covered_until(dependent dependents, child_age integer, left_on date)
  returns date
language sql immutable
return least(cover_ends_on(dependent, child_age), left_on);

create or replace function cover_state(status text, covered_from date, covered_until date,
  today date)
  returns text
language sql immutable
return case when status <> 'active' then status
  when greatest(today, covered_from) > covered_until then 'ended'
  when today < covered_from then 'upcoming' else 'active' end;

-- Why nobody can be added to the family of an employee now; null while somebody can.
create or replace function family_refusal(left_on date, today date) returns text
language sql immutable
return case when is_after_last_day(today, left_on) then 'last_day_is_over' end;

-- The day from which somebody is covered who is added now, unless another is chosen.
create or replace function new_cover_from(joined_on date, today date) returns date
language sql immutable
return greatest(today, joined_on);

-- The days on which each dependent with approved cover is covered by a person's Solidarity money,
-- while the person is with the company. Without a last day cover goes on.
create or replace function covered_days(company uuid, person uuid)
returns table (dependent_id uuid, covered_from date, covered_to date)
language sql stable
begin atomic
  select d.id, greatest(d.covered_from, p.joined_on),
      covered_until(d, child_age_of(company), p.left_on)
    from dependents d join profiles p on p.company_id = d.company_id and p.id = d.person_id
    where d.company_id = company and d.person_id = person and d.status = 'active';
end;

-- Whether a dependent is covered on a day. Cover that has ended still covers its days.
create or replace function covers(company uuid, person uuid, dependent uuid, day date)
  returns boolean
language sql stable
return exists (
  select from covered_days(company, person) c where c.dependent_id = dependent
    and covers.day between c.covered_from and coalesce(c.covered_to, covers.day));

-- How many dependents count for a plan year: the highest number covered at the same time, up to
-- today and between the person's first and last day. Money given for a cover that ended stays for
-- the year, so that bills of its days can still be claimed, and adding and ending again and again
-- gives no more.
create or replace function private.dependents_in(company uuid, year date, today date, people uuid[])
returns table (person_id uuid, dependents integer)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with spans as materialized (
    select d.person_id, d.id, greatest(d.covered_from, p.joined_on, y.starts_on) as since,
        least(covered_until(d, child_age_of(company), p.left_on), y.ends_on, today) as until
      from dependents d join plan_years y on y.company_id = company and y.starts_on = year
        join profiles p on p.company_id = d.company_id and p.id = d.person_id
      where d.company_id = company and d.status = 'active'
        and (people is null or d.person_id = any (people)))
  select n.person_id, max(n.covered)::int from (
    select a.person_id, a.id, count(*) as covered from spans a
      join spans b on b.person_id = a.person_id and a.since between b.since and b.until
      where a.since <= a.until group by a.person_id, a.id) n
    group by n.person_id
$$;

create or replace function private.cover_dependents(company uuid, people uuid[], today date)
  returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  year date;
  changed uuid[];
  moved integer := 0;
begin
  for year in select y.starts_on from plan_years y where y.company_id = company
    and y.closed_at is null
    and y.starts_on <= today order by y.starts_on
  loop
    changed := array(
      select g.person_id from grants g
        left join private.dependents_in(company, year, today, people) n on n.person_id = g.person_id
        where g.company_id = company and g.plan_year = year and g.category = 'solidarity'
          and (people is null or g.person_id = any (people))
          and g.dependents <> coalesce(n.dependents, 0)
        order by g.person_id limit 1000);
    continue when cardinality(changed) = 0;
    perform private.lock_pools(company, year);
    update grants g set dependents = coalesce(n.dependents, 0)
      from unnest(changed) c (id)
      left join private.dependents_in(company, year, today, changed) n on n.person_id = c.id
      where g.company_id = company and g.plan_year = year and g.person_id = c.id
        and g.category = 'solidarity';
    perform private.regrant_people(company, year, changed), private.grant_soon(company, year);
    moved := moved + cardinality(changed);
  end loop;
  return moved;
end $$;

create or replace function private.cover_family() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.cover_dependents(new.company_id, array[new.person_id],
    private.today_at(new.company_id));
  return null;
end $$;
create or replace trigger cover_them after insert or update of status, relationship, born_on,
  covered_from, covered_to
  on dependents for each row execute function private.cover_family();

-- A person who joins a plan year brings their dependents; the next step of granting pays what is
-- due.
create or replace function private.enroll_dependents() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare of_year record;
begin
  for of_year in
    select a.company_id, a.plan_year, array_agg(distinct a.person_id) as people
      from added a where a.category = 'solidarity' and exists (select from dependents d
        where d.company_id = a.company_id and d.person_id = a.person_id)
      group by 1, 2
  loop
    update grants g set dependents = n.dependents
      from private.dependents_in(of_year.company_id, of_year.plan_year,
        private.today_at(of_year.company_id), of_year.people) n
      where g.company_id = of_year.company_id and g.plan_year = of_year.plan_year
        and g.person_id = n.person_id and g.category = 'solidarity';
  end loop;
  return null;
end $$;
create or replace trigger enroll_dependents after insert on grants referencing new table as added
  for each statement execute function private.enroll_dependents();

grant execute on function ages_out_on, age_on, family_rules_of, my_family_rules, child_age_of,
  cover_ends_on, covered_until, cover_state, family_refusal, new_cover_from,
  covered_days to healthfund_request;
