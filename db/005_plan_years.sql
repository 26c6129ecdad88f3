-- Plan years: twelve months of a company, and what its people are given in them.

create extension if not exists btree_gist schema wall;

create table plan_years (
  company_id            uuid not null references companies on delete restrict,
  starts_on             date not null,
  ends_on               date not null
    generated always as ((starts_on + interval '1 year' - interval '1 day')::date) stored,
  prevention_cents      bigint not null default 20000 check (prevention_cents between 0 and 1e12),
  treatment_cents       bigint not null default 70000 check (treatment_cents between 0 and 1e12),
  solidarity_cents      bigint not null default 10000 check (solidarity_cents between 0 and 1e12),
  dependent_cents       bigint not null default 0 check (dependent_cents between 0 and 1e12),
  dependent_cap_cents   bigint check (dependent_cap_cents between 0 and 1e12),
  proration             text not null default 'full' check (proration in ('full', 'month', 'day')),
  carry_over            text not null default 'none' check (carry_over in ('none', 'up_to', 'all')),
  carry_over_max_cents  bigint check (carry_over_max_cents between 0 and 1e12),
  filing_days           smallint not null default 90 check (filing_days between 0 and 365),
  leaver_filing_days    smallint not null default 90 check (leaver_filing_days between 0 and 365),
  opened_at             timestamptz,
  closed_at             timestamptz,
  created_at            timestamptz not null default now(),
  primary key (company_id, starts_on),
  constraint plan_years_overlap exclude using gist
    (company_id with =, daterange(starts_on, ends_on, '[]') with &&),
  constraint carry_over_needs_a_limit
    check ((carry_over = 'up_to') = (carry_over_max_cents is not null))
);
comment on table plan_years is 'Twelve months of a company and what each person is given in them. Opened when people get their grants, closed when the time to file is over.';

alter table plan_years enable row level security;
create policy your_companys_years on plan_years for select using (
  company_id = (select actor_company()) or (select actor_role()) = 'super_admin');
create policy its_admin_plans on plan_years for update using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
create policy its_admin_adds on plan_years for insert with check (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select, insert (company_id, starts_on, prevention_cents, treatment_cents, solidarity_cents,
    dependent_cents, dependent_cap_cents, proration, carry_over, carry_over_max_cents, filing_days,
    leaver_filing_days),
  update (starts_on, prevention_cents, treatment_cents, solidarity_cents, dependent_cents,
    dependent_cap_cents, proration, carry_over, carry_over_max_cents, filing_days, leaver_filing_days)
  on plan_years to healthfund_request;
create trigger audit after insert or update or delete on plan_years
  for each row execute function audited();

-- The calendar day it is at a company.
create function company_today(company uuid) returns date
language sql stable security definer set search_path = public, pg_catalog
return wall.today_at(company);
grant execute on function company_today(uuid) to healthfund_request;

-- The plan year a day belongs to: for a claim, the day of its service.
create function plan_year_of(company uuid, day date) returns date
language sql stable security definer set search_path = public, pg_catalog
return (select y.starts_on from plan_years y
  where y.company_id = company and day between y.starts_on and y.ends_on);
grant execute on function plan_year_of(uuid, date) to healthfund_request;

-- The year that is shown where nobody says which: today's, else the last that began, else the first to come.
create function current_plan_year(company uuid) returns date
language sql stable security definer set search_path = public, pg_catalog
return (select y.starts_on from plan_years y where y.company_id = company
  order by (y.starts_on <= company_today(company)) desc,
    case when y.starts_on <= company_today(company) then y.starts_on end desc, y.starts_on limit 1);
grant execute on function current_plan_year(uuid) to healthfund_request;

-- A company can plan from its first minute: its first year is the calendar year, until its admin says otherwise.
create function wall.first_plan_year() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  insert into plan_years (company_id, starts_on, opened_at)
    values (new.id, date_trunc('year', now() at time zone new.time_zone)::date, now());
  return null;
end $$;
create trigger first_plan_year after insert on companies
  for each row execute function wall.first_plan_year();

-- The year after the last one, planned like it, once it is near.
create function wall.plan_next_year(company uuid, today date) returns void
language sql set search_path = public, pg_catalog
begin atomic
  insert into plan_years (company_id, starts_on, prevention_cents, treatment_cents, solidarity_cents,
      dependent_cents, dependent_cap_cents, proration, carry_over, carry_over_max_cents, filing_days,
      leaver_filing_days)
    select l.company_id, l.ends_on + 1, l.prevention_cents, l.treatment_cents, l.solidarity_cents,
        l.dependent_cents, l.dependent_cap_cents, l.proration, l.carry_over, l.carry_over_max_cents,
        l.filing_days, l.leaver_filing_days
      from (select * from plan_years where company_id = company order by starts_on desc limit 1) l
      where l.ends_on - 60 <= today;
end;
revoke execute on function wall.plan_next_year(uuid, date), wall.first_plan_year() from public;
