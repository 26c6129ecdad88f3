-- Money, second reading: what the provider sees of it, who is told of it, and locks in one order.

-- The plan year of each company that is shown where nobody says which (as `current_plan_year`, for all at once).
create view current_plan_years with (security_invoker) as
  select distinct on (y.company_id) y.company_id, y.starts_on as plan_year, y.ends_on, c.currency
    from plan_years y
    join companies c on c.id = y.company_id
    cross join lateral (select (now() at time zone c.time_zone)::date as today) d
    order by y.company_id, (y.starts_on <= d.today) desc,
      case when y.starts_on <= d.today then y.starts_on end desc, y.starts_on;
comment on view current_plan_years is 'The plan year of each company that runs today, else the last, else the first to come.';
grant select on current_plan_years to healthfund_request;
