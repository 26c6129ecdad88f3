-- Money as it is seen: by the provider over all companies, by those who wait for it, by those who are told.

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

-- Contributions are a few among millions of entries.
create index transfers_of_contributions on transfers (company_id, id) where event = 'contribution';

-- Who waits for funds, kept: so that a company of a hundred thousand that wait is summed up as fast as one of ten.
create table waiting_totals (
  company_id       uuid not null,
  plan_year        date not null,
  people           integer not null default 0,
  prevention_cents bigint not null default 0,
  treatment_cents  bigint not null default 0,
  solidarity_cents bigint not null default 0,
  primary key (company_id, plan_year)
);
comment on table waiting_totals is 'How many people of a company wait for funds in a plan year, and for how much of each category. Kept by triggers on grants.';
alter table waiting_totals enable row level security;
create policy your_companys on waiting_totals for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on waiting_totals to healthfund_request;

insert into waiting_totals
  select company_id, plan_year, count(distinct person_id),
      coalesce(sum(due_cents - granted_cents) filter (where category = 'prevention'), 0),
      coalesce(sum(due_cents - granted_cents) filter (where category = 'treatment'), 0),
      coalesce(sum(due_cents - granted_cents) filter (where category = 'solidarity'), 0)
    from grants where due_cents > granted_cents group by company_id, plan_year;

-- Changes of grants meet at the company's own accounts already (wall.lock_pools), so this row is nobody's new wait.
create function wall.count_waiting() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  was_rows text := case when tg_op = 'INSERT' then 'select * from grants where false' else 'select * from was' end;
  now_rows text := case when tg_op = 'DELETE' then 'select * from grants where false' else 'select * from now_is' end;
begin
  execute format($count$
    with was_rows as materialized (%1$s), now_rows as materialized (%2$s),
    lacking as (
      select company_id, plan_year, category, -(due_cents - granted_cents) as cents
        from was_rows where due_cents > granted_cents
      union all
      select company_id, plan_year, category, due_cents - granted_cents
        from now_rows where due_cents > granted_cents),
    touched as (
      select company_id, plan_year, person_id,
          bool_or(waited) as waited, bool_or(waits) as waits
        from (select company_id, plan_year, person_id, due_cents > granted_cents as waited, false as waits
            from was_rows
          union all
          select company_id, plan_year, person_id, false, due_cents > granted_cents from now_rows) both_rows
        group by company_id, plan_year, person_id),
    turned as (
      select company_id, plan_year, case when waits then 1 else -1 end as people from touched t
        where waited <> waits and not exists (
          select from (select * from grants g where g.company_id = t.company_id
              and g.plan_year = t.plan_year and g.person_id = t.person_id
              and g.due_cents > g.granted_cents offset 0) o
            where not exists (select from now_rows n where n.company_id = o.company_id
              and n.plan_year = o.plan_year and n.person_id = o.person_id
              and n.category = o.category))),
    change as (
      select company_id, plan_year, sum(people) as people, sum(p) as p, sum(t) as t, sum(s) as s
        from (select company_id, plan_year, people, 0 as p, 0 as t, 0 as s from turned
          union all
          select company_id, plan_year, 0, case category when 'prevention' then cents else 0 end,
              case category when 'treatment' then cents else 0 end,
              case category when 'solidarity' then cents else 0 end from lacking) c
        group by company_id, plan_year)
    insert into waiting_totals as w
      select * from change c where (c.people, c.p, c.t, c.s) <> (0, 0, 0, 0)
        order by company_id, plan_year
      on conflict (company_id, plan_year) do update set people = w.people + excluded.people,
        prevention_cents = w.prevention_cents + excluded.prevention_cents,
        treatment_cents = w.treatment_cents + excluded.treatment_cents,
        solidarity_cents = w.solidarity_cents + excluded.solidarity_cents$count$, was_rows, now_rows);
  return null;
end $$;
create trigger count_waiting_in after insert on grants referencing new table as now_is
  for each statement execute function wall.count_waiting();
create trigger count_waiting_on after update on grants referencing old table as was new table as now_is
  for each statement execute function wall.count_waiting();
create trigger count_waiting_out after delete on grants referencing old table as was
  for each statement execute function wall.count_waiting();

-- Who is told that money runs out: the seal that passes a mark tells with it, once.
create function wall.tell_alerts() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare alert record;
begin
  for alert in select n.* from new_alerts n order by n.company_id, n.id loop
    if alert.person_id is null then
      perform notify_admins(alert.company_id, 'funds',
        format('%s is %s%% used', initcap(alert.category), alert.percent),
        format('%s%% of what is allocated to %s in this plan year is used. Allocate more or rebalance on Funds.',
          alert.percent, initcap(alert.category)), '/dashboard/funds');
      perform wall.tell_now('admins:' || alert.company_id);
    else
      perform notify_person(alert.person_id, 'funds', format('Your %s fund runs low', initcap(alert.category)),
        format('Less than a fifth of your %s fund is left for this plan year.', initcap(alert.category)),
        '/dashboard/employee');
      perform wall.tell_now('person:' || alert.person_id);
    end if;
  end loop;
  update fund_alerts a set told_at = now() from new_alerts n
    where a.company_id = n.company_id and a.id = n.id;
  return null;
end $$;
create trigger tell_alerts after insert on fund_alerts referencing new table as new_alerts
  for each statement execute function wall.tell_alerts();

revoke execute on function wall.count_waiting(), wall.tell_alerts() from public;
