-- People: who sees whom, and what the provider and HR do with them.

grant execute on function email_domain, without_accents to healthfund_request;

create policy your_people on profiles for select using (
  ((select actor_sees_people()) and company_id = (select actor_company()))
  or (select actor_role()) = 'super_admin');
create policy yourself on profiles for select to healthfund_request using (
  id = (select actor_id()));
create policy your_people_to_edit on profiles for update using (
  ((select actor_has('people')) and company_id = (select actor_company())
    and (role = 'employee' or account_state = 'requested'))
  or (select actor_role()) = 'super_admin');
-- People keep their own name, phone and department true.
create policy yourself_to_edit on profiles for update to healthfund_request using (
  id = (select actor_id()));
grant select, update (full_name, phone, department) on profiles to healthfund_request;
create or replace trigger audit after insert or update or delete on profiles
  for each row execute function audited('version', 'changed_at', 'sort_name', 'search_text',
    'account_state', 'left_set_on', 'confirmed_at', 'invited_at', 'has_own', 'has_rights',
    'says_elsewhere');
create or replace trigger as_name_line
  before insert or update of full_name, requested_company on profiles
  for each row execute function private.keep_as_line('full_name', 'requested_company');
create or replace trigger as_one_line
  before insert or update of department, personnel_number on profiles
  for each row execute function private.keep_as_line('department', 'personnel_number');

-- Whether nobody has signed in with this account yet: then HR and the identity provider may correct
-- it.
create or replace function never_came(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return exists (select from profiles p join auth.users u on u.id = p.id
  where p.id = person and p.company_id = actor_company() and actor_has('people', 'provision')
    and p.account_state in ('pending', 'active') and u.last_sign_in_at is null);

-- Whether somebody made the account for themselves, and the company that took it in does not speak
-- for its address. Suspending it would shut them out everywhere, by a company that they never asked
-- to join.
create or replace function has_own_account(company uuid, person uuid) returns boolean
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  return private.may_know(company) and exists (select from auth.users u
    where u.id = person and u.placement is null
      and not private.is_own_address(company, u.email));
end $$;

-- Whether a suspended person may return: not after they have left, as an erased person has.
create or replace function may_be_back(status text, has_left boolean) returns boolean
language sql immutable
return status = 'suspended' and not has_left;

-- Why an act may not be done to a person as they are now; null where it may.
create or replace function person_refusal(act text, p profiles, me uuid) returns text
language sql stable
return case
  when p.erased_at is not null then 'person_erased'
  when act in ('suspend', 'change_role', 'remove', 'reset_two_step', 'note') and p.id = me
    then 'yourself'
  when act in ('suspend', 'reactivate', 'remove', 'change_employment', 'correct_address')
    and p.has_rights and actor_role() <> 'super_admin' then 'has_rights'
  when act = 'reactivate' and p.suspended_by = 'provider' and actor_role() <> 'super_admin'
    then 'suspended_by_provider'
  when act = 'suspend' and actor_role() <> 'super_admin' and has_own_account(p.company_id, p.id)
    then 'own_account'
  when act in ('approve', 'decline') and p.account_state <> 'requested' then 'not_requested'
  when act = 'change_request' and p.status <> 'pending' then 'not_requested'
  when act in ('approve', 'change_request') and p.confirmed_at is null then 'email_not_confirmed'
  when act = 'approve' and p.role = 'company_admin' then giving_refusal('owner', p.id)
  when act = 'reactivate' and p.status <> 'suspended' then 'not_suspended'
  when act = 'suspend' and p.status = 'pending' then 'not_active'
  when act = 'suspend' and p.status = 'suspended' and actor_role() <> 'super_admin'
    then 'not_active'
  when act = 'suspend' and p.suspended_by = 'provider' then 'not_active'
  when act = 'change_role' and p.account_state = 'requested' then 'not_active'
  when act = 'change_employment' and p.status = 'suspended' then 'not_active'
  when act = 'resend' and p.account_state = 'requested' then 'already_accepted'
  when act = 'resend' and p.confirmed_at is not null and not never_came(p.id)
    then 'already_accepted'
  when act = 'correct_address' and not never_came(p.id) then 'address_in_use'
  when act = 'remove' and p.confirmed_at is not null then 'account_in_use' end;

create or replace function person_refusals(p profiles, me uuid) returns jsonb
language sql stable
return (select jsonb_object_agg(act, person_refusal(act, p, me))
  from unnest(array['suspend', 'reactivate', 'approve', 'decline', 'resend', 'change_role',
    'remove', 'reset_two_step', 'change_employment', 'correct_address', 'note']) act);

-- Locks the person that an act is about; a person whom the asker may not act on is not found.
create or replace function private.lock_person(act text, person uuid) returns profiles
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  select * into p from profiles where id = person and (
      actor_role() = 'super_admin'
      or company_id = actor_company() and case when role = 'employee'
          then actor_has('people')
            or act = 'correct_address' and actor_has('provision')
        when account_state = 'requested' then actor_has('owner') end)
    for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(person_refusal(act, p, actor_id())), publish('supers'),
    publish('person:' || p.id),
    publish('admins:' || p.company_id);
  return p;
end $$;

create or replace function suspend_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_person('suspend', person);
  update profiles set status = 'suspended',
      suspended_by = case when actor_role() = 'super_admin' then 'provider' else 'company' end
    where id = person;
end $$;

create or replace function reactivate_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_person('reactivate', person);
  update profiles set status = 'active', suspended_by = null where id = person;
end $$;

create or replace function approve_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.lock_person('approve', person);
begin
  perform private.check_admin_change(p.role, p.id);
  update profiles set status = 'active', requested_at = null, declined_company_id = null
    where id = person;
  perform notify_person(person, 'account_approved', jsonb_build_object('role', p.role),
    replace(p.role, '_', '-'));
end $$;

-- Declines a person. They keep their account, without a company until somebody adds them; no rule
-- lets them in later.
create or replace function decline_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.lock_person('decline', person);
begin
  perform notify_person(person, 'account_declined', jsonb_build_object('role', p.role));
  update profiles set company_id = null, requested_at = null, role = 'employee',
    declined_company_id = company_id, says_elsewhere = false
    where id = person;
end $$;

-- Changes a role. A person who was never let in, or was declined, only requests the new role, and
-- an admin decides. If the company that somebody leaves suspended them, the suspension becomes the
-- provider's.
create or replace function change_role(person uuid, role text, company uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('super_admin'), private.refuse_unless_fresh(),
    private.lock_person('change_role', person);
  update profiles p set role = change_role.role,
      company_id = case when change_role.role <> 'super_admin' then company end,
      requested_at = case when p.status = 'pending' and p.confirmed_at is not null then now() end,
      suspended_by = case when p.company_id = company then p.suspended_by
        when p.status = 'suspended' then 'provider' end,
      personnel_number = case when p.company_id = company then p.personnel_number end,
      has_own = change_role.role = 'company_admin' and p.company_id is not distinct from company
        and (exists (select from accounts a where a.company_id = company and a.person_id = person)
          or exists (select from dependents d where d.company_id = company
            and d.person_id = person))
    where p.id = person;
  perform publish('admins:' || company);
exception when foreign_key_violation then
  perform private.refuse('has_a_fund');
end $$;

-- Removes a lost second step, and mails its owner at once.
create or replace function reset_two_step(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('super_admin'), private.refuse_unless_fresh(),
    private.lock_person('reset_two_step', person);
  delete from auth.factors where user_id = person;
  perform auth.end_sessions(array[person]);
  perform add_job('settings:notice', json_build_object('person_id', person, 'notice',
    'two_step_reset'));
end $$;

create or replace function has_two_step(people uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select u.id from auth.users u
    where actor_role() = 'super_admin' and u.id = any (people) and u.two_step;
end;

create or replace function invite_again(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.lock_person('resend', person);
begin
  if p.invited_at > now() - interval '1 minute' then
    perform private.refuse('mailed_just_now');
  end if;
  if actor_role() = 'company_admin' then perform private.count_added(p.company_id, 1); end if;
  update profiles set invited_at = now() where id = person;
  perform add_job('users:invite', json_build_object('ids', json_build_array(person),
    'mail_kind', case when p.confirmed_at is null then 'invite' else 'set_password' end,
    'by', private.acting_person()));
end $$;

grant execute on function has_own_account, may_be_back, person_refusal, person_refusals,
  suspend_person, reactivate_person, approve_person, decline_person, change_role, reset_two_step,
  has_two_step, invite_again to healthfund_request;
