-- By which provider a company's people sign in, and people and groups as it sends them (SCIM).

create table identity_providers (
  company_id         uuid not null references companies on delete restrict,
  -- Another issuer is another provider: whom it calls by a number is somebody else.
  id                 uuid not null default gen_random_uuid(),
  kind               text not null check (kind in ('oidc', 'saml')),
  -- The issuer of OpenID Connect; the entity id of SAML.
  issuer             text not null check (length(issuer) between 1 and 1000),
  client_id          text check (length(client_id) <= 500),
  -- Encrypted by the installation's key.
  sealed             bytea,
  ending             text check (length(ending) = 4),
  sign_in_url        text check (length(sign_in_url) <= 1000),
  sign_out_url       text check (length(sign_out_url) <= 1000),
  certificates       text[] not null default '{}',
  enabled            boolean not null default false,
  required           boolean not null default false,
  -- The one whose password still works where all others must sign in by the provider.
  break_glass_id     uuid,
  -- Values of acr, amr or the authentication context that count as a second step.
  second_step_by     text[] not null default '{}',
  -- [{attribute, value, department}], the first that fits.
  department_rules   jsonb not null default '[]',
  -- The admin who vouches that this is the company's provider.
  connected_by       uuid,
  checking           boolean not null default false,
  checked_at         timestamptz,
  fault              text check (fault in ('address', 'answer', 'issuer', 'keys', 'certificate')),
  made_at            timestamptz not null default now(),
  changed_at         timestamptz not null default now(),
  primary key (company_id),
  unique (id),
  foreign key (company_id, break_glass_id) references profiles (company_id, id) on delete no action,
  foreign key (company_id, connected_by) references profiles (company_id, id)
    on delete set null (connected_by),
  constraint whole_of_its_kind check (case kind
    when 'oidc' then client_id is not null and sealed is not null and ending is not null
    else sign_in_url is not null and cardinality(certificates) between 1 and 10 end),
  constraint required_needs_break_glass
    check (not required or enabled and break_glass_id is not null)
);
comment on table identity_providers is 'By which provider the people of a company sign in, and by what rules they come in. One per company.';
alter table identity_providers enable row level security;

create table auth.sso_states (
  state_hash     bytea primary key,
  provider_id    uuid not null,
  redirect_to    text not null,
  code_challenge text not null,
  -- Only the answer to this very request can carry them: nonce and verifier, or the request's id.
  nonce          text not null,
  verifier       text,
  created_at     timestamptz not null default now()
);
comment on table auth.sso_states is 'Sign-ins that a person began at an identity provider: each answer is taken once, within minutes.';
create index sso_states_by_age on auth.sso_states (created_at);
alter table auth.sso_states enable row level security;

create table auth.sso_codes (
  code_hash      bytea primary key,
  user_id        uuid not null references auth.users on delete cascade,
  provider_id    uuid not null,
  kind           text not null check (kind in ('oidc', 'saml')),
  subject        text not null,
  -- The session there, by which a sign-out there finds the session here.
  sid            text,
  code_challenge text not null,
  second_step    boolean not null,
  proven_at      timestamptz not null,
  created_at     timestamptz not null default now()
);
comment on table auth.sso_codes is 'Exchanged by a browser that came back from an identity provider for its session: once, within minutes.';
create index sso_codes_by_user on auth.sso_codes (user_id);
alter table auth.sso_codes enable row level security;

create table auth.sso_sessions (
  session_id  uuid primary key references auth.sessions on delete cascade,
  provider_id uuid not null,
  subject     text not null,
  sid         text
);
comment on table auth.sso_sessions is 'Sessions that began at an identity provider, by what it calls their person and session.';
create index sso_sessions_by_subject on auth.sso_sessions (provider_id, subject);
alter table auth.sso_sessions enable row level security;

create table auth.sso_seen (
  provider_id uuid not null,
  message     text not null,
  seen_at     timestamptz not null default now(),
  primary key (provider_id, message)
);
comment on table auth.sso_seen is 'Assertions and sign-outs of identity providers that were taken: none is taken twice.';
create index sso_seen_by_age on auth.sso_seen (seen_at);
alter table auth.sso_seen enable row level security;

create table auth.sso_keys (
  company_id  uuid primary key,
  -- Encrypted by the installation's key.
  sealed      bytea not null,
  certificate text not null,
  made_at     timestamptz not null default now()
);
comment on table auth.sso_keys is 'By company, the key by which requests to a SAML provider are signed and its assertions decrypted.';
alter table auth.sso_keys enable row level security;

create table scim_settings (
  company_id uuid primary key references companies on delete restrict,
  -- Whether who is added gets a link by mail; without one they come in by the company's sign-in.
  invites    boolean not null default true,
  -- Calls are answered as they would be, and nothing is written.
  dry_run    boolean not null default false
);
comment on table scim_settings is 'How a company takes people from its identity provider. No row: as the defaults say.';
alter table scim_settings enable row level security;

create table scim_people (
  company_id       uuid not null references companies on delete restrict,
  person_id        uuid not null references profiles on delete cascade,
  -- The identity provider's name for the person: often their address, not always.
  user_name        text not null check (length(user_name) between 1 and 255),
  external_id      text check (length(external_id) <= 255),
  -- Names as they were sent, so that it reads again what it wrote. `full_name` is the person's name
  -- then: as long as it is theirs, its parts are shown as they were sent.
  full_name        text check (length(full_name) <= 100),
  formatted        text check (length(formatted) <= 100),
  given_name       text check (length(given_name) <= 100),
  family_name      text check (length(family_name) <= 100),
  -- `work`, `mobile`, …, and whether it is their first one.
  email_type       text check (length(email_type) <= 50),
  email_first      boolean,
  phone_type       text check (length(phone_type) <= 50),
  phone_first      boolean,
  -- The department it sent, whatever their groups say.
  department       text check (length(department) between 2 and 100),
  -- As they were sent: what it said it can take back.
  personnel_number text check (length(personnel_number) between 1 and 40),
  phone            text check (length(phone) between 10 and 20),
  -- The last day it set, and in place of which: it takes back no other, and HR's comes back. So
  -- does a first day that was still to come, in place of which there is that same day meanwhile.
  left_on          date,
  hr_left_on       date,
  hr_joined_on     date,
  version          integer not null default 1,
  changed_at       timestamptz not null default now(),
  -- It deleted them: they left, and it does not see them until it makes them again.
  deleted_at       timestamptz,
  primary key (company_id, person_id)
);
comment on table scim_people is 'The identity provider''s own names and values for a company''s people, beside what HR sees of them.';
create unique index user_name_taken on scim_people (company_id, lower(user_name))
  where deleted_at is null;
create index scim_people_by_person on scim_people (person_id);
alter table scim_people enable row level security;

create table scim_groups (
  company_id   uuid not null references companies on delete restrict,
  id           uuid not null default gen_random_uuid(),
  display_name text not null check (length(display_name) between 1 and 200),
  external_id  text check (length(external_id) <= 255),
  -- Where its people work, if HR says so.
  department   text check (length(department) between 2 and 100),
  version      integer not null default 1,
  created_at   timestamptz not null default now(),
  changed_at   timestamptz not null default now(),
  primary key (company_id, id)
);
comment on table scim_groups is 'Groups of a company''s identity provider, and which department each stands for.';
create unique index group_taken on scim_groups (company_id, lower(display_name));
alter table scim_groups enable row level security;

create table scim_members (
  company_id uuid not null,
  group_id   uuid not null,
  person_id  uuid not null references profiles on delete cascade,
  primary key (company_id, group_id, person_id),
  foreign key (company_id, group_id) references scim_groups (company_id, id) on delete cascade
);
comment on table scim_members is 'Members of the groups of a company''s identity provider.';
create index scim_groups_of on scim_members (company_id, person_id);
create index scim_members_by_person on scim_members (person_id);
alter table scim_members enable row level security;

create table scim_calls (
  company_id uuid not null references companies on delete restrict,
  id         bigint generated always as identity,
  key_id     uuid not null,
  at         timestamptz not null default now(),
  method     text not null check (length(method) <= 10),
  path       text not null check (length(path) <= 200),
  dry_run    boolean not null,
  status     smallint not null,
  -- Why it was refused.
  code       text check (length(code) <= 60),
  -- Changes it made: to whom, which fields, from what to what.
  changes    jsonb not null default '[]',
  primary key (company_id, id)
);
comment on table scim_calls is 'Writes that a company''s identity provider asked for, and their outcome. Old ones are deleted by a job.';
create index scim_calls_by_age on scim_calls (at);
alter table scim_calls enable row level security;
