-- Groups of a company's people: who sees and changes them, and who is in one.

create policy your_companys on employee_groups for select using (
  company_id = (select actor_company()) and (select actor_has('people', 'owner', 'auditor')));
create policy yours_to_add on employee_groups for insert with check (
  company_id = (select actor_company()) and (select actor_has('people')));
create policy yours_to_change on employee_groups for update using (
  company_id = (select actor_company()) and (select actor_has('people')));
create policy yours_to_remove on employee_groups for delete using (
  company_id = (select actor_company()) and (select actor_has('people')));
grant select, insert (company_id, name, departments), update (name, departments), delete
  on employee_groups to healthfund_request;
create or replace trigger audit after insert or update or delete on employee_groups
  for each row execute function audited('version');
create or replace trigger as_one_line before insert or update of name on employee_groups
  for each row execute function private.keep_as_line('name');
create or replace trigger next_version before update on employee_groups
  for each row execute function private.raise_version();

create policy your_companys on employee_group_people for select using (
  company_id = (select actor_company()) and (select actor_has('people', 'owner', 'auditor')));
grant select on employee_group_people to healthfund_request;
create or replace trigger audit after insert or update or delete on employee_group_people
  for each row execute function audited('added_by');

-- Locks a group, so that nobody is picked into it while it is changed to go by department.
create or replace function private.lock_group(company uuid, group_id uuid) returns employee_groups
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare g employee_groups;
begin
  perform private.require_right_at(company, 'people'), publish('admins:' || company);
  select * into g from employee_groups x where x.company_id = company and x.id = group_id
    for no key update;
  if not found then perform private.refuse('not_found'); end if;
  return g;
end $$;

-- A group may have a plan or limits of its own, so nobody removes themselves from one.
create or replace function take_out_of_group(company uuid, group_id uuid, person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_group(company, group_id),
    private.refuse(own_benefit_refusal('people', company, person, actor_id()));
  delete from employee_group_people m where m.company_id = company
    and m.group_id = take_out_of_group.group_id and m.person_id = person;
end $$;

-- A group that goes by department keeps no picked people.
create or replace function private.forget_picked() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from employee_group_people m where m.company_id = new.company_id and m.group_id = new.id;
  return null;
end $$;
create or replace trigger forget_picked after update of departments on employee_groups
  for each row when (old.departments is null and new.departments is not null)
  execute function private.forget_picked();

-- One row if a person is in a group, by its departments or picked. It returns rows so that
-- PostgreSQL inlines it.
create or replace function private.matches_group(company uuid, group_id uuid, departments text[],
  person uuid, department text) returns setof boolean
language sql stable
begin atomic
  select true where case when matches_group.departments is not null
    then matches_group.department = any (matches_group.departments)
    else exists (select from employee_group_people m where m.company_id = matches_group.company
      and m.group_id = matches_group.group_id and m.person_id = matches_group.person) end;
end;

-- Whether somebody is in a group now; false for a group of another company.
create or replace function private.is_in_group(company uuid, person uuid, group_id uuid)
returns boolean
language sql stable
return exists (select from employee_groups g
  join profiles p on p.company_id = g.company_id and p.id = person
  cross join lateral private.matches_group(company, g.id, g.departments, p.id, p.department)
  where g.company_id = company and g.id = is_in_group.group_id);

-- The named departments in which nobody but leavers has benefits: renamed ones, or those whose last
-- person left.
create or replace function private.empty_departments(company uuid, names text[]) returns text[]
language sql stable
return array(select n.name from unnest(names) n (name) where not exists (select from profiles p
  where p.company_id = company and coalesce(p.department, '') = n.name and not p.has_left
    and private.has_benefits(p.role, p.has_own)));

-- Whether a group has nobody with benefits in it, leavers apart.
create or replace function private.is_empty_group(g employee_groups) returns boolean
language sql stable
return case when g.departments is not null
    then cardinality(private.empty_departments(g.company_id, g.departments))
      = cardinality(g.departments)
  else not exists (select from employee_group_people m
    join profiles p on p.company_id = m.company_id and p.id = m.person_id
    where m.company_id = g.company_id and m.group_id = g.id and not p.has_left
      and private.has_benefits(p.role, p.has_own)) end;

-- A group that the asker may see; no row for any other.
create or replace function private.your_group(group_id uuid) returns setof employee_groups
language sql stable
begin atomic
  select g.* from employee_groups g where g.company_id = actor_company()
    and g.id = your_group.group_id and actor_has('people', 'owner', 'auditor');
end;

create or replace function empty_departments(group_id uuid) returns text[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select private.empty_departments(g.company_id, coalesce(g.departments, '{}'))
  from private.your_group(group_id) g);

-- How many employees are in a group, by the kept counts of departments or of picked people.
create or replace function people_in_group(group_id uuid) returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select case when g.departments is not null
    then (select coalesce(sum(d.people), 0) from departments d
      where d.company_id = g.company_id and d.department = any (g.departments))
    else (select count(*) from employee_group_people m
      join profiles p on p.company_id = m.company_id and p.id = m.person_id
      where m.company_id = g.company_id and m.group_id = g.id and p.role = 'employee'
        and p.account_state <> 'requested') end
  from private.your_group(people_in_group.group_id) g);

-- The rules that name a group: steps of the policy in force, limits, and plans of open years. Plans
-- of closed years are deleted with the group (`forget_closed_plans`); the record keeps them.
create or replace function private.uses_of_group(company uuid, group_id uuid)
returns table (steps integer[], limits bigint, plans bigint)
language sql stable
begin atomic
  select array(select s.nth from private.policy_in_force(company) p
      cross join lateral generate_subscripts(p.steps, 1) s (nth)
      where uses_of_group.group_id = any ((p.steps[s.nth]).group_ids) order by s.nth),
    (select count(*) from claim_limits l
      where l.company_id = company and l.group_id = uses_of_group.group_id),
    (select count(*) from group_plans o join plan_years y
      on y.company_id = o.company_id and y.starts_on = o.plan_year
      where o.company_id = company and o.group_id = uses_of_group.group_id
        and y.closed_at is null);
end;

-- Why an act may not be done to a group as it is now; null where it may.
create or replace function private.group_refusal(act text, company uuid, group_id uuid) returns text
language sql stable
return (select case when act = 'remove' and (u.steps <> '{}' or u.limits + u.plans > 0)
  then 'group_in_use' end from private.uses_of_group(company, group_id) u);

create or replace function private.refuse_group_in_use() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(private.group_refusal('remove', old.company_id, old.id));
  return old;
end $$;
create or replace trigger keep_group_in_use before delete on employee_groups
  for each row execute function private.refuse_group_in_use();

-- Everybody who may see groups may read which rules name one, unlike the rest of the policy.
create or replace function group_in_use(group_id uuid) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select to_json(u) from private.your_group(group_in_use.group_id) g
  cross join lateral private.uses_of_group(g.company_id, g.id) u);

create or replace function group_refusals(group_id uuid) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select json_build_object('remove', private.group_refusal('remove', g.company_id, g.id))
  from private.your_group(group_refusals.group_id) g);

-- The groups that somebody of the company is in.
create or replace function groups_of_person(person uuid) returns setof employee_groups
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select g.* from employee_groups g
    where g.company_id = actor_company() and actor_has('people', 'auditor')
      and private.is_in_group(g.company_id, person, g.id)
    order by lower(g.name);
end;

-- Why somebody may not change their own department. If a group or a step of the policy goes by
-- departments, a department decides what people are given or who approves it, so it is for HR to
-- set; otherwise people set their own.
create or replace function own_department_refusal(company uuid, me uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) and (exists (select from employee_groups g
    where g.company_id = company and g.departments is not null)
  or exists (select from private.policy_in_force(company) p, unnest(p.steps) s
    where s.departments <> '{}'))
  then case when actor_has('people') then own_benefit_refusal('people', company, me, me)
    else 'department_kept_by_hr' end end;

create or replace function private.refuse_own_department() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if new.id = actor_id() then
    perform private.refuse(own_department_refusal(new.company_id, new.id));
  end if;
  return new;
end $$;
create or replace trigger keep_own_department before update of department on profiles
  for each row when (old.department is distinct from new.department)
  execute function private.refuse_own_department();

-- Why the asker may not change these details of an employee, most often their own. Owners without
-- People see the details of people who ask to join, and change none.
create or replace function details_refusals(company uuid, person uuid) returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select jsonb_build_object(
    'joined_on', case when p.erased_at is not null then 'person_erased'
      when actor_has('people') then own_benefit_refusal('people', company, p.id, actor_id()) end,
    'department', case when p.erased_at is not null then 'person_erased'
      when p.id = actor_id() then own_department_refusal(company, p.id) end)
  from profiles p where p.id = person and p.company_id = company and company = actor_company()
    and (actor_has('people') or actor_has('owner') or p.id = actor_id()));

-- Why the asker may not change the departments of a group to these: it brings them in or out.
-- Colleagues of the same department come along with them, so those are no second person.
create or replace function private.my_group_refusal(group_id uuid, was text[], departments text[])
  returns text
language sql stable
return (select own_benefit_refusal('people', p.company_id, p.id, p.id, variadic array(
      select o.id from profiles o where o.company_id = p.company_id
        and o.department = p.department and o.has_rights
        and private.has_benefits(o.role, o.has_own)))
  from profiles p where p.id = actor_id() and private.has_benefits(p.role, p.has_own)
    and exists (select private.matches_group(p.company_id, my_group_refusal.group_id, was, p.id,
        p.department))
      <> exists (select private.matches_group(p.company_id, my_group_refusal.group_id,
        my_group_refusal.departments, p.id, p.department)));

create or replace function private.refuse_own_groups() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(private.my_group_refusal(new.id, old.departments, new.departments));
  return new;
end $$;
create or replace trigger keep_own_groups before insert or update of departments on employee_groups
  for each row execute function private.refuse_own_groups();

create or replace function my_group_refusals(group_id uuid, departments text[]) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return json_build_object('save', private.my_group_refusal(my_group_refusals.group_id,
  (select g.departments from private.your_group(my_group_refusals.group_id) g),
  my_group_refusals.departments));

grant execute on function take_out_of_group, people_in_group, empty_departments, group_in_use,
  group_refusals, groups_of_person, own_department_refusal, details_refusals,
  my_group_refusals to healthfund_request;
