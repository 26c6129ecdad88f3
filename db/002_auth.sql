-- Accounts, their sessions, factors and one-time tokens: what the auth service at /auth/v1 keeps.
-- It alone works here, by the login `healthfund_auth`; every other login comes in by a function.

create schema auth;
revoke all on schema auth from public;
grant usage on schema auth to healthfund_auth;

create table auth.users (
  id                       uuid primary key default gen_random_uuid(),
  aud                      text not null default 'authenticated' check (length(aud) between 1 and 255),
  role                     text not null default 'authenticated' check (length(role) <= 255),
  email                    text check (length(email) <= 255),
  phone                    text check (length(phone) <= 255),
  password_hash            text,
  password_rules           text,
  password_must_change     boolean not null default false,
  email_confirmed_at       timestamptz,
  phone_confirmed_at       timestamptz,
  invited_at               timestamptz,
  confirmation_sent_at     timestamptz,
  recovery_sent_at         timestamptz,
  reauthentication_sent_at timestamptz,
  email_change             text,
  email_change_sent_at     timestamptz,
  email_change_halves      smallint not null default 0 check (email_change_halves in (0, 1)),
  warned_at                timestamptz,
  last_sign_in_at          timestamptz,
  raw_app_meta_data        jsonb not null default '{}',
  raw_user_meta_data       jsonb not null default '{}',
  placement                jsonb,
  two_step                 boolean not null default false,
  banned_until             timestamptz,
  deleted_at               timestamptz,
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  constraint email_exists unique (email, aud),
  constraint phone_exists unique (phone, aud)
);
comment on table auth.users is
  'An account: who signs in, with what, and what is pending on it. `placement` is what '
  'whoever made it decided (role, company, …), read once by the trigger that makes the '
  'person; `two_step` is kept by a trigger.';
create index users_by_age on auth.users (aud, created_at desc, id);
create index users_by_email_change on auth.users (email_change) where email_change is not null;

create table auth.identities (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references auth.users on delete cascade,
  provider        text not null,
  provider_id     text not null,
  identity_data   jsonb not null,
  last_sign_in_at timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique (provider, provider_id)
);
comment on table auth.identities is
  'By what an account is known: its e-mail address or its phone number.';
create index identities_by_user on auth.identities (user_id);

create table auth.factors (
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null references auth.users on delete cascade,
  factor_type        text not null check (factor_type in ('totp', 'phone', 'webauthn')),
  status             text not null default 'unverified' check (status in ('unverified', 'verified')),
  friendly_name      text not null default '' check (length(friendly_name) <= 255),
  phone              text,
  secret             bytea,
  used_steps         jsonb not null default '[]',
  credential         jsonb,
  last_challenged_at timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now()
);
comment on table auth.factors is
  'A second step of an account: an authenticator app (its secret encrypted), a phone or a '
  'passkey.';
create index factors_by_user on auth.factors (user_id);

create table auth.challenges (
  id          uuid primary key default gen_random_uuid(),
  factor_id   uuid not null references auth.factors on delete cascade,
  address     text,
  code_hash   bytea,
  ceremony    text check (ceremony in ('create', 'request')),
  challenge   text,
  attempts    smallint not null default 0,
  verified_at timestamptz,
  created_at  timestamptz not null default now()
);
comment on table auth.challenges is
  'A factor asked to prove itself: once, within minutes, from one address.';
create index challenges_by_factor on auth.challenges (factor_id);

create table auth.sessions (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  factor_id     uuid references auth.factors on delete set null,
  aal           text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  refresh_key   bytea not null,
  refresh_count bigint not null default 0,
  refreshed_at  timestamptz,
  user_agent    text,
  address       text,
  created_at    timestamptz not null default now()
);
comment on table auth.sessions is
  'A signed-in device. Its refresh tokens follow from the key and the counter; deleting the '
  'row ends it at once.';
create index sessions_by_user on auth.sessions (user_id);
create index sessions_by_factor on auth.sessions (factor_id) where factor_id is not null;

create table auth.amr_claims (
  session_id uuid not null references auth.sessions on delete cascade,
  method     text not null,
  at         timestamptz not null,
  primary key (session_id, method)
);
comment on table auth.amr_claims is
  'How the person of a session proved who they are, and when last.';

create table auth.one_time_tokens (
  user_id    uuid not null references auth.users on delete cascade,
  kind       text not null check (kind in ('confirmation', 'recovery', 'email_change_new',
               'email_change_current', 'reauthentication')),
  relates_to text not null,
  link_hash  bytea not null unique,
  code_hash  bytea not null,
  attempts   smallint not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind)
);
comment on table auth.one_time_tokens is
  'What was mailed as link and code, by hash only: one of a kind per account, a newer one '
  'replaces the older.';
create index one_time_tokens_by_address on auth.one_time_tokens (relates_to);

create table auth.signing_keys (
  kid         text primary key,
  public_jwk  jsonb not null,
  private_jwk bytea,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz
);
comment on table auth.signing_keys is
  'Keys of the access tokens: one signs (encrypted with the installation''s key), retired '
  'ones verify until their tokens end.';

create table auth.setup_links (
  token_hash bytea primary key,
  created_at timestamptz not null default now()
);
comment on table auth.setup_links is
  'The one-time link that makes the first super admin of an installation, by hash only.';

create table auth.audit_log_entries (
  id         bigint generated always as identity primary key,
  at         timestamptz not null default now(),
  action     text not null,
  actor_id   uuid,
  actor_name text,
  address    text,
  traits     jsonb not null default '{}'
);
comment on table auth.audit_log_entries is
  'What happened to accounts: sign-ins, sign-outs, changes. Written, never edited.';
create index audit_log_entries_by_actor on auth.audit_log_entries (actor_id, id desc);

-- Unlogged: after a crash everybody starts with a full bucket, which is all that is lost.
create unlogged table auth.buckets (
  name  text primary key,
  level double precision not null,
  at    timestamptz not null
);
comment on table auth.buckets is
  'Token buckets that must hold across server processes: mails sent, failed sign-ins, wrong '
  'codes.';

do $$
declare name text;
begin
  foreach name in array array['users', 'identities', 'factors', 'challenges', 'sessions', 'amr_claims',
      'one_time_tokens', 'signing_keys', 'setup_links', 'audit_log_entries', 'buckets'] loop
    execute format('alter table auth.%I enable row level security', name);
    execute format('create policy the_auth_service on auth.%I to healthfund_auth
      using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on auth.%I to healthfund_auth', name);
  end loop;
end $$;
revoke update, delete on auth.audit_log_entries from healthfund_auth;

create function auth.keep_two_step() returns trigger language plpgsql set search_path = pg_catalog as $$
declare person uuid := coalesce(new.user_id, old.user_id);
begin
  update auth.users u set two_step = d.due
    from (select exists (select from auth.factors f
            where f.user_id = person and f.status = 'verified') as due) d
    where u.id = person and u.two_step <> d.due;
  return null;
end $$;
create trigger keep_two_step after insert or update of status or delete on auth.factors
  for each row execute function auth.keep_two_step();

-- Takes one from a bucket that holds `burst` and refills by `per_second`; false if it is empty.
create function auth.take(bucket text, burst double precision, per_second double precision,
  now_at timestamptz) returns boolean
language sql set search_path = pg_catalog
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

-- Accounts in bulk, without passwords or with ready hashes. Those already known are left alone and not
-- returned. For functions of the owner: who may add whom is for them to check.
create type auth.new_account as (
  email text, full_name text, placement jsonb, password_hash text);

create function auth.add_accounts(people auth.new_account[]) returns table (id uuid, email text)
language sql set search_path = pg_catalog as $$
  with given as materialized (
    select distinct on (lower(btrim(p.email))) gen_random_uuid() as id, lower(btrim(p.email)) as email,
        p.full_name, p.placement, p.password_hash
      from unnest(people) p order by lower(btrim(p.email))),
  told as materialized (
    select g.*, jsonb_build_object('sub', g.id, 'email', g.email, 'email_verified', false,
        'phone_verified', false, 'full_name', g.full_name) as about
      from given g),
  added as (
    insert into auth.users (id, email, password_hash, password_must_change, placement,
        raw_app_meta_data, raw_user_meta_data)
      select t.id, t.email, t.password_hash, t.password_hash is not null, t.placement,
          '{"provider": "email", "providers": ["email"]}', t.about
        from told t
      on conflict on constraint email_exists do nothing
      returning users.id, users.email, users.raw_user_meta_data as about),
  known_by as (
    insert into auth.identities (user_id, provider, provider_id, identity_data)
      select a.id, 'email', a.id::text, a.about from added a)
  select a.id, a.email from added a
$$;

create function auth.end_sessions(user_ids uuid[]) returns bigint
language sql set search_path = pg_catalog as $$
  with ended as (delete from auth.sessions where user_id = any (user_ids) returning 1)
  select count(*) from ended
$$;

create function auth.has_super_admin() returns boolean
language plpgsql stable security definer set search_path = pg_catalog as $$
begin
  return exists (select from public.profiles where role = 'super_admin' and status = 'active');
end $$;

-- The first super admin of an installation, once: whoever waits for the lock finds it done.
create function auth.make_first_super_admin(person uuid, full_name text) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtext('auth setup'));
  if auth.has_super_admin() then return false; end if;
  delete from auth.setup_links;
  update public.profiles p set role = 'super_admin', status = 'active', company_id = null,
      full_name = make_first_super_admin.full_name
    where p.id = person;
  return found;
end $$;

-- Forgets what is over. Run daily by a job.
create function auth.tidy() returns void
language sql set search_path = pg_catalog
begin atomic
  delete from auth.one_time_tokens where expires_at < now() - interval '1 day';
  delete from auth.challenges where created_at < now() - interval '1 day';
  delete from auth.factors where status = 'unverified' and created_at < now() - interval '1 day';
  delete from auth.signing_keys where retired_at < now() - interval '30 days';
  delete from auth.buckets where at < now() - interval '1 day';
  delete from auth.audit_log_entries where at < now() - interval '400 days';
end;

revoke execute on all functions in schema auth from public;
grant execute on function auth.take(text, double precision, double precision, timestamptz),
  auth.add_accounts(auth.new_account[]), auth.end_sessions(uuid[]), auth.has_super_admin(),
  auth.make_first_super_admin(uuid, text) to healthfund_auth;
