-- Whether an account is its person's own. HR vouches for addresses of the company and sees the
-- first password of people it adds, so an admin could act as a colleague whom they added. A right
-- therefore waits until the person proves that it is them: by a sign-in through their own mailbox,
-- or by the company's identity provider.

create or replace function private.is_vouched(account uuid) returns boolean
language sql stable
return exists (select from auth.users u join auth.identities i on i.user_id = u.id
  where u.id = account and u.email_confirmed_at is not null and i.provider = 'email'
    and i.identity_data -> 'email_verified' is distinct from 'true');

-- Whether a person's password ends when they are given a right.
create or replace function right_ends_password(company uuid, person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return private.is_vouched(person) and actor_id() in (select private.holders(company, 'owner'))
  and exists (select from profiles p where p.company_id = company and p.id = person);

-- Second steps stay: somebody who reads the person's mail must not get around them.
create or replace function private.void_password(account uuid, besides uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from auth.sessions s where s.user_id = account and s.id is distinct from besides;
  delete from auth.one_time_tokens t where t.user_id = account and t.kind like 'email_change%';
  update auth.users u set password_hash = null, password_rules = null, email_change = null,
      password_must_change = true
    where u.id = account;
end $$;

-- A founder proves their address by the very confirmation that gives them their rights, so their
-- password stays.
create or replace function private.ask_for_own_password() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor() <> '' and private.is_vouched(new.person_id) then
    perform private.void_password(new.person_id, null),
      add_job('users:invite', json_build_object('ids', json_build_array(new.person_id), 'mail_kind',
        'set_password'), key => 'own password of ' || new.person_id);
  end if;
  return null;
end $$;
create or replace trigger ask_for_own_password after insert on company_rights
  for each row execute function private.ask_for_own_password();

-- A person who has signed in like this owns the account: a password that others prepared is void,
-- and rights given to them begin.
create or replace function private.prove_account() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare account constant uuid := (select s.user_id from auth.sessions s
  where s.id = new.session_id);
begin
  if not private.is_vouched(account) then return null; end if;
  perform private.void_password(account, new.session_id);
  -- An account that signs in by the identity provider needs no password.
  update auth.users u set password_must_change = new.method = 'otp' where u.id = account;
  update auth.identities i set identity_data = i.identity_data || '{"email_verified": true}'
    where i.user_id = account and i.provider = 'email';
  update company_rights r set begins_at = greatest(r.begins_at, now())
    where r.person_id = account and has_not_ended(r.ended_at, r.ends_at);
  return null;
end $$;
create or replace trigger prove_account after insert on auth.amr_claims for each row
  when (new.method = 'otp' or new.method like 'sso/%') execute function private.prove_account();

grant execute on function right_ends_password to healthfund_request;
