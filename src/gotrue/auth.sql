-- The auth service in the database. It logs in as `healthfund_auth` and works in the schema `auth`
-- alone.

grant usage on schema auth to healthfund_auth;

create policy the_auth_service on auth.users to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.users to healthfund_auth;

create policy the_auth_service on auth.identities to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.identities to healthfund_auth;

create policy the_auth_service on auth.factors to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.factors to healthfund_auth;

create policy the_auth_service on auth.recovery_codes to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.recovery_codes to healthfund_auth;

create policy the_auth_service on auth.challenges to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.challenges to healthfund_auth;

create policy the_auth_service on auth.sessions to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.sessions to healthfund_auth;

create policy the_auth_service on auth.amr_claims to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.amr_claims to healthfund_auth;

create policy the_auth_service on auth.one_time_tokens to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.one_time_tokens to healthfund_auth;

create policy the_auth_service on auth.devices to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.devices to healthfund_auth;

create policy the_auth_service on auth.signing_keys to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.signing_keys to healthfund_auth;

create policy the_auth_service on auth.setup_links to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.setup_links to healthfund_auth;

create policy the_auth_service on auth.audit_log_entries to healthfund_auth
  using (true) with check (true);
grant select, insert on auth.audit_log_entries to healthfund_auth;

create policy the_auth_service on auth.buckets to healthfund_auth
  using (true) with check (true);
grant select, insert, update, delete on auth.buckets to healthfund_auth;

-- Keeps whether an account has a second step. When the last one is removed, so are its recovery
-- codes.
create or replace function auth.keep_two_step() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
  person uuid := coalesce(new.user_id, old.user_id);
  due boolean := exists (select from auth.factors f where f.user_id = person
    and f.status = 'verified'
    and f.factor_type <> 'recovery_code');
begin
  update auth.users u set two_step = due where u.id = person and u.two_step <> due;
  if not due then
    delete from auth.factors f where f.user_id = person and f.factor_type = 'recovery_code';
  end if;
  return null;
end $$;
create or replace trigger keep_two_step after insert or update of status or delete on auth.factors
  for each row execute function auth.keep_two_step();

-- Takes one from a bucket that holds `burst` and refills by `per_second`; false if it is empty.
create or replace function auth.take_from_bucket(bucket text, burst double precision,
  per_second double precision,
  now_at timestamptz) returns boolean
language sql
begin atomic
  with taken as (
    insert into auth.buckets as b (name, level, at) values (bucket, burst - 1, now_at)
      on conflict (name) do update set at = greatest(b.at, now_at), level = least(burst,
          b.level + greatest(extract(epoch from now_at - b.at), 0) * per_second) - 1
        where least(burst,
          b.level + greatest(extract(epoch from now_at - b.at), 0) * per_second) >= 1
      returning true)
  select exists (select from taken);
end;

create or replace function auth.add_accounts(people auth.new_account[])
  returns table (id uuid, email text)
language sql set search_path = pg_catalog, pg_temp as $$
  with new_accounts as materialized (
    select distinct on (lower(btrim(p.email))) gen_random_uuid() as id,
      lower(btrim(p.email)) as email,
        p.full_name, p.placement, p.password_hash
      from unnest(people) p order by lower(btrim(p.email))),
  described as materialized (
    select g.*, jsonb_build_object('sub', g.id, 'email', g.email, 'email_verified', false,
        'phone_verified', false, 'full_name', g.full_name) as about
      from new_accounts g),
  added as (
    insert into auth.users (id, email, password_hash, password_must_change, placement,
        raw_app_meta_data, raw_user_meta_data)
      select t.id, t.email, t.password_hash, t.password_hash is not null, t.placement,
          '{"provider": "email", "providers": ["email"]}', t.about
        from described t
      on conflict on constraint email_exists do nothing
      returning users.id, users.email, users.raw_user_meta_data as about),
  known_by as (
    insert into auth.identities (user_id, provider, provider_id, identity_data)
      select a.id, 'email', a.id::text, a.about from added a)
  select a.id, a.email from added a
$$;

create or replace function auth.end_sessions(user_ids uuid[]) returns bigint
language sql set search_path = pg_catalog, pg_temp as $$
  with ended as (delete from auth.sessions where user_id = any (user_ids) returning 1)
  select count(*) from ended
$$;

create or replace function auth.has_super_admin() returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return exists (select from public.profiles where role = 'super_admin' and status = 'active');
end $$;

-- Makes the first super admin of an installation, once: a second call waits for the lock and finds
-- it done.
create or replace function auth.make_first_super_admin(person uuid, full_name text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('auth setup'));
  if auth.has_super_admin() then return false; end if;
  delete from auth.setup_links;
  update public.profiles p set role = 'super_admin', status = 'active',
      suspended_by = null, company_id = null, full_name = make_first_super_admin.full_name
    where p.id = person;
  return found;
end $$;

-- Forgets what is over. Run daily by a job.
create or replace function auth.delete_expired() returns void
language sql
begin atomic
  delete from auth.one_time_tokens where expires_at < now() - interval '1 day';
  delete from auth.challenges where created_at < now() - interval '1 day';
  delete from auth.factors where status = 'unverified' and created_at < now() - interval '1 day';
  delete from auth.signing_keys where retired_at < now() - interval '30 days';
  delete from auth.buckets where at < now() - interval '1 day';
  delete from auth.sso_states where created_at < now() - interval '1 day';
  delete from auth.sso_codes where created_at < now() - interval '1 day';
  delete from auth.sso_seen where seen_at < now() - interval '1 day';
end;

-- Whether an account may have sessions at all: asked by the auth service at sign-in and refresh.
create or replace function auth.is_barred(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return exists (
  select from profiles p left join companies c on c.id = p.company_id
  where p.id = person and (p.status = 'suspended' or c.status = 'suspended'));

-- Admins' sessions are worth more to a thief, so they end sooner.
create or replace function auth.is_admin(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return exists (select from profiles p where p.id = person and p.status = 'active'
  and private.is_admin(p.role, p.has_rights));

-- Open streams belong to a session and a role: each server checks those of this person again.
create or replace function private.publish_ended_sessions() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.publish_now('session:' || g.user_id) from (select distinct user_id from gone) g;
  return null;
end $$;
create or replace trigger publish_ended_sessions after delete on auth.sessions
  referencing old table as gone for each statement
    execute function private.publish_ended_sessions();

create or replace function private.publish_session() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.publish_now('session:' || (to_jsonb(new) ->> tg_argv[0]));
  return null;
end $$;
create or replace trigger publish_lifted_session after update of aal on auth.sessions for each row
  when (old.aal <> new.aal) execute function private.publish_session('user_id');

-- Adds a notice under the bell for an act of the auth service, which mails it itself whatever the
-- person's settings say. Answers the company, whose name the mail has.
create or replace function auth.notify_owner(person uuid, code text, facts jsonb) returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.notify(array[person], code, facts);
  return (select c.name from profiles p join companies c on c.id = p.company_id
    where p.id = person);
end $$;

grant execute on function auth.take_from_bucket, auth.has_super_admin,
  auth.make_first_super_admin, auth.is_barred, auth.is_admin, auth.notify_owner to healthfund_auth;
