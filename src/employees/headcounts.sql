-- Counts of people, kept by triggers: a list, its count and its summary read the same rows.

create policy your_companys on headcounts for select using (
  company_id = (select actor_for_company()) or (select actor_role()) = 'super_admin');
grant select on headcounts to healthfund_request;

create policy your_companys on departments for select using (
  company_id = (select actor_for_company()));
grant select on departments to healthfund_request;

create policy your_companys on headcount_days for select using (
  company_id = (select actor_for_company()) or (select actor_role()) = 'super_admin');
grant select on headcount_days to healthfund_request;

-- The writer of a headcount holds its row already, so a row for each day makes nobody wait longer.
create or replace function private.note_headcount() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into headcount_days as d (company_id, day, employees)
    select new.company_id, private.today_at(new.company_id), private.employees_of(new)
      where exists (select from companies c where c.id = new.company_id)
    on conflict (company_id, day) do update set employees = excluded.employees;
  return null;
end $$;
create or replace trigger note_headcount after insert or update of pending, active, suspended
  on headcounts
  for each row execute function private.note_headcount();

-- People who work there, without leavers whose claims may still come.
create or replace function private.employees_of(h headcounts) returns integer
language sql immutable return h.pending + h.active + h.suspended;

-- Adds changes of people to the counts, once for each kind: how many more or fewer a company has.
-- All take the rows in one order.
create or replace function private.count_people(changes private.people_change[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into headcounts as h (company_id, requested, pending, active, suspended, leavers,
      admins_pending, admins_active, admins_suspended, supers_pending, supers_active,
      supers_suspended)
    select * from (
      select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id,
        coalesce(sum(change) filter (where account_state = 'requested'), 0) as requested,
        coalesce(sum(change) filter (where role = 'employee' and account_state = 'pending'),
          0) as pending,
        coalesce(sum(change) filter (where role = 'employee' and account_state = 'active'),
          0) as active,
        coalesce(sum(change) filter (where role = 'employee' and account_state = 'suspended'),
          0) as suspended,
        coalesce(sum(change) filter (where role = 'employee' and account_state = 'left'),
          0) as leavers,
        coalesce(sum(change) filter (where role = 'company_admin' and account_state = 'pending'),
          0) as admins_pending,
        coalesce(sum(change) filter (where role = 'company_admin' and status = 'active'),
          0) as admins_active,
        coalesce(sum(change) filter (where role = 'company_admin' and account_state = 'suspended'),
          0) as admins_suspended,
        coalesce(sum(change) filter (where role = 'super_admin' and account_state = 'pending'),
          0) as supers_pending,
        coalesce(sum(change) filter (where role = 'super_admin' and status = 'active'),
          0) as supers_active,
        coalesce(sum(change) filter (where role = 'super_admin' and account_state = 'suspended'),
          0) as supers_suspended
      from unnest(changes) group by 1 order by 1) n
    where (requested, pending, active, suspended, leavers, admins_pending, admins_active,
        admins_suspended, supers_pending, supers_active, supers_suspended)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (company_id) do update set requested = h.requested + excluded.requested,
      pending = h.pending + excluded.pending, active = h.active + excluded.active,
      suspended = h.suspended + excluded.suspended, leavers = h.leavers + excluded.leavers,
      admins_pending = h.admins_pending + excluded.admins_pending,
      admins_active = h.admins_active + excluded.admins_active,
      admins_suspended = h.admins_suspended + excluded.admins_suspended,
      supers_pending = h.supers_pending + excluded.supers_pending,
      supers_active = h.supers_active + excluded.supers_active,
      supers_suspended = h.supers_suspended + excluded.supers_suspended;
  insert into departments as d (company_id, department, people)
    select company_id, department, sum(change) from unnest(changes)
      where role = 'employee' and account_state <> 'requested' and company_id is not null
        and department is not null
      group by 1, 2 having sum(change) <> 0 order by 1, 2
    on conflict (company_id, department) do update set people = d.people + excluded.people;
end $$;

-- Whether a person counts. An erased employee counts as a leaver. An erased admin is kept as
-- suspended, and does not count.
create or replace function private.is_counted(role text, erased_at timestamptz) returns boolean
language sql immutable
return erased_at is null or role = 'employee';

-- Three triggers: a statement that names a transition table which is not there can't be planned
-- once and kept.
create or replace function private.count_people_after_insert() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_people(array(
    select (company_id, role, status, account_state, department, count(*))::private.people_change
      from are where private.is_counted(role, erased_at)
      group by company_id, role, status, account_state, department));
  return null;
end $$;
create or replace trigger count_people_after_insert after insert on profiles
  referencing new table as are
  for each statement execute function private.count_people_after_insert();

create or replace function private.count_people_after_update() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_people(array(
    select (company_id, role, status, account_state, department, sum(change))::private.people_change
      from (select company_id, role, status, account_state, department, 1 as change from are
          where private.is_counted(role, erased_at)
        union all select company_id, role, status, account_state, department, -1 from were
          where private.is_counted(role, erased_at)) changed
      group by company_id, role, status, account_state, department having sum(change) <> 0));
  return null;
end $$;
create or replace trigger count_people_after_update after update on profiles
  referencing old table as were new table as are
  for each statement execute function private.count_people_after_update();

create or replace function private.count_people_after_delete() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.count_people(array(
    select (company_id, role, status, account_state, department, -count(*))::private.people_change
      from were where private.is_counted(role, erased_at)
      group by company_id, role, status, account_state, department));
  return null;
end $$;
create or replace trigger count_people_after_delete after delete on profiles
  referencing old table as were
  for each statement execute function private.count_people_after_delete();
