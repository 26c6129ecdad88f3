-- The provider's figures: what all companies together have, and had.

-- How the headcounts changed, day by day: a past count is today's less what came since.
create table wall.headcount_days (
  day        date not null,
  company_id uuid not null,
  people     integer not null,
  primary key (day, company_id)
);
comment on table wall.headcount_days is 'By how many employees each company grew or shrank on each day (UTC). Kept by a trigger on headcounts.';
alter table wall.headcount_days enable row level security;

create function wall.employees_of(h headcounts) returns integer
language sql immutable return h.pending + h.active + h.suspended + h.has_left;

create function wall.note_growth() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare change integer := wall.employees_of(new)
  - case when tg_op = 'UPDATE' then wall.employees_of(old) else 0 end;
begin
  if change <> 0 then
    insert into wall.headcount_days as d values ((now() at time zone 'UTC')::date, new.company_id, change)
      on conflict (day, company_id) do update set people = d.people + excluded.people;
  end if;
  return null;
end $$;
create trigger note_growth after insert or update on headcounts
  for each row execute function wall.note_growth();

-- Who was there before this was kept came on the day the account was made.
insert into wall.headcount_days
  select (created_at at time zone 'UTC')::date, company_id, count(*) from profiles
    where role = 'employee' and standing <> 'asking' and company_id is not null group by 1, 2;

-- The past of the kept totals, sealed or not.
create view wall.fund_changes as
  select company_id, plan_year, kind, category, day, change_cents from daily_totals
  union all
  select company_id, plan_year, kind, category, day, change_cents from wall.unsealed_changes;
create index daily_totals_by_day on daily_totals (day);

-- The plan year of each company on a day: the one it lies in, else the last that began before.
create function wall.years_on(ago integer) returns table (company_id uuid, currency text, plan_year date, day date)
language sql stable set search_path = public, pg_catalog
begin atomic
  select c.id, c.currency, y.starts_on, d.day
    from companies c
    cross join lateral (select (now() at time zone c.time_zone)::date - ago as day) d
    cross join lateral (select p.starts_on from plan_years p
      where p.company_id = c.id and p.starts_on <= d.day order by p.starts_on desc limit 1) y;
end;

-- Of each currency what is managed and used: now, and as it was that many days ago. What came since is taken
-- off the sums of today, so a year's every day need not be added up.
create function wall.money_on(ago integer)
returns table (currency text, managed_cents bigint, used_cents bigint, companies bigint)
language sql stable set search_path = public, pg_catalog
begin atomic
  with year as materialized (select * from wall.years_on(ago)),
  change as (
    select y.currency, t.kind, t.balance_cents as cents
      from wall.fund_totals t join year y on y.company_id = t.company_id and y.plan_year = t.plan_year
      where t.kind in ('funding', 'payable', 'paid')
    union all
    select y.currency, f.kind, -f.change_cents
      from wall.fund_changes f join year y on y.company_id = f.company_id and y.plan_year = f.plan_year
      where ago > 0 and f.kind in ('funding', 'payable', 'paid') and f.day > y.day
        and f.day > current_date - ago - 2)
  select y.currency,
      coalesce((select -sum(c.cents) from change c where c.currency = y.currency and c.kind = 'funding'), 0)
        ::bigint,
      coalesce((select sum(c.cents) from change c where c.currency = y.currency and c.kind <> 'funding'), 0)
        ::bigint,
      count(*)
    from year y group by y.currency;
end;

-- The four cards of the provider's dashboard.
create function platform_figures(days integer) returns jsonb
language plpgsql stable security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  return jsonb_build_object(
    'days', days,
    'companies', (select count(*) from companies),
    'companies_before', (select count(*) from companies where created_at < now() - make_interval(days => days)),
    'employees', (select coalesce(sum(wall.employees_of(h)), 0) from headcounts h
      where h.company_id in (select id from companies)),
    'employees_since', (select coalesce(sum(people), 0) from wall.headcount_days d
      where d.day > (now() at time zone 'UTC')::date - days
        and d.company_id in (select id from companies)),
    'money', (select coalesce(jsonb_agg(jsonb_build_object('currency', n.currency,
          'managed_cents', n.managed_cents, 'used_cents', n.used_cents, 'companies', n.companies,
          'managed_before_cents', coalesce(b.managed_cents, 0),
          'used_before_cents', coalesce(b.used_cents, 0))
        order by n.companies desc, n.currency), '[]')
      from wall.money_on(0) n left join wall.money_on(days) b on b.currency = n.currency));
end $$;
revoke execute on function wall.employees_of(headcounts), wall.note_growth(), wall.years_on(integer),
  wall.money_on(integer), platform_figures(integer) from public;
grant execute on function platform_figures(integer) to healthfund_request;
