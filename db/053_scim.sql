-- People and groups as a company's identity provider sends them (SCIM).

-- When what HR sees of a person last changed.
alter table profiles add column changed_at timestamptz;

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
  company_id  uuid not null references companies on delete restrict,
  person_id   uuid not null references profiles on delete cascade,
  -- What the identity provider calls them: often their address, not always.
  user_name   text not null check (length(user_name) between 1 and 255),
  external_id text check (length(external_id) <= 255),
  given_name  text check (length(given_name) <= 100),
  family_name text check (length(family_name) <= 100),
  -- What it said their department is, whatever their groups say.
  department  text check (length(department) between 2 and 100),
  version     integer not null default 1,
  changed_at  timestamptz not null default now(),
  -- It deleted them: they left, and it does not see them until it makes them again.
  deleted_at  timestamptz,
  primary key (company_id, person_id)
);
comment on table scim_people is 'What a company''s identity provider calls its people, beside what HR sees of them.';
create unique index user_name_taken on scim_people (company_id, lower(user_name)) where deleted_at is null;
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
comment on table scim_members is 'Who is in which group of a company''s identity provider.';
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
  -- What it did: to whom, which fields, from what to what.
  changes    jsonb not null default '[]',
  primary key (company_id, id)
);
comment on table scim_calls is 'What a company''s identity provider asked to be written, and what came of it. Old ones go by the clock.';
create index scim_calls_by_age on scim_calls (at);
alter table scim_calls enable row level security;
