-- Money reports. Read-only, so a standby answers them as well.

-- Each company with its own days: the end of the period there, and its plan year. A company founded
-- later is left out, unless the report is about it alone.
create or replace function private.report_scope(company uuid, from_on date, to_on date)
  returns table (company_id uuid, name text, status text, currency text, time_zone text,
    end_on date, began_at timestamptz, ended_at timestamptz, plan_year date)
language sql stable
begin atomic
  select c.id, c.name, c.status, c.currency, c.time_zone, d.end_on,
      from_on::timestamp at time zone c.time_zone,
      (d.end_on + 1)::timestamp at time zone c.time_zone,
      (select max(y.starts_on) from plan_years y
        where y.company_id = c.id and y.starts_on <= d.end_on)
    from companies c
    cross join lateral (select least(to_on, (now() at time zone c.time_zone)::date) as end_on) d
    where c.id = report_scope.company or report_scope.company is null
      and c.created_at < (d.end_on + 1)::timestamp at time zone c.time_zone;
end;

-- Whether somebody is an employee on a day: as with headcounts, not on their last one any more.
create or replace function private.is_employee_on(role text, account_state text, joined_on date,
  left_on date, day date) returns boolean
language sql immutable
return role = 'employee' and account_state <> 'requested' and joined_on <= day
  and (left_on is null or left_on > day);

-- Transfers of the period, by person; all counts are made from these. A decision and its undo count
-- as nothing, and so does a payment that the bank had returned by the end of the period. At a
-- year's end the same money moves more than once: from people to pools, from pools out, from year
-- to year.
create or replace function private.report_movements(company uuid, from_on date, to_on date)
  returns table (company_id uuid, currency text, month date, category text, event text,
    person_id uuid, entries bigint, cents bigint)
language sql stable
begin atomic
  with scope as materialized (select * from private.report_scope(company, from_on, to_on)),
  undone as materialized (
    select t.company_id, unnest(array[t.id, d.id]) as id
      from transfers t
      join transfers d on d.company_id = t.company_id and d.id = t.undoes
      where t.company_id in (select s.company_id from scope s)
        and t.posted_at >= from_on::timestamptz - interval '1 day'
        and t.posted_at < to_on::timestamptz + interval '3 days'
        and t.event in ('claim_undone', 'release_undone'))
  select s.company_id, s.currency,
      date_trunc('month', t.posted_at at time zone s.time_zone)::date,
      coalesce(o.category, f.category), case
        when t.event = 'year_closed' and o.kind = 'unallocated' then 'pool_closed'
        when t.event = 'carried_over' and f.kind = 'funding' then 'carried_in'
        when t.event = 'carried_over' then 'carried_out' else t.event end, t.person_id,
      count(*), sum(t.amount_cents)::bigint
    from transfers t
    join scope s on s.company_id = t.company_id
    join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
      and f.id = t.from_account
    join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
      and o.id = t.to_account
    where t.posted_at >= from_on::timestamptz - interval '1 day'
      and t.posted_at < to_on::timestamptz + interval '2 days'
      and t.posted_at >= s.began_at and t.posted_at < s.ended_at
      and not exists (select from undone u where u.company_id = t.company_id and u.id = t.id)
      and not exists (select from pay_items i where t.event = 'claim_paid'
        and i.company_id = t.company_id and i.person_id = t.person_id
        and i.run_id = t.run_id
        and i.returned_at < s.ended_at)
    group by 1, 2, 3, 4, 5, 6;
end;

-- Balances at the end, by kind of account; the company's own have no category.
create or replace function private.report_balances(company uuid, from_on date, to_on date)
  returns table (company_id uuid, category text, kind text, cents bigint)
language sql stable
begin atomic
  with scope as materialized (select * from private.report_scope(company, from_on, to_on))
  select s.company_id, f.category, f.kind, sum(f.change_cents)::bigint
    from scope s join private.fund_changes f
      on f.company_id = s.company_id and f.plan_year = s.plan_year and f.day <= s.end_on
    group by 1, 2, 3;
end;

-- The end of each month in the plan year it lay in, from the month in which a company was founded.
create or replace function private.report_month_ends(company uuid, from_on date, to_on date)
  returns table (company_id uuid, currency text, month date, end_on date, plan_year date)
language sql stable
begin atomic
  select s.company_id, s.currency, m.month::date, e.end_on,
      (select max(y.starts_on) from plan_years y
        where y.company_id = s.company_id and y.starts_on <= e.end_on)
    from private.report_scope(company, from_on, to_on) s
    cross join generate_series(from_on, to_on, interval '1 month') m (month)
    cross join lateral (select least((m.month + interval '1 month - 1 day')::date,
      s.end_on) as end_on) e
    where m.month::date <= s.end_on and exists (select from companies c where c.id = s.company_id
      and c.created_at < (e.end_on + 1)::timestamp at time zone s.time_zone);
end;

create or replace function private.report_trend(company uuid, from_on date, to_on date)
  returns table (currency text, month date, category text, allocated bigint, used bigint)
language sql stable
begin atomic
  with month_ends as materialized (
    select * from private.report_month_ends(company, from_on, to_on)),
  change as (
    select f.company_id, f.plan_year, f.category, f.kind,
        date_trunc('month', f.day)::date as month, sum(f.change_cents) as cents
      from private.fund_changes f
      where f.company_id in (select e.company_id from month_ends e) and f.category is not null
      group by 1, 2, 3, 4, 5)
  select e.currency, e.month, c.category, sum(c.cents)::bigint,
      coalesce(sum(c.cents) filter (where c.kind = any (used_kinds())), 0)::bigint
    from month_ends e join change c
      on c.company_id = e.company_id and c.plan_year = e.plan_year and c.month <= e.month
    group by 1, 2, 3;
end;

-- How much of a plan year each person used in each month. An undone or reversed approval adds up to
-- nothing, and has no person.
create or replace function private.report_usage(company uuid, from_on date, to_on date)
  returns table (company_id uuid, plan_year date, category text, person_id uuid, month date,
    cents numeric)
language sql stable
begin atomic
  with scope as materialized (select * from private.report_scope(company, from_on, to_on))
  select s.company_id, t.plan_year, o.category, t.person_id,
      date_trunc('month', t.posted_at at time zone s.time_zone)::date,
      sum(t.amount_cents * ((o.kind = any (used_kinds()))::int
        - (f.kind = any (used_kinds()))::int))
    from scope s
    join transfers t on t.company_id = s.company_id and t.event in ('claim_approved',
      'claim_undone', 'claim_reversed', 'overpaid_written_off', 'written_off_returned')
    join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
      and f.id = t.from_account
    join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
      and o.id = t.to_account
    where t.posted_at < s.ended_at
    group by 1, 2, 3, 4, 5;
end;
