-- People and groups as a company's identity provider sends them. Its key has a right of its own,
-- and reaches only the company's people at its proven domains.

create policy your_companys on scim_settings for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on scim_settings to healthfund_request;
create or replace trigger audit after insert or update or delete on scim_settings
  for each row execute function audited();

create policy your_companys on scim_people for select to healthfund_request using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on scim_people to healthfund_request;

create policy your_companys on scim_groups for select to healthfund_request using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on scim_groups to healthfund_request;
create or replace trigger audit after insert or update or delete on scim_groups
  for each row execute function audited('version', 'changed_at', 'created_at');
create or replace trigger as_one_line
  before insert or update of display_name, department on scim_groups
  for each row execute function private.keep_as_line('display_name', 'department');

create policy your_companys on scim_members for select to healthfund_request using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on scim_members to healthfund_request;

create policy your_companys on scim_calls for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on scim_calls to healthfund_request;

-- The domains whose people the calling identity provider may write.
create or replace function scim_domains() returns text[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return array(select d from private.domains_of(actor_company()) d
  where actor_has('owner', 'provision'));

-- People whom the identity provider sees: those at the company's domains and those it made,
-- whatever their address is now (else it could not disable somebody who changed theirs). Not super
-- admins, people who asked to join, erased people, or those it deleted. It sees admins, but can't
-- change them.
create or replace view scim_users with (security_invoker = true) as
  select p.company_id, p.id, p.role, p.status, p.email, p.full_name, p.phone, p.department,
      p.joined_on, p.left_on, p.created_at, coalesce(s.user_name, p.email) as user_name,
      s.external_id,
      case when s.full_name = p.full_name then s.given_name end as given_name,
      case when s.full_name = p.full_name then s.family_name end as family_name,
      case when s.full_name = p.full_name then s.formatted else p.full_name end as formatted,
      s.department as scim_department, p.personnel_number,
      s.personnel_number as scim_number, s.phone as scim_phone,
      case when s.full_name is null then 'work' else s.email_type end as email_type,
      case when s.full_name is null then true else s.email_first end as email_first,
      case when s.full_name is null then 'work' else s.phone_type end as phone_type,
      case when s.full_name is null then true else s.phone_first end as phone_first,
      p.status <> 'suspended' and not p.has_left as active,
      -- Why the identity provider can't make them active.
      case when p.status = 'suspended' then 'scim_suspended'
        when p.has_left and (p.left_on is distinct from s.left_on or s.hr_left_on is not null
          and s.hr_left_on <= company_today(p.company_id)) then 'scim_left_by_hr' end as kept_out,
      date_trunc('milliseconds', greatest(p.changed_at, s.changed_at, p.created_at)) as changed_at,
      p.version || '.' || coalesce(s.version, 0) as version
    from profiles p left join scim_people s on s.company_id = p.company_id and s.person_id = p.id
    where p.role <> 'super_admin' and p.account_state <> 'requested' and p.erased_at is null
      and s.deleted_at is null and (s.user_name is not null
        or email_domain(p.email) = any ((select scim_domains())::text[]));
grant select on scim_users to healthfund_request;

-- Found by index: nearly every request of an identity provider looks a person up by name.
create or replace function scim_people_named(user_name text) returns uuid[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return array(
  select p.id from profiles p where p.company_id = actor_company()
    and actor_has('provision') and p.email = lower(scim_people_named.user_name)
  union all select s.person_id from scim_people s where s.company_id = actor_company()
    and actor_has('provision') and s.deleted_at is null
    and lower(s.user_name) = lower(scim_people_named.user_name));

create or replace function private.refuse_user_name(user_name text, email text, besides uuid)
returns void
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select private.refuse('user_name_taken') where exists (select from scim_users u
    where u.company_id = actor_company() and u.id is distinct from besides
      and u.id = any (scim_people_named(refuse_user_name.user_name)
        || scim_people_named(refuse_user_name.email))
      and (u.email = lower(refuse_user_name.email)
        or lower(u.user_name) = lower(refuse_user_name.user_name)))
$$;

-- People whom the identity provider deleted come back as who they were.
create or replace function scim_deleted_person(user_name text, email text) returns uuid
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('provision'),
    private.refuse_user_name(scim_deleted_person.user_name, scim_deleted_person.email, null);
  return (select p.id from profiles p
    join scim_people s on s.company_id = p.company_id and s.person_id = p.id
    where p.company_id = actor_company() and p.email = lower(scim_deleted_person.email)
      and s.deleted_at is not null and p.erased_at is null);
end $$;

-- Adds an employee as an admin would: pending until they come in. Somebody added as disabled is
-- invited when they are enabled.
create or replace function scim_add_person(input jsonb) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := actor_company();
  n profiles := jsonb_populate_record(null::profiles, input);
  made record;
begin
  perform private.require_right('provision'), private.refuse_outside_scim(n.email),
    private.count_added(company, 1);
  select a.* into made from private.add_people(company, 'employee',
    array[(n.email, n.full_name, n.phone, n.department)::private.newcomer], null) a;
  perform private.refuse_known(made.outcome), publish('supers'), publish('admins:' || company),
    publish('person:' || made.person_id);
  if made.outcome = 'added' and (input ->> 'active')::boolean then
    perform private.scim_invite(made.person_id);
  end if;
  return made.person_id;
end $$;

create or replace function private.scim_invite(person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update profiles p set invited_at = now() where p.id = person and p.invited_at is null
    and p.account_state = 'pending' and p.confirmed_at is null
    and private.scim_invites(p.company_id);
  if not found then return; end if;
  perform add_job('users:invite', json_build_object('ids', json_build_array(person),
    'mail_kind', 'invite'));
end $$;

create or replace function private.scim_invites(company uuid) returns boolean
language sql stable
return coalesce((select s.invites from scim_settings s where s.company_id = company), true);

create or replace function private.refuse_outside_scim(email text) returns void
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select private.refuse(case when email_domain(btrim(email)) = any (scim_domains()) then null
    else 'outside_proven_domains' end)
$$;

create or replace function private.refuse_admin(p profiles) returns void
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select private.refuse(case when private.is_admin(p.role, p.has_rights) then 'scim_admin' end)
$$;

-- Locks the person an act of the identity provider is about.
create or replace function scim_lock(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  perform private.require_right('provision');
  select * into p from profiles x where x.id = person and x.company_id = actor_company()
    for no key update;
  if not found or not exists (select from scim_users u where u.id = person
      and u.company_id = actor_company()) then
    perform private.refuse('not_found');
  end if;
  perform private.refuse_admin(p), publish('supers'), publish('person:' || person),
    publish('admins:' || p.company_id);
end $$;

-- Changes the address of somebody who has not signed in with it yet, to one at a proven domain.
create or replace function scim_move_address(person uuid, email text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform scim_lock(person), private.refuse_outside_scim(email),
    correct_address(person, email, private.scim_invites(actor_company()));
end $$;

-- Sets today as the last day, by the same rules as HR does: somebody who has not begun yet begins
-- and leaves today. Their sessions end.
create or replace function scim_leave(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  today constant date := private.today_at(actor_company());
  p profiles;
begin
  perform scim_lock(person);
  select * into p from profiles x where x.id = person
    and x.status <> 'suspended' and not x.has_left; -- else they have gone already
  if not found then return; end if;
  insert into scim_people as s (company_id, person_id, user_name, left_on, hr_left_on,
      hr_joined_on)
    values (p.company_id, person, p.email, today, p.left_on,
      case when p.joined_on > today then p.joined_on end)
    on conflict (company_id, person_id) do update set left_on = excluded.left_on,
      hr_left_on = excluded.hr_left_on, hr_joined_on = excluded.hr_joined_on;
  perform private.change_employment(person, least(p.joined_on, today), today),
    auth.end_sessions(array[person]);
end $$;

-- Takes back the last day that the identity provider set, and the first day if it moved that: HR's
-- own days are in force again.
create or replace function scim_come_back(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform scim_lock(person), private.refuse(u.kept_out) from scim_users u where u.id = person;
  perform private.change_employment(person, case when p.joined_on = s.left_on
      then s.hr_joined_on end, case when p.has_left then s.hr_left_on else p.left_on end)
    from profiles p left join scim_people s
      on s.company_id = p.company_id and s.person_id = p.id where p.id = person;
  update scim_people s set left_on = null, hr_left_on = null, hr_joined_on = null from profiles p
    where p.id = person and s.company_id = p.company_id and s.person_id = person;
  perform private.scim_invite(person);
end $$;

-- Keeps the identity provider's own name for a person; a deleted person is visible to it again.
create or replace function scim_name_person(person uuid, input jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n scim_people := jsonb_populate_record(null::scim_people, input);
  company constant uuid := actor_company();
  previous scim_people;
begin
  -- The person must be one whom it sees, or one whom it deleted.
  perform private.require_right('provision'), private.refuse_admin(p) from profiles p
    where p.id = person and p.company_id = company
      and (exists (select from scim_users u where u.company_id = company and u.id = person)
        or exists (select from scim_people s where s.company_id = company
          and s.person_id = person));
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse_user_name(n.user_name, '', person);
  select * into previous from scim_people s where s.company_id = company and s.person_id = person;
  -- A person who has moved to another company gives up the name here.
  delete from scim_people s using profiles p where s.company_id = company
    and lower(s.user_name) = lower(n.user_name) and p.id = s.person_id
    and p.company_id is distinct from company;
  insert into scim_people as s (company_id, person_id, user_name, external_id, given_name,
      family_name, formatted, department, full_name, email_type, email_first, phone_type,
      phone_first, personnel_number, phone)
    select company, person, n.user_name, n.external_id, n.given_name, n.family_name, n.formatted,
        n.department, p.full_name, n.email_type, n.email_first, n.phone_type, n.phone_first,
        n.personnel_number, n.phone from profiles p where p.id = person
    on conflict (company_id, person_id) do update set user_name = excluded.user_name,
      external_id = excluded.external_id, given_name = excluded.given_name,
      family_name = excluded.family_name, formatted = excluded.formatted,
      department = excluded.department, full_name = excluded.full_name,
      email_type = excluded.email_type, email_first = excluded.email_first,
      phone_type = excluded.phone_type, phone_first = excluded.phone_first,
      personnel_number = excluded.personnel_number, phone = excluded.phone,
      version = s.version + 1, changed_at = now(), deleted_at = null;
  -- The identity provider may take back its own value, not HR's.
  if n.department is null then
    update profiles p set department = null where p.id = person
      and p.department = previous.department;
  end if;
  if n.personnel_number is distinct from previous.personnel_number then
    update profiles p set personnel_number = n.personnel_number where p.id = person
      and (n.personnel_number is not null or p.personnel_number = previous.personnel_number);
  end if;
  if n.phone is distinct from previous.phone then
    update profiles p set phone = n.phone where p.id = person
      and (n.phone is not null or p.phone = previous.phone);
  end if;
  perform private.scim_set_departments(company, array[person]);
end $$;

-- A forgotten person is hidden from the provider, and leaves its groups.
create or replace function scim_forget_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform scim_lock(person);
  insert into scim_people as s (company_id, person_id, user_name, deleted_at)
    select p.company_id, p.id, p.email, now() from profiles p where p.id = person
    on conflict (company_id, person_id) do update set deleted_at = now(),
      version = s.version + 1, changed_at = now();
  delete from scim_members m where m.company_id = actor_company() and m.person_id = person;
end $$;

-- Sets departments: that of a person's first group that stands for one, else the one that the
-- identity provider sent, else what it was. People with a right are left alone, as by all its
-- calls.
create or replace function private.scim_set_departments(company uuid, people uuid[]) returns void
language sql
begin atomic
  update profiles p set department = w.department
    from (select s.person_id, coalesce((select g.department from scim_members m
          join scim_groups g on g.company_id = m.company_id and g.id = m.group_id
          where m.company_id = company and m.person_id = s.person_id and g.department is not null
          order by lower(g.display_name) limit 1), x.department) as department
        from unnest(people) as s (person_id)
          left join scim_people x on x.company_id = company and x.person_id = s.person_id) w
    where p.id = w.person_id and p.company_id = company
      and not private.is_admin(p.role, p.has_rights)
      and p.erased_at is null and w.department is not null
      and p.department is distinct from w.department;
end;
grant execute on function scim_domains to healthfund_request;
