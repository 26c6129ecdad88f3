-- Plan years: who plans them, and which one a day belongs to.

-- The categories of every year, in the order of each list.
create or replace function private.categories()
returns table (category text, nth integer)
language sql immutable
begin atomic
  values ('prevention', 1), ('treatment', 2), ('solidarity', 3);
end;

-- Why a year takes no claims or money any more; null while it does.
create or replace function year_refusal(y plan_years) returns text
language sql immutable
return case when y.closed_at is not null then 'plan_year_closed' end;
grant execute on function year_refusal to healthfund_request;

-- The last day for claims of somebody who has left, or is about to.
create or replace function leaver_filing_ends_on(left_on date, leaver_filing_days integer)
returns date
language sql immutable
return left_on + leaver_filing_days;

-- The last day for claims of a year, for a leaver or for somebody who stays (null). All code that
-- shows or counts that day uses this; it reads no table, so PostgreSQL inlines it.
create or replace function filing_ends_on(ends_on date, filing_days integer, left_on date,
  leaver_filing_days integer)
returns date
language sql immutable
return least(ends_on + filing_days, leaver_filing_ends_on(left_on, leaver_filing_days));

-- Why a year takes no claims on a day: `until` is the last on which it does, for whom it is asked.
create or replace function filing_refusal(y plan_years, until date, today date) returns text
language sql immutable
return coalesce(year_refusal(y), case when today > until then 'filing_days_over' end);
grant execute on function leaver_filing_ends_on, filing_ends_on, filing_refusal
  to healthfund_request;

create policy your_companys_years on plan_years for select using (
  company_id = (select actor_company()) or (select actor_role()) = 'super_admin');
create policy its_admin_adds on plan_years for insert with check (
  company_id = (select actor_company()) and (select actor_has('owner')));
grant select, insert (company_id, starts_on, prevention_cents, treatment_cents, solidarity_cents,
    dependent_cents, dependent_cap_cents, proration, carry_over, carry_over_max_cents, filing_days,
    leaver_filing_days, by_month)
  on plan_years to healthfund_request;
create or replace trigger audit after insert or update or delete on plan_years
  for each row execute function audited('version', 'groups_version');

-- Saves a year's settings, if `expected_version` is still the newest. If people have used or hold
-- more than they would be given it answers how many, and writes nothing.
create or replace function save_plan_year(company uuid, year date, expected_version integer,
  input jsonb)
  returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  y plan_years;
  below integer;
begin
  perform private.require_right_at(company, 'owner');
  select * into y from plan_years p where p.company_id = company and p.starts_on = year
    for no key update;
  perform private.refuse(case when not found then 'not_found' else year_refusal(y) end);
  if y.version <> expected_version then perform private.refuse('changed_meanwhile'); end if;
  select max(e.people_below_used) into below from plan_effect(company, year, input) e;
  if below > 0 then return below; end if;
  y := jsonb_populate_record(y, input);
  update plan_years p set starts_on = y.starts_on, prevention_cents = y.prevention_cents,
      treatment_cents = y.treatment_cents, solidarity_cents = y.solidarity_cents,
      dependent_cents = y.dependent_cents, dependent_cap_cents = y.dependent_cap_cents,
      proration = y.proration, carry_over = y.carry_over,
      carry_over_max_cents = y.carry_over_max_cents, filing_days = y.filing_days,
      leaver_filing_days = y.leaver_filing_days, by_month = y.by_month,
      version = expected_version + 1
    where p.company_id = company and p.starts_on = year;
  perform regrant(company, y.starts_on), publish('admins:' || company);
  return 0;
end $$;

-- The plan year a day belongs to: for a claim, the day of its service.
create or replace function plan_year_of(company uuid, day date) returns date
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select y.starts_on from plan_years y
  where y.company_id = company and private.may_know(company)
    and day between y.starts_on and y.ends_on);

-- The year to show by default: the day's, else the last that began, else the first to come. Without
-- settings of its own, so that PostgreSQL inlines it.
create or replace function year_shown(company uuid, day date) returns setof plan_years
language sql stable
begin atomic
  select * from plan_years y where y.company_id = company
    order by (y.starts_on <= day) desc, case when y.starts_on <= day then y.starts_on end desc,
      y.starts_on limit 1;
end;

create or replace function current_plan_year(company uuid) returns date
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select y.starts_on
  from (select private.today_at(company) as today offset 0) t
    cross join lateral year_shown(company, t.today) y
  where private.may_know(company));

-- A company can plan from its first minute: its first year is the calendar year, until its admin
-- says otherwise.
create or replace function private.add_first_plan_year() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into plan_years (company_id, starts_on, opened_at)
    values (new.id, date_trunc('year', now() at time zone new.time_zone)::date, now());
  return null;
end $$;
create or replace trigger first_plan_year after insert on companies
  for each row execute function private.add_first_plan_year();

-- A year that is moved ahead opens again on its new first day, also for people who came meanwhile.
create or replace function private.reopen_year() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if new.starts_on > private.today_at(new.company_id) then new.opened_at := null; end if;
  return new;
end $$;
create or replace trigger open_again before update of starts_on on plan_years
  for each row when (old.starts_on <> new.starts_on) execute function private.reopen_year();

-- Adds the year after one that is nearly over, with the same plan, unless another has its days.
create or replace function private.plan_next_year(company uuid, today date) returns void
language sql
begin atomic
  insert into plan_years (company_id, starts_on, prevention_cents, treatment_cents,
      solidarity_cents, dependent_cents, dependent_cap_cents, proration, carry_over,
      carry_over_max_cents, filing_days, leaver_filing_days, by_month)
    select l.company_id, l.ends_on + 1, l.prevention_cents, l.treatment_cents, l.solidarity_cents,
        l.dependent_cents, l.dependent_cap_cents, l.proration, l.carry_over, l.carry_over_max_cents,
        l.filing_days, l.leaver_filing_days, l.by_month
      from plan_years l where l.company_id = company and l.ends_on - 60 <= today
      order by l.starts_on desc limit 1
    on conflict do nothing;
end;

create or replace view current_plan_years with (security_invoker) as
  select c.id as company_id, y.starts_on as plan_year, y.ends_on, c.currency
    from companies c
    cross join lateral (select (now() at time zone c.time_zone)::date as today) d
    cross join lateral year_shown(c.id, d.today) y;
comment on view current_plan_years is 'The plan year of each company that runs today, else the last, else the first to come.';
grant select on current_plan_years to healthfund_request;

grant execute on function save_plan_year, plan_year_of, year_shown, current_plan_year
  to healthfund_request;
