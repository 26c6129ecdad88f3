-- Counting who waits for funds, by three triggers whose statements are planned once per connection. Written
-- anew for each act, planning took longer than the act; and most acts touch nobody who waits or waited.
drop trigger count_waiting_in on grants;
drop trigger count_waiting_on on grants;
drop trigger count_waiting_out on grants;
drop function wall.count_waiting();

do $each$
declare
  way record;
  none constant text := 'select * from grants where false';
begin
  for way in select * from (values
    ('in', 'insert', 'new table as now_is', none, 'select * from now_is'),
    ('on', 'update', 'old table as was new table as now_is', 'select * from was', 'select * from now_is'),
    ('out', 'delete', 'old table as was', 'select * from was', none)) w (name, act, seen, was_rows, now_rows)
  loop
    execute format($function$
create function wall.count_waiting_%1$s() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $count$
begin
  if not exists (select from (%2$s) w where w.due_cents > w.granted_cents)
    and not exists (select from (%3$s) n where n.due_cents > n.granted_cents) then return null; end if;
  with was_rows as materialized (%2$s), now_rows as materialized (%3$s),
  lacking as (
    select company_id, plan_year, category, -(due_cents - granted_cents) as cents
      from was_rows where due_cents > granted_cents
    union all
    select company_id, plan_year, category, due_cents - granted_cents
      from now_rows where due_cents > granted_cents),
  touched as (
    select company_id, plan_year, person_id,
        count(*) filter (where was) as waited, count(*) filter (where not was) as waits
      from (select company_id, plan_year, person_id, true as was from was_rows where due_cents > granted_cents
        union all
        select company_id, plan_year, person_id, false from now_rows where due_cents > granted_cents) both_rows
      group by company_id, plan_year, person_id),
  turned as (
    select t.company_id, t.plan_year, case when n.waits > 0 then 1 else -1 end as people
      from touched t
      cross join lateral (select count(*) as waits from grants g where g.company_id = t.company_id
        and g.plan_year = t.plan_year and g.person_id = t.person_id
        and g.due_cents > g.granted_cents offset 0) n
      where (n.waits > 0) <> (n.waits - t.waits + t.waited > 0)),
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
      solidarity_cents = w.solidarity_cents + excluded.solidarity_cents;
  return null;
end $count$;
revoke execute on function wall.count_waiting_%1$s() from public;
create trigger count_waiting_%1$s after %4$s on grants referencing %5$s
  for each statement execute function wall.count_waiting_%1$s()$function$,
      way.name, way.was_rows, way.now_rows, way.act, way.seen);
  end loop;
end $each$;
