-- Heads and departments are counted by three triggers whose statements are planned once per connection: written
-- anew for each act, planning took longer than the act.
drop trigger count_people_in on profiles;
drop trigger count_people_on on profiles;
drop trigger count_people_out on profiles;
drop function wall.count_people();

do $each$
declare
  way record;
  were constant text := 'select p.*, -1 as by from were p';
  are constant text := 'select p.*, 1 as by from are p';
begin
  for way in select * from (values
    ('in', 'insert', 'new table as are', are),
    ('on', 'update', 'old table as were new table as are', were || ' union all ' || are),
    ('out', 'delete', 'old table as were', were)) w (name, act, seen, changed)
  loop
    execute format($function$
create function wall.count_people_%1$s() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $count$
begin
  insert into headcounts as h
    select * from (
      select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id,
        coalesce(sum(by) filter (where standing = 'asking'), 0) as asking,
        coalesce(sum(by) filter (where role = 'employee' and standing = 'pending'), 0) as pending,
        coalesce(sum(by) filter (where role = 'employee' and standing = 'active'), 0) as active,
        coalesce(sum(by) filter (where role = 'employee' and standing = 'suspended'), 0) as suspended,
        coalesce(sum(by) filter (where role = 'employee' and standing = 'left'), 0) as has_left,
        coalesce(sum(by) filter (where role = 'company_admin' and standing = 'pending'), 0) as a,
        coalesce(sum(by) filter (where role = 'company_admin' and status = 'active'), 0) as b,
        coalesce(sum(by) filter (where role = 'company_admin' and standing = 'suspended'), 0) as c,
        coalesce(sum(by) filter (where role = 'super_admin' and standing = 'pending'), 0) as d,
        coalesce(sum(by) filter (where role = 'super_admin' and status = 'active'), 0) as e,
        coalesce(sum(by) filter (where role = 'super_admin' and standing = 'suspended'), 0) as f
      from (%2$s) people group by 1 order by 1) n
    where (asking, pending, active, suspended, has_left, a, b, c, d, e, f)
      <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    on conflict (company_id) do update set asking = h.asking + excluded.asking,
      pending = h.pending + excluded.pending, active = h.active + excluded.active,
      suspended = h.suspended + excluded.suspended, has_left = h.has_left + excluded.has_left,
      admins_pending = h.admins_pending + excluded.admins_pending,
      admins_active = h.admins_active + excluded.admins_active,
      admins_suspended = h.admins_suspended + excluded.admins_suspended,
      supers_pending = h.supers_pending + excluded.supers_pending,
      supers_active = h.supers_active + excluded.supers_active,
      supers_suspended = h.supers_suspended + excluded.supers_suspended;
  insert into departments as d
    select company_id, department, sum(by) from (%2$s) people
      where role = 'employee' and standing <> 'asking' and company_id is not null
        and department is not null
      group by 1, 2 having sum(by) <> 0 order by 1, 2
    on conflict (company_id, department) do update set people = d.people + excluded.people;
  return null;
end $count$;
revoke execute on function wall.count_people_%1$s() from public;
create trigger count_people_%1$s after %3$s on profiles referencing %4$s
  for each statement execute function wall.count_people_%1$s()$function$,
      way.name, way.changed, way.act, way.seen);
  end loop;
end $each$;
