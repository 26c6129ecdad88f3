-- Working time at a company: Mondays to Fridays in its own time zone, each a whole day, without the
-- public holidays of its country and region. It is counted in days since a Monday long ago.

create policy open_to_all on holiday_places for select using (true);
create policy open_to_all on public_holidays for select using (true);
grant select on holiday_places, public_holidays to healthfund_request;

create or replace function is_weekday(day date) returns boolean language sql immutable
return extract(isodow from day) < 6;

-- The weekdays on which nobody works there, in order.
create or replace function private.days_off(company uuid) returns date[]
language sql stable
return array(select h.on_day from companies c
  join public_holidays h on h.country = c.country and h.region = c.region
  where c.id = company and is_weekday(h.on_day) order by h.on_day);

create or replace function company_days_off(company uuid) returns date[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) then private.days_off(company) end;

-- `days`: since that Monday.
create or replace function working_days_at(local timestamp, days integer, days_off date[])
returns double precision
language sql stable
return days / 7 * 5 + least(days % 7, 5) - width_bucket(local::date - 1, days_off)
  + case when days % 7 < 5 and local::date <> all (days_off)
    then extract(epoch from local::time) / 86400 else 0 end;

-- A function without a query or settings of its own, so that PostgreSQL inlines it into a list's
-- statement.
create or replace function working_days(at timestamptz, zone text, days_off date[])
returns double precision
language sql stable
return working_days_at(at at time zone zone, (at at time zone zone)::date - date '1970-01-05',
  days_off);

-- Working days of the calendar, including the moment's own: until a deadline the count is the same
-- at any hour.
create or replace function working_days_through(at timestamptz, zone text, days_off date[])
returns integer
language sql stable
return working_days_at(((at at time zone zone)::date + 1)::timestamp,
  (at at time zone zone)::date + 1 - date '1970-01-05', days_off)::integer;

create or replace function private.after_working_days(at timestamptz, days double precision,
  zone text, days_off date[])
returns timestamptz language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  total double precision := public.working_days(at, zone, days_off) + days;
  since integer;
  day date;
  weeks integer;
begin
  foreach day in array days_off loop
    since := day - date '1970-01-05';
    exit when since / 7 * 5 + since % 7 > total;
    total := total + 1;
  end loop;
  weeks := floor(total / 5);
  return (date '1970-01-05' + weeks * 7 + (total - weeks * 5) * interval '1 day') at time zone zone;
end $$;

-- Country and region come from an admin; a job reads the holidays, and claims that wait get their
-- deadline by them.
create or replace function set_calendar(country text, region text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner');
  update companies c set country = set_calendar.country, region = set_calendar.region
    where c.id = actor_company()
      and (c.country, c.region) is distinct from (set_calendar.country, set_calendar.region);
  perform add_job('holidays:keep', json_build_object('company_id', actor_company()),
      'holidays:keep ' || actor_company()),
    publish('admins:' || actor_company()), publish('supers');
end $$;

-- The days of one place from the list, for the years that the list was asked for.
create or replace function private.keep_holidays(place holiday_places, days date[], names text[],
  from_day date, until_day date) returns void
language sql
begin atomic
  delete from public_holidays h where h.country = place.country and h.region = place.region
    and h.on_day between from_day and until_day and h.on_day <> all (days);
  insert into public_holidays (country, region, on_day, name)
    select place.country, place.region, d.on_day, d.name
      from unnest(days, names) d (on_day, name)
    on conflict (country, region, on_day) do update set name = excluded.name
      where public_holidays.name <> excluded.name;
  update holiday_places p set kept_list = place.list, kept_until = until_day
    where p.country = place.country and p.region = place.region;
end;

grant execute on function is_weekday, company_days_off, working_days, working_days_at,
  working_days_through, set_calendar
  to healthfund_request;
