-- Sign-in by a company's own identity provider.

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
  -- Whose password still works where all others must come by the provider.
  break_glass_id     uuid,
  -- Values of acr, amr or the authentication context that count as a second step.
  second_step_by     text[] not null default '{}',
  -- [{attribute, value, department}], the first that fits.
  department_rules   jsonb not null default '[]',
  checking           boolean not null default false,
  checked_at         timestamptz,
  fault              text check (fault in ('address', 'answer', 'issuer', 'keys', 'certificate')),
  made_at            timestamptz not null default now(),
  changed_at         timestamptz not null default now(),
  primary key (company_id),
  unique (id),
  foreign key (company_id, break_glass_id) references profiles (company_id, id) on delete no action,
  constraint whole_of_its_kind check (case kind
    when 'oidc' then client_id is not null and sealed is not null and ending is not null
    else sign_in_url is not null and cardinality(certificates) between 1 and 10 end),
  constraint required_needs_break_glass check (not required or enabled and break_glass_id is not null)
);
comment on table identity_providers is 'By which provider the people of a company sign in, and by what rules they come in. One per company.';
alter table identity_providers enable row level security;

create table auth.sso_states (
  state_hash     bytea primary key,
  provider_id    uuid not null,
  redirect_to    text not null,
  code_challenge text not null,
  -- What only the answer to this one question may carry: nonce and verifier, or the request's id.
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
comment on table auth.sso_codes is 'What a browser that came back from an identity provider exchanges for its session: once, within minutes.';
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
