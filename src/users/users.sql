-- People: who sees whom, and what the provider and HR do with them.

grant execute on function email_domain to healthfund_request;

create policy yourself_and_your_people on profiles for select using (
  id = (select actor_id())
  or ((select actor_role()) = 'company_admin' and company_id = (select actor_company()))
  or (select actor_role()) = 'super_admin');
create policy your_people_to_edit on profiles for update using (
  ((select actor_role()) = 'company_admin' and company_id = (select actor_company())
    and (role = 'employee' or standing = 'asking'))
  or (select actor_role()) = 'super_admin');
-- Name, phone and department are one's own to keep true.
create policy yourself_to_edit on profiles for update using (id = (select actor_id()));
grant select, update (full_name, phone, department) on profiles to healthfund_request;
create or replace trigger audit after insert or update or delete on profiles
  for each row execute function audited('version', 'sort_name', 'sought', 'standing', 'confirmed_at', 'invited_at');

-- The person an act is about, held until it is done; whoever may not act on them does not find them.
create or replace function private.hold(person uuid) returns profiles
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  select * into p from profiles where id = person and (
      actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company_id = actor_company()
        and (role = 'employee' or standing = 'asking'))
    for no key update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  perform tell('supers'), tell('person:' || p.id), tell('admins:' || p.company_id);
  return p;
end $$;

create or replace function suspend_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if (private.hold(person)).status <> 'active' then
    raise exception 'not_active' using errcode = 'HF422';
  end if;
  update profiles set status = 'suspended' where id = person;
end $$;

create or replace function reactivate_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if (private.hold(person)).status <> 'suspended' then
    raise exception 'not_suspended' using errcode = 'HF422';
  end if;
  update profiles set status = 'active' where id = person;
end $$;

create or replace function approve_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.hold(person);
begin
  if p.standing <> 'asking' then raise exception 'not_asking' using errcode = 'HF422'; end if;
  if p.confirmed_at is null then raise exception 'email_not_confirmed' using errcode = 'HF422'; end if;
  update profiles set status = 'active', asked_at = null, declined_by = null where id = person;
  perform private.prove_domain(person),
    notify_person(person, 'account', 'Your account was approved',
      'You can use everything your company offers you in Healthfund now.', '/dashboard/employee');
end $$;

-- The account stays theirs; it belongs nowhere until somebody adds them. No rule lets them in later.
create or replace function decline_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if (private.hold(person)).standing <> 'asking' then
    raise exception 'not_asking' using errcode = 'HF422';
  end if;
  update profiles set company_id = null, asked_at = null, role = 'employee', declined_by = company_id
    where id = person;
end $$;

create or replace function change_role(person uuid, role text, company uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform private.hold(person);
  update profiles p set role = change_role.role,
      company_id = case when change_role.role <> 'super_admin' then company end
    where p.id = person;
  perform tell('admins:' || company);
exception when foreign_key_violation then
  raise exception 'has_a_fund' using errcode = 'HF422';
end $$;

-- For who has lost their second step. It is mailed to them at once.
create or replace function reset_two_step(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform private.hold(person);
  delete from auth.factors where user_id = person;
  perform auth.end_sessions(array[person]);
  perform add_job('settings:notice', json_build_object('person_id', person, 'notice', 'two_step_reset'));
end $$;

create or replace function has_two_step(people uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select u.id from auth.users u
    where actor_role() = 'super_admin' and u.id = any (people) and u.two_step;
end;

create or replace function invite_again(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.hold(person);
begin
  if p.confirmed_at is not null or p.standing = 'asking' then
    raise exception 'already_accepted' using errcode = 'HF422';
  end if;
  if p.invited_at > now() - interval '1 minute' then
    raise exception 'mailed_just_now' using errcode = 'HF422';
  end if;
  if actor_role() = 'company_admin' then perform private.count_added(p.company_id, 1); end if;
  update profiles set invited_at = now() where id = person;
  perform add_job('users:invite', json_build_object('ids', json_build_array(person), 'letter', 'invite'));
end $$;

grant execute on function suspend_person, reactivate_person, approve_person, decline_person,
  change_role, reset_two_step, has_two_step, invite_again to healthfund_request;
