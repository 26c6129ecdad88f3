-- A company's identity provider: connected, tried, switched on and told its rules by its admins.

create policy your_companys on identity_providers for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select (company_id, id, kind, issuer, client_id, ending, sign_in_url, sign_out_url,
  certificates, enabled, required, break_glass_id, second_step_by, department_rules, checking,
  checked_at, fault) on identity_providers to healthfund_request;
create or replace trigger audit after insert or update or delete on identity_providers
  for each row execute function audited('sealed', 'checking', 'checked_at', 'fault', 'changed_at');

create or replace function private.lock_identity_provider() returns identity_providers
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare i identity_providers;
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  select * into i from identity_providers x where x.company_id = actor_company() for update;
  if not found then perform private.refuse('not_found'); end if;
  return i;
end $$;

create or replace function private.notify_of_provider() returns void
language sql
begin atomic
  select notify_right_holders(actor_company(), 'sso_changed');
end;

-- The identity provider controls every account of the company, so with two owners one connects it
-- and the other switches it on.
create or replace function private.lone_identity_provider_refusal(company uuid, connected_by uuid)
returns text
language sql stable
return case when (connected_by = actor_id() or counts_as_one('owner', connected_by, actor_id()))
    and has_second_person('owner', company, actor_id()) then 'sso_needs_second_owner' end;

-- Why the provider may not be switched on, required or changed as it is now; null where it may.
-- Only an owner who has signed in by it may require it. While it is on, a company with a second
-- owner can't change the settings that decide who signs in.
create or replace function private.identity_provider_refusal(act text, company uuid) returns text
language sql stable
return (select case
  when act = 'switch_on' then case
    when i.checked_at is null or i.fault is not null then 'sso_not_tested'
    when not exists (select from private.domains_of(company)) then 'sso_needs_domain'
    else private.lone_identity_provider_refusal(company, i.connected_by) end
  when act = 'require' then case
    when not i.enabled then 'sso_off'
    when not i.required and not exists (select from auth.sso_sessions s
        where s.session_id = nullif(current_setting('app.session', true), '')::uuid
          and s.provider_id = i.id) then 'sso_try_first' end
  when act = 'change' and i.enabled and has_second_person('owner', company, actor_id())
    then 'sso_switch_off_first' end
  from identity_providers i where i.company_id = company);

create or replace function identity_provider_refusals(company uuid) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select json_build_object(
    'switch', case when not i.enabled
      then private.identity_provider_refusal('switch_on', company) end,
    'require', private.identity_provider_refusal('require', company),
    'change', private.identity_provider_refusal('change', company))
  from identity_providers i where i.company_id = company and private.may_know(company)
    and actor_has('owner'));

-- Owners of whom one may keep a working password when all others lose theirs.
create or replace function owners_with_password(company uuid)
returns table (id uuid, full_name text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select p.id, p.full_name from private.holders(company, 'owner') h (id)
    join profiles p on p.id = h.id and p.account_state = 'active'
    join auth.users u on u.id = p.id and u.password_hash is not null
    where private.may_know(company) and actor_has('owner') order by p.sort_name, p.id;
end;

-- Another issuer or kind is a different provider: it starts switched off, and knows none of the
-- people whom the earlier one knew.
create or replace function connect_identity_provider(provider jsonb, sealed bytea) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n identity_providers := jsonb_populate_record(null::identity_providers, provider);
  had identity_providers;
  connected_by uuid := actor_id();
begin
  perform private.require_right('owner'), private.lock_active_company();
  select * into had from identity_providers i where i.company_id = actor_company() for update;
  if (had.kind, had.issuer) is distinct from (n.kind, n.issuer) then
    delete from identity_providers i where i.company_id = actor_company();
    had := null;
  end if;
  if n.kind = 'oidc' and sealed is null and had.sealed is null then
    perform private.refuse('client_secret_needed');
  end if;
  n.certificates := coalesce(n.certificates, '{}');
  if (had.client_id, had.sign_in_url, had.certificates)
      is distinct from (n.client_id, n.sign_in_url, n.certificates) then
    perform private.refuse(private.identity_provider_refusal('change', had.company_id));
  else
    connected_by := had.connected_by; -- a secret that was renewed is nobody's word
  end if;
  perform private.refuse_unless_fresh();
  insert into identity_providers as i (company_id, kind, issuer, client_id, sealed, ending,
      sign_in_url, sign_out_url, certificates, connected_by)
    values (actor_company(), n.kind, n.issuer, n.client_id, coalesce(sealed, had.sealed),
      coalesce(n.ending, had.ending), n.sign_in_url, n.sign_out_url, n.certificates,
      connected_by)
    on conflict (company_id) do update set client_id = excluded.client_id,
      sealed = excluded.sealed, ending = excluded.ending, sign_in_url = excluded.sign_in_url,
      sign_out_url = excluded.sign_out_url, certificates = excluded.certificates,
      connected_by = excluded.connected_by, checked_at = null, fault = null, changed_at = now();
  perform private.notify_of_provider(), private.queue_sso_check(actor_company());
end $$;

create or replace function private.queue_sso_check(company uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update identity_providers i set checking = true where i.company_id = company;
  perform add_job('sso:check', json_build_object('company_id', company),
    key => 'sso:check ' || company), publish('admins:' || company);
end $$;

create or replace function test_identity_provider() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i identity_providers := private.lock_identity_provider();
begin
  perform private.queue_sso_check(i.company_id);
end $$;

create or replace function private.note_provider_check(company uuid, wrong text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update identity_providers i set checking = false, checked_at = now(), fault = wrong
    where i.company_id = company;
  perform publish('admins:' || company);
end $$;

create or replace function switch_identity_provider(enabled boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i identity_providers := private.lock_identity_provider();
begin
  perform private.refuse(case when switch_identity_provider.enabled
    then private.identity_provider_refusal('switch_on', i.company_id) end),
    private.refuse_unless_fresh();
  update identity_providers x set enabled = switch_identity_provider.enabled,
      required = x.required and switch_identity_provider.enabled, changed_at = now()
    where x.company_id = i.company_id;
  perform private.notify_of_provider();
end $$;

-- How many people's passwords work even if the provider is required (auth.must_use_sso), besides
-- the named owner: it would not let them in.
create or replace function people_outside_identity_provider() returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select coalesce(sum(d.people), 0)::bigint
    from (select email_domain(p.email) as domain, count(*) as people
        from profiles p join identity_providers i on i.company_id = p.company_id
        where actor_has('owner') and p.company_id = actor_company() and p.account_state = 'active'
          and p.id is distinct from i.break_glass_id and not private.has_signed_in_by(i.id, p.id)
        group by 1) d
    where not private.owns_domain(actor_company(), d.domain);
end;

create or replace function change_identity_provider_rules(rules jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  i identity_providers := private.lock_identity_provider();
  n identity_providers := jsonb_populate_record(null::identity_providers, rules);
begin
  if n.required then
    perform private.refuse(coalesce(private.identity_provider_refusal('require', i.company_id),
      case when not exists (select from owners_with_password(i.company_id) o
        where o.id = n.break_glass_id)
        then 'no_such_break_glass' end));
  end if;
  if not n.second_step_by <@ i.second_step_by then
    perform private.refuse(private.identity_provider_refusal('change', i.company_id));
  end if;
  perform private.refuse_unless_fresh();
  update identity_providers x set required = n.required, break_glass_id = n.break_glass_id,
      second_step_by = n.second_step_by, department_rules = n.department_rules, changed_at = now()
    where x.company_id = i.company_id;
  if n.required then
    delete from auth.sessions s using profiles p where p.id = s.user_id
      and auth.must_use_sso(p.id) and p.company_id = i.company_id
      and not exists (select from auth.sso_sessions o where o.session_id = s.id);
  end if;
  perform private.notify_of_provider();
end $$;

create or replace function remove_identity_provider() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i identity_providers := private.lock_identity_provider();
begin
  perform private.refuse_unless_fresh();
  delete from identity_providers x where x.company_id = i.company_id;
  perform private.notify_of_provider();
end $$;

grant execute on function connect_identity_provider, test_identity_provider,
  switch_identity_provider, change_identity_provider_rules, remove_identity_provider,
  people_outside_identity_provider, identity_provider_refusals, owners_with_password
  to healthfund_request;
