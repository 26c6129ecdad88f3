-- The provider's figures over all companies.

create or replace function private.platform_years(ago integer) returns table (company_id uuid,
  currency text, plan_year date, day date)
language sql stable
begin atomic
  select c.id, c.currency, y.starts_on, d.day
    from companies c
    cross join lateral (select (now() at time zone c.time_zone)::date - ago as day) d
    cross join lateral year_shown(c.id, d.day) y;
end;

-- The money managed and used in each currency, now and that many days ago. Later changes are
-- subtracted from today's sums, so that the days of a year need not be added up.
create or replace function private.platform_money(ago integer)
returns table (currency text, managed_cents bigint, used_cents bigint, companies bigint)
language sql stable
begin atomic
  with year as materialized (select * from private.platform_years(ago)),
  change as (
    select y.currency, t.kind, t.balance_cents as cents
      from private.fund_totals t join year y on y.company_id = t.company_id
        and y.plan_year = t.plan_year
      where t.kind = any (array['funding'] || used_kinds())
    union all
    select y.currency, f.kind, -f.change_cents
      from private.fund_changes f join year y on y.company_id = f.company_id
        and y.plan_year = f.plan_year
      where ago > 0 and f.kind = any (array['funding'] || used_kinds()) and f.day > y.day
        and f.day > current_date - ago - 2)
  select y.currency,
      coalesce((select -sum(c.cents) from change c where c.currency = y.currency
        and c.kind = 'funding'), 0)
        ::bigint,
      coalesce((select sum(c.cents) from change c where c.currency = y.currency
        and c.kind <> 'funding'), 0)
        ::bigint,
      count(*)
    from year y group by y.currency;
end;

-- The four cards of the provider's dashboard.
create or replace function platform_figures(days integer) returns jsonb
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('super_admin');
  return jsonb_build_object(
    'days', days,
    'companies', (select count(*) from companies),
    'companies_before', (select count(*) from companies where created_at
      < now() - make_interval(days => days)),
    'employees', (select coalesce(sum(private.employees_of(h)), 0) from headcounts h
      where h.company_id in (select id from companies)),
    'employees_since', (select coalesce(sum(private.employees_of(h) - coalesce(d.employees, 0)), 0)
      from headcounts h join companies c on c.id = h.company_id
      left join lateral (select x.employees from headcount_days x
        where x.company_id = c.id and x.day <= private.today_at(c.id) - days
        order by x.day desc limit 1) d on true),
    'money', (select coalesce(jsonb_agg(jsonb_build_object('currency', n.currency,
          'managed_cents', n.managed_cents, 'used_cents', n.used_cents, 'companies', n.companies,
          'managed_before_cents', coalesce(b.managed_cents, 0),
          'used_before_cents', coalesce(b.used_cents, 0),
          'percent', case when n.managed_cents > 0
            then percent_of(n.used_cents, n.managed_cents) end,
          'percent_before', case when b.managed_cents > 0
            then percent_of(b.used_cents, b.managed_cents) end)
        order by n.companies desc, n.currency), '[]')
      from private.platform_money(0) n left
        join private.platform_money(days) b on b.currency = n.currency));
end $$;

grant execute on function platform_figures to healthfund_request;
