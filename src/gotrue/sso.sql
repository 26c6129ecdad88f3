-- Sign-in by a company's identity provider: what the auth service may know of providers, and whom
-- one of them lets in.

create policy the_auth_service on auth.sso_states to healthfund_auth
  using (true) with check (true);
grant select, insert, delete on auth.sso_states to healthfund_auth;

create policy the_auth_service on auth.sso_codes to healthfund_auth
  using (true) with check (true);
grant select, insert, delete on auth.sso_codes to healthfund_auth;

create policy the_auth_service on auth.sso_sessions to healthfund_auth
  using (true) with check (true);
grant select, insert, delete on auth.sso_sessions to healthfund_auth;

create policy the_auth_service on auth.sso_seen to healthfund_auth
  using (true) with check (true);
grant select, insert on auth.sso_seen to healthfund_auth;

create policy the_auth_service on auth.sso_keys to healthfund_auth
  using (true) with check (true);
grant select, insert on auth.sso_keys to healthfund_auth;

-- The provider that addresses at a domain lead to.
create or replace function auth.provider_of_domain(domain text)
returns setof public.identity_providers
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select i.* from identity_providers i join companies c on c.id = i.company_id
    where i.company_id = private.company_of_domain(
        lower(btrim(provider_of_domain.domain))) and i.enabled
      and c.status = 'active';
end;

-- A provider is known by its own id or its company's; `even_off` finds one not switched on yet.
create or replace function auth.provider(known_as uuid, even_off boolean default false)
returns setof public.identity_providers
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select i.* from identity_providers i join companies c on c.id = i.company_id
    where known_as in (i.id, i.company_id) and (i.enabled or even_off) and c.status = 'active';
end;

create or replace function private.has_signed_in_by(provider uuid, person uuid) returns boolean
language sql stable
return exists (select from auth.identities d
  where d.user_id = person and d.provider = 'sso:' || has_signed_in_by.provider);

-- The provider of their company, if it would let somebody in: not whoever has left, and not whose
-- address is at no domain of the company, unless they have come by it before.
create or replace function private.own_provider(person uuid) returns identity_providers
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  return (select i from profiles p join identity_providers i on i.company_id = p.company_id
    where p.id = person and i.enabled and p.role <> 'super_admin' and p.account_state = 'active'
      and (private.is_own_address(p.company_id, p.email) or private.has_signed_in_by(i.id, p.id)));
end $$;

-- Whether somebody's password, and every mailed link, opens no session: their company's provider
-- does. Those whom it would not let in still come by password: whoever has left, for what they are
-- owed is theirs to claim. So does the one whom the company names.
create or replace function auth.must_use_sso(person uuid) returns boolean
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare i constant identity_providers := private.own_provider(person);
begin
  return coalesce(i.required and i.break_glass_id <> person, false);
end $$;

-- Whether whoever asks can prove by it who they are.
create or replace function can_use_sso() returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (private.own_provider(actor_id())).id is not null;
grant execute on function can_use_sso to healthfund_request;

-- The account that a provider's answer is about, or why there is none. It opens an account only
-- where the address is at a domain that the company has proven, and the person belongs to that
-- company or to none yet.
create or replace function auth.enter_by_sso(provider uuid, subject text, about jsonb)
returns table (user_id uuid, refusal text)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  i identity_providers;
  address text := lower(btrim(about ->> 'email'));
  known_by text := 'sso:' || provider;
  u auth.users;
  p profiles;
begin
  select * into i from auth.provider(provider);
  if not found then return query select null::uuid, 'sso_provider_not_found'; return; end if;
  if not private.is_own_address(i.company_id, address) then
    return query select null::uuid, 'email_address_not_authorized'; return;
  end if;
  -- Two at the same moment: the second finds what the first made.
  perform pg_advisory_xact_lock(hashtext('sso'), hashtext(address));
  select a.* into u from auth.identities d join auth.users a on a.id = d.user_id
    where d.provider = known_by and d.provider_id = subject for update of a;
  if not found then
    select a.* into u from auth.users a where a.email = address and a.aud = 'authenticated'
      for update;
  end if;
  if u.id is null then
    u := private.account_by_sso(known_by, address, about);
  end if;
  select * into p from profiles x where x.id = u.id for update;
  if p.role = 'super_admin' or p.company_id <> i.company_id then
    return query select null::uuid, 'email_exists'; return;
  end if;
  -- Until their last day is over, unless the provider itself ended it.
  if auth.is_barred(u.id) or u.banned_until > now() or p.account_state = 'left'
      and (p.left_on < private.today_at(i.company_id) or exists (select from scim_people s
        where s.company_id = i.company_id and s.person_id = u.id and s.left_on = p.left_on)) then
    return query select null::uuid, 'user_banned'; return;
  end if;
  -- Until now anybody could have prepared the account in the name of this address.
  if u.email_confirmed_at is null and u.email = address then
    perform private.empty_account(u.id);
    update auth.users a set email_confirmed_at = now(),
        raw_user_meta_data = a.raw_user_meta_data || '{"email_verified": true}'
      where a.id = u.id;
  elsif p.status = 'pending' and p.company_id is null then
    perform private.place_new_person(u.id);
  end if;
  -- HR has seen the first password; who comes this way needs none.
  update auth.users a set password_hash = null, password_must_change = false
    where a.id = u.id and a.password_must_change;
  perform private.keep_sso_identity(u.id, known_by, subject, about),
    private.set_department_by_sso(i, u.id, about -> 'attributes');
  return query select u.id, null::text;
end $$;

create or replace function private.account_by_sso(known_by text, address text, about jsonb)
returns auth.users
language sql set search_path = public, pg_catalog, pg_temp as $$
  insert into auth.users (email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    values (address, now(), jsonb_build_object('provider', known_by, 'providers', array[known_by]),
      jsonb_strip_nulls(jsonb_build_object('email', address, 'email_verified', true,
        'full_name', about ->> 'full_name')))
    returning *
$$;

-- Removes all that the person who prepared the account could still open it by.
create or replace function private.empty_account(account uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from auth.sessions s where s.user_id = account;
  delete from auth.factors f where f.user_id = account;
  delete from auth.one_time_tokens t where t.user_id = account;
  update auth.users u set password_hash = null, password_rules = null,
      password_must_change = false, email_change = null
    where u.id = account;
end $$;

create or replace function private.keep_sso_identity(account uuid, known_by text, subject text,
  about jsonb) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into auth.identities as d (user_id, provider, provider_id, identity_data, last_sign_in_at)
    values (account, known_by, subject, jsonb_strip_nulls(jsonb_build_object('sub', subject,
      'email', about ->> 'email', 'email_verified', true, 'full_name', about ->> 'full_name',
      'iss', about ->> 'iss', 'custom_claims', about -> 'attributes')), now())
    on conflict (provider, provider_id) do update
      set identity_data = excluded.identity_data, last_sign_in_at = now(), updated_at = now();
  update auth.users u set raw_app_meta_data = u.raw_app_meta_data || jsonb_build_object(
      'providers', coalesce(u.raw_app_meta_data -> 'providers', '[]') || to_jsonb(known_by))
    where u.id = account and not coalesce(u.raw_app_meta_data -> 'providers', '[]') ? known_by;
end $$;

-- The first rule that fits says the department; without one nothing changes, nor of whoever has a
-- right.
create or replace function private.set_department_by_sso(i identity_providers, person uuid,
  attributes jsonb) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update profiles p set department = r.department
    from (select r.rule ->> 'department' as department
      from jsonb_array_elements(i.department_rules) with ordinality r (rule, at)
      where attributes -> (r.rule ->> 'attribute') ? (r.rule ->> 'value')
      order by r.at limit 1) r
    where p.id = person and p.company_id = i.company_id and not p.has_rights
      and p.department is distinct from r.department
$$;

-- A provider says that somebody has signed out there: one session of theirs, or all.
create or replace function auth.end_sso_sessions(provider uuid, subject text, sid text)
returns bigint
language sql set search_path = pg_catalog, pg_temp as $$
  with ended as (
    delete from auth.sessions s using auth.sso_sessions o
      where o.session_id = s.id and o.provider_id = provider
        and (end_sso_sessions.subject is not null or end_sso_sessions.sid is not null)
        and (end_sso_sessions.subject is null or o.subject = end_sso_sessions.subject)
        and (end_sso_sessions.sid is null or o.sid = end_sso_sessions.sid)
      returning 1)
  select count(*) from ended
$$;

-- A provider that refuses our client lets nobody in: owners are notified, until they have read it.
create or replace function auth.notify_of_sso_refusal(provider uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.notify_all_of('sso_refused',
      array(select private.holders(i.company_id, 'owner')))
    from identity_providers i where i.id = provider;
end $$;

grant execute on function auth.provider_of_domain, auth.provider, auth.must_use_sso,
  auth.enter_by_sso, auth.end_sso_sessions, auth.notify_of_sso_refusal to healthfund_auth;
