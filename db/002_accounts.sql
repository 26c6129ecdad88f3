-- Accounts, their sessions, factors and one-time tokens: what the auth service at /auth/v1 keeps.

create table auth.users (
  id                       uuid primary key default gen_random_uuid(),
  aud                      text not null default 'authenticated'
                             check (length(aud) between 1 and 255),
  role                     text not null default 'authenticated' check (length(role) <= 255),
  -- One address: what is mailed to an account goes to nobody else.
  email                    text check (length(email) <= 255 and email !~ '[\s,;:<>()"]'),
  phone                    text check (length(phone) <= 255),
  password_hash            text,
  password_rules           text,
  -- Given by an administrator of the auth service; any other is only as good as who typed it before
  -- the address was proven.
  password_vouched         boolean not null default false,
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
  'An account: who signs in, with what, and what is pending on it. `placement` is decided by '
  'whoever made it (role, company, …), and read once by the trigger that makes the '
  'person; `two_step` is kept by a trigger.';
create index users_by_age on auth.users (aud, created_at desc, id);
create index users_by_email_change on auth.users (email_change) where email_change is not null;
alter table auth.users enable row level security;

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
  'The email address or phone number of an account.';
create index identities_by_user on auth.identities (user_id);
alter table auth.identities enable row level security;

create table auth.factors (
  id                 uuid primary key default gen_random_uuid(),
  user_id            uuid not null references auth.users on delete cascade,
  factor_type        text not null check (factor_type in ('totp', 'phone', 'webauthn',
                       'recovery_code')),
  status             text not null default 'unverified'
                       check (status in ('unverified', 'verified')),
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
create unique index one_set_of_recovery_codes on auth.factors (user_id)
  where factor_type = 'recovery_code';
alter table auth.factors enable row level security;

create table auth.recovery_codes (
  factor_id uuid not null references auth.factors on delete cascade,
  code_hash bytea not null,
  used_at   timestamptz,
  primary key (factor_id, code_hash)
);
comment on table auth.recovery_codes is
  'Ten codes that stand in for the second step, each once, by keyed hash only. New ones replace all.';
alter table auth.recovery_codes enable row level security;

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
alter table auth.challenges enable row level security;

create table auth.sessions (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references auth.users on delete cascade,
  factor_id     uuid references auth.factors on delete set null,
  aal           text not null default 'aal1' check (aal in ('aal1', 'aal2')),
  refresh_key   bytea not null,
  refresh_count bigint not null default 0,
  -- Tokens from before the second step must not come to it by racing with those after it.
  refresh_floor integer not null default 0,
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
alter table auth.sessions enable row level security;

create table auth.amr_claims (
  session_id uuid not null references auth.sessions on delete cascade,
  method     text not null,
  at         timestamptz not null,
  primary key (session_id, method)
);
comment on table auth.amr_claims is
  'How the person of a session proved who they are, and when last.';
alter table auth.amr_claims enable row level security;

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
  'Links and codes that were mailed, by hash only: one of a kind per account, a newer one '
  'replaces the older.';
create index one_time_tokens_by_address on auth.one_time_tokens (relates_to);
alter table auth.one_time_tokens enable row level security;

create table auth.devices (
  user_id uuid not null references auth.users on delete cascade,
  name    text not null check (length(name) <= 60),
  seen_at timestamptz not null,
  primary key (user_id, name)
);
comment on table auth.devices is
  'From which kinds of program an account was signed in to, such as ''Firefox on Windows'': a new '
  'one is told to the owner.';
alter table auth.devices enable row level security;

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
alter table auth.signing_keys enable row level security;

create table auth.setup_links (
  token_hash bytea primary key,
  created_at timestamptz not null default now()
);
comment on table auth.setup_links is
  'The one-time link that makes the first super admin of an installation, by hash only.';
alter table auth.setup_links enable row level security;

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
  'The history of accounts: sign-ins, sign-outs, changes. Written, never edited.';
create index audit_log_entries_by_actor on auth.audit_log_entries (actor_id, id desc);
alter table auth.audit_log_entries enable row level security;

-- Unlogged: after a crash everybody starts with a full bucket, which is all that is lost.
create unlogged table auth.buckets (
  name  text primary key,
  level double precision not null,
  at    timestamptz not null
);
comment on table auth.buckets is
  'Token buckets that must hold across server processes: mails sent, failed sign-ins, wrong '
  'codes.';
alter table auth.buckets enable row level security;

-- Accounts in bulk, without passwords or with ready hashes. Those already known are left alone and
-- not returned. For functions of the owner: who may add whom is for them to check.
create type auth.new_account as (
  email text, full_name text, placement jsonb, password_hash text);
