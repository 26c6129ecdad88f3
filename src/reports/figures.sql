-- What reports on money are made of.

create or replace function private.gather_report(company uuid, from_on date, to_on date)
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  -- Each company with its own days: until when the period goes there, and which plan year that is.
  create temp table scope on commit drop as
    select c.id as company_id, c.name, c.status, c.currency, c.time_zone, d.end_on,
        private.days_off(c.id) as days_off,
        (d.end_on + 1)::timestamp at time zone c.time_zone as ended_at,
        from_on::timestamp at time zone c.time_zone as began_at,
        (select max(y.starts_on) from plan_years y
          where y.company_id = c.id and y.starts_on <= d.end_on) as plan_year,
        (select count(*) from profiles p where p.company_id = c.id and p.role = 'employee'
          and p.standing <> 'asking' and p.joined_on <= d.end_on
          and (p.left_on is null or p.left_on > d.end_on)) as employees
      from companies c
      cross join lateral (select least(to_on, (now() at time zone c.time_zone)::date) as end_on) d
      where gather_report.company is null or c.id = gather_report.company;
  create unique index on scope (company_id);
  analyze scope;

  -- What moved in the period, per person: everything that is counted is counted from here.
  create temp table moved on commit drop as
    select s.company_id, s.currency, date_trunc('month',
      t.posted_at at time zone s.time_zone)::date as month,
        coalesce(o.category, f.category) as category, t.event, t.person_id,
        count(*) as entries, sum(t.amount_cents)::bigint as cents
      from transfers t
      join scope s on s.company_id = t.company_id
      join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
        and f.id = t.from_account
      join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
        and o.id = t.to_account
      where t.posted_at >= from_on::timestamptz - interval '1 day'
        and t.posted_at < to_on::timestamptz + interval '2 days'
        and t.posted_at >= s.began_at and t.posted_at < s.ended_at
      group by 1, 2, 3, 4, 5, 6;

  -- Where the money stood at the end, by kind of account; the company's own have no category.
  create temp table standing on commit drop as
    select s.company_id, s.currency, nullif(f.category, '') as category, f.kind,
        sum(f.change_cents)::bigint as cents
      from scope s join private.fund_changes f
        on f.company_id = s.company_id and f.plan_year = s.plan_year and f.day <= s.end_on
      group by 1, 2, 3, 4;
  perform private.gather_claimants();
end $$;

-- How it went from month to month: what each month ended with, in the plan year it lay in.
create or replace function private.gather_trend(from_on date, to_on date) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  create temp table month_ends on commit drop as
    select s.company_id, s.currency, m.month::date as month, e.end_on,
        (select max(y.starts_on) from plan_years y
          where y.company_id = s.company_id and y.starts_on <= e.end_on) as plan_year
      from scope s
      cross join generate_series(from_on, to_on, interval '1 month') m (month)
      cross join lateral (select least((m.month + interval '1 month - 1 day')::date,
        s.end_on) as end_on) e
      where m.month::date <= s.end_on;

  create temp table trend on commit drop as
    with change as (
      select f.company_id, f.plan_year, f.category, f.kind,
          date_trunc('month', f.day)::date as month, sum(f.change_cents) as cents
        from private.fund_changes f join scope s on s.company_id = f.company_id
        where f.category <> '' group by 1, 2, 3, 4, 5)
    select e.company_id, e.currency, e.month, c.category,
        sum(c.cents)::bigint as allocated,
        coalesce(sum(c.cents) filter (where c.kind in ('payable', 'paid')), 0)::bigint as used
      from month_ends e join change c
        on c.company_id = e.company_id and c.plan_year = e.plan_year and c.month <= e.month
      group by 1, 2, 3, 4;

  create temp table first_used on commit drop as
    select s.company_id, s.currency, t.plan_year, o.category, t.person_id,
        min(date_trunc('month', t.posted_at at time zone s.time_zone))::date as month
      from scope s
      join transfers t on t.company_id = s.company_id and t.event = 'claim_approved'
      join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
        and o.id = t.to_account
      where t.posted_at < s.ended_at
      group by 1, 2, 3, 4, 5;
end $$;
