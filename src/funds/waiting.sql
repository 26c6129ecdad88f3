-- Totals of people who wait for funds, kept by triggers: reading them costs a company of a hundred
-- thousand no more than one of ten.

create policy your_companys on waiting_totals for select to healthfund_request using (
  company_id = (select actor_company()) and (select actor_has('finance', 'people', 'auditor')));
grant select on waiting_totals to healthfund_request;

-- Counts people who lacked funds before an act and who do after it. Changes of grants wait for the
-- company's own accounts already (private.lock_pools), so locking the totals adds no wait.
create or replace function private.count_waiting(lacking private.lack[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if cardinality(lacking) = 0 then return; end if;
  with touched as (
    select company_id, plan_year, person_id,
        count(*) filter (where before) as waited, count(*) filter (where not before) as waits
      from unnest(lacking) group by company_id, plan_year, person_id),
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
            case category when 'solidarity' then cents else 0 end
          from (select company_id, plan_year, category, case when before then -cents else cents
            end as cents
            from unnest(lacking)) l) c
      group by company_id, plan_year)
  insert into waiting_totals as w (company_id, plan_year, people, prevention_cents,
      treatment_cents, solidarity_cents)
    select c.company_id, c.plan_year, c.people, c.p, c.t, c.s from change c
      where (c.people, c.p, c.t, c.s) <> (0, 0, 0, 0)
      order by company_id, plan_year
    on conflict (company_id, plan_year) do update set people = w.people + excluded.people,
      prevention_cents = w.prevention_cents + excluded.prevention_cents,
      treatment_cents = w.treatment_cents + excluded.treatment_cents,
      solidarity_cents = w.solidarity_cents + excluded.solidarity_cents;
end $$;

-- Three triggers: a statement that names a transition table which is not there can't be planned
-- once and kept.
create or replace function private.count_waiting_after_insert() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_waiting(array(
    select (company_id, plan_year, person_id, category, due_cents - granted_cents,
      false)::private.lack
      from now_is where due_cents > granted_cents));
  return null;
end $$;
create or replace trigger count_waiting_after_insert after insert on grants
  referencing new table as now_is
  for each statement execute function private.count_waiting_after_insert();

create or replace function private.count_waiting_after_update() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_waiting(array(
    select (company_id, plan_year, person_id, category, due_cents - granted_cents,
      true)::private.lack
      from was where due_cents > granted_cents
    union all
    select (company_id, plan_year, person_id, category, due_cents - granted_cents,
      false)::private.lack
      from now_is where due_cents > granted_cents));
  return null;
end $$;
create or replace trigger count_waiting_after_update after update on grants
  referencing old table as was new table as now_is
  for each statement execute function private.count_waiting_after_update();

create or replace function private.count_waiting_after_delete() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_waiting(array(
    select (company_id, plan_year, person_id, category, due_cents - granted_cents,
      true)::private.lack
      from was where due_cents > granted_cents));
  return null;
end $$;
create or replace trigger count_waiting_after_delete after delete on grants
  referencing old table as was
  for each statement execute function private.count_waiting_after_delete();
