-- Accounts become people: which company they belong to, and what their account must not lose.

create or replace function private.company_with_domain(domain text) returns uuid
language sql stable
return coalesce(private.company_of_domain(company_with_domain.domain),
  (select c.id from companies c where c.domain = company_with_domain.domain));

-- Places a person who has confirmed their address by what they asked for (docs/accounts.md). The
-- role that they asked for is a request, and a company that declined them is not asked again.
create or replace function private.place_new_person(person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  theirs companies;
  domain_of_theirs text;
  its_company uuid;
begin
  select * into strict p from profiles where id = person for update;
  if p.status <> 'pending' then return; end if;
  if p.role = 'super_admin' and p.requested_at is not null then
    perform private.notify_of_work('super_requested', null, about => person);
    return;
  end if;
  if p.requested_at is null and (p.company_id is not null or p.role = 'super_admin') then -- invited
    update profiles set status = 'active' where id = person;
    perform private.prove_domain(p.company_id), publish('supers'),
      publish('admins:' || p.company_id);
    return;
  end if;
  domain_of_theirs := email_domain(p.email);
  its_company := private.company_with_domain(domain_of_theirs);
  if p.role = 'company_admin' and p.company_id is null then
    insert into companies (name, domain, domain_proven_at, founded_by, time_zone)
      select coalesce(p.requested_company, domain_of_theirs), own, case when own is not null
        then now() end, person, coalesce((select z.name from auth.users u
          join pg_timezone_names z on z.name = u.raw_user_meta_data ->> 'time_zone'
          where u.id = person), 'UTC')
      from (select case when its_company is null and not exists (select from free_mail_domains f
        where f.domain = domain_of_theirs)
                   then domain_of_theirs end as own) d
      -- A founder whose domain belongs to a company that is not theirs gets a company without a
      -- domain.
      where its_company is null or its_company = p.declined_company_id
      on conflict (domain) do nothing
      returning * into theirs;
    if found then
      update profiles set company_id = theirs.id, status = 'active' where id = person;
      perform publish('supers'), private.notify_of_work('company_founded', null, about => person,
        name => theirs.name);
      return;
    end if;
  end if;
  select * into theirs from companies c
    where c.id = private.company_with_domain(domain_of_theirs)
      and c.id is distinct from p.declined_company_id;
  if not found then return; end if;
  if theirs.domain_auto_register
      and person in (select private.taken_in(theirs.id, array[domain_of_theirs])) then
    update profiles set company_id = theirs.id, status = 'active', requested_at = null
      where id = person;
  else
    update profiles set company_id = theirs.id, requested_at = coalesce(requested_at, now())
      where id = person;
    perform private.notify_of_work(case p.role when 'company_admin' then 'admin_requested'
      else 'join_requested' end, theirs.id, about => person);
  end if;
  perform publish('admins:' || theirs.id), publish('supers');
end $$;

-- A person who waits and asked for the wrong role, or asked the wrong company, asks again, as if
-- they had signed up like this.
create or replace function change_request(role text, company_name text,
  elsewhere boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  not_theirs uuid;
begin
  select * into strict p from profiles where id = actor_id() for update;
  perform private.refuse(person_refusal('change_request', p, p.id));
  not_theirs := case when elsewhere then private.company_with_domain(email_domain(p.email)) end;
  update profiles set role = change_request.role, company_id = null,
      requested_company = nullif(name_line(company_name), ''),
      requested_at = case when change_request.role = 'super_admin' then now() end,
      declined_company_id = coalesce(not_theirs,
        case when not p.says_elsewhere then p.declined_company_id end),
      says_elsewhere = not_theirs is not null
        and (p.says_elsewhere or not_theirs is distinct from p.declined_company_id)
    where id = p.id;
  perform publish('supers'), publish('person:' || p.id), publish('admins:' || p.company_id),
    private.place_new_person(p.id);
end $$;
grant execute on function change_request to healthfund_request;

-- The company that has the domain of the asker's address, for an asker who waits; and why it is not
-- asked: they said that it isn't theirs, or it declined them.
create or replace function company_of_address() returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select jsonb_build_object('name', c.name, 'passed_over', case
      when c.id is distinct from p.declined_company_id then null
      when p.says_elsewhere then 'elsewhere' else 'declined' end)
  from profiles p join companies c on c.id = private.company_with_domain(email_domain(p.email))
  where p.id = actor_id() and p.status = 'pending' and p.confirmed_at is not null);
grant execute on function company_of_address to healthfund_request;

-- The name in the metadata of a sign-up. Anybody can write that, so only a text is a name.
create or replace function private.name_in(metadata jsonb, member text) returns text
language sql immutable
return case when jsonb_typeof(metadata -> member) = 'string'
  then name_line(metadata ->> member) end;

-- The auth service keeps accounts, and each account is a person here. `placement` is what the maker
-- of the account decided; without it the person asks. One statement for many rows: a file of people
-- is one insert.
create or replace function private.add_profiles() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare person uuid;
begin
  insert into profiles (id, company_id, role, email, full_name, phone, department,
      requested_company, requested_at, confirmed_at)
    select m.id, (m.placement ->> 'company_id')::uuid,
        coalesce(m.placement ->> 'role', metadata.role, 'employee'), coalesce(m.email, ''),
        coalesce(nullif(left(metadata.full_name, 100), ''),
                 nullif(left(name_line(split_part(m.email, '@', 1)), 100), ''), 'Unnamed'),
        m.placement ->> 'phone', m.placement ->> 'department',
        case when length(metadata.company_name) >= 2 then left(metadata.company_name, 100) end,
        case when m.placement is null and metadata.role = 'super_admin' then now() end,
        m.email_confirmed_at
      from made m, lateral (select
        case when m.raw_user_meta_data ->> 'role' in ('super_admin', 'company_admin')
          then m.raw_user_meta_data ->> 'role' end as role,
        private.name_in(m.raw_user_meta_data, 'full_name') as full_name,
        private.name_in(m.raw_user_meta_data, 'company_name') as company_name) metadata
      -- An account of another audience is nobody here: else one address could be several employees.
      where m.aud = 'authenticated';
  for person in select id from made where email_confirmed_at is not null
    and aud = 'authenticated' loop
    perform private.place_new_person(person);
  end loop;
  return null;
end $$;
create or replace trigger accounts_made after insert on auth.users referencing new table as made
  for each statement execute function private.add_profiles();

create or replace function private.copy_account_to_profile() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  update profiles set email = coalesce(new.email, ''), confirmed_at = new.email_confirmed_at
    where id = new.id and (email <> coalesce(new.email, '')
      or confirmed_at is distinct from new.email_confirmed_at);
  if new.email_confirmed_at is not null and old.email_confirmed_at is null
      and new.aud = 'authenticated' then
    perform private.place_new_person(new.id);
  end if;
  return null;
end $$;
create or replace trigger account_changed after update of email, email_confirmed_at on auth.users
  for each row execute function private.copy_account_to_profile();

-- A person joins on the day they came, by the company's calendar. An earlier account joins on the
-- day it becomes the company's, without a last day from elsewhere. An admin without benefits joins
-- on the day they become an employee.
create or replace function private.set_joining_day() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  new.joined_on := (case tg_op when 'INSERT' then new.created_at else now() end
    at time zone coalesce((select c.time_zone from companies c where c.id = new.company_id),
      'UTC'))::date;
  if tg_op = 'UPDATE' then
    new.left_on := null;
    new.has_left := false;
  end if;
  return new;
end $$;
create or replace trigger day_of_joining before insert on profiles
  for each row when (new.joined_on is null) execute function private.set_joining_day();
create or replace trigger day_of_joining_there before update of company_id, role on profiles
  for each row when (new.company_id is not null and (new.company_id is distinct from old.company_id
    or new.role = 'employee' and old.role <> 'employee' and not old.has_own))
  execute function private.set_joining_day();

create or replace function private.raise_version() returns trigger
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create or replace function private.raise_person_version() returns trigger
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  new.version := old.version + 1;
  new.changed_at := now();
  return new;
end $$;
create or replace trigger next_version before update of full_name, phone, department, email, role,
    status, company_id, joined_on, left_on, has_left, personnel_number on profiles
  for each row execute function private.raise_person_version();
create or replace trigger next_version before update of name, domain, domain_proven_at,
    domain_auto_register, status, currency, time_zone on companies
  for each row execute function private.raise_version();

-- A suspended person is signed out at once, whatever suspended them.
create or replace function private.end_sessions_of_suspended() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if tg_table_name = 'companies' then
    delete from auth.sessions s using profiles p where p.company_id = new.id and s.user_id = p.id;
  else
    delete from auth.sessions where user_id = new.id;
    perform publish('person:' || new.id);
  end if;
  return null;
end $$;
create or replace trigger end_sessions_of_suspended after update of status on profiles
  for each row when (new.status = 'suspended') execute function private.end_sessions_of_suspended();
create or replace trigger end_sessions_of_suspended after update of status on companies
  for each row when (new.status = 'suspended') execute function private.end_sessions_of_suspended();

-- If all people of a company must sign in by its identity provider, somebody who joins it loses the
-- sessions from before.
create or replace function private.end_sessions_without_sso() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from auth.sessions s where s.user_id = new.id and auth.must_use_sso(new.id)
    and not exists (select from auth.sso_sessions o join identity_providers i
      on i.id = o.provider_id where o.session_id = s.id and i.company_id = new.company_id);
  return null;
end $$;
create or replace trigger end_sessions_without_sso after update of status, company_id, role,
  left_on, has_left on profiles for each row
  when (new.status = 'active' and (old.status, old.company_id, old.role, old.has_left)
    is distinct from (new.status, new.company_id, new.role, new.has_left))
  execute function private.end_sessions_without_sso();

-- The lock makes each of two super admins who remove each other at the same moment see the other's
-- act.
create or replace function private.require_one_super_admin() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('super admins'));
  if not exists (select from profiles
      where role = 'super_admin' and status = 'active' and id <> old.id) then
    perform private.refuse('last_super_admin');
  end if;
  return null;
end $$;
create or replace trigger require_one_super_admin after update of role, status on profiles
  for each row
  when (old.role = 'super_admin' and old.status = 'active'
    and (new.role <> 'super_admin' or new.status <> 'active'))
  execute function private.require_one_super_admin();
create or replace trigger keep_a_super_admin_account after delete on profiles for each row
  when (old.role = 'super_admin' and old.status = 'active')
  execute function private.require_one_super_admin();

-- Open screens of the person ask again who they are.
create or replace trigger publish_changed_person after update of role, status,
  company_id on profiles for each row
  when ((old.role, old.status, old.company_id) is distinct from (new.role, new.status,
    new.company_id))
  execute function private.publish_session('id');
