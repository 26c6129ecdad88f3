-- Companies and their people.

create function email_domain(email text) returns text language sql immutable
return lower(split_part(email, '@', 2));

create table currencies (
  code     text primary key check (code ~ '^[A-Z]{3}$'),
  decimals smallint not null check (decimals between 0 and 4)
);
comment on table currencies is 'Currencies and their decimals (ISO 4217), filled from the product''s table at each start.';
alter table currencies enable row level security;

create table companies (
  id                   uuid primary key default gen_random_uuid(),
  name                 text not null check (length(name) between 2 and 100),
  domain               text check (domain = lower(domain) and length(domain) <= 253),
  domain_proven_at     timestamptz,
  domain_auto_register boolean not null default false,
  status               text not null default 'pending' check (status in ('pending', 'active', 'suspended')),
  currency             text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  time_zone            text not null default 'UTC',
  admins_need_two_step boolean not null default false,
  version              integer not null default 1,
  created_at           timestamptz not null default now(),
  constraint domain_taken unique (domain),
  constraint domain_not_proven check (not domain_auto_register or domain_proven_at is not null)
);
comment on table companies is 'A company that gives its people health money. Pending until the provider activates it.';
alter table companies enable row level security;

-- A person, one row per account, with the one role they were given (the role they asked for while pending).
create table profiles (
  id                uuid primary key references auth.users on delete cascade,
  company_id        uuid references companies on delete restrict,
  role              text not null check (role in ('super_admin', 'company_admin', 'employee')),
  status            text not null default 'pending' check (status in ('pending', 'active', 'suspended')),
  email             text not null,
  full_name         text not null check (length(full_name) between 1 and 100),
  phone             text check (length(phone) between 10 and 20),
  department        text check (length(department) between 2 and 100),
  requested_company text check (length(requested_company) <= 100),
  confirmed_at      timestamptz,
  asked_at          timestamptz,
  invited_at        timestamptz,
  joined_on         date not null default current_date,
  left_on           date,
  has_left          boolean not null default false,
  erased_at         timestamptz,
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  sort_name         text collate "und-x-icu"
                      generated always as (lower(full_name collate "und-x-icu")) stored,
  sought            text collate "C"
                      generated always as (lower(full_name || ' ' || email collate "und-x-icu")) stored,
  standing          text generated always as (case
                      when status = 'active' and has_left then 'left'
                      when status = 'pending' and asked_at is not null then 'asking'
                      else status end) stored,
  unique (company_id, id),
  constraint an_active_person_has_a_company
    check (status = 'pending' or role = 'super_admin' or company_id is not null)
);
comment on table profiles is 'A person, one row per account, with the one role they were given (while pending: asked for). Who waits for approval has `asked_at`; who was invited has not.';
create index people_by_email on profiles (company_id, email, id);
create index people_by_joining on profiles (company_id, joined_on, id);
create index people_by_department on profiles (company_id, (coalesce(department, '')), sort_name, id);
create index people_by_words on profiles using gin (company_id, sought gin_trgm_ops);
create index people_of_no_company on profiles (email_domain(email)) where company_id is null;
create index everybody_by_age on profiles (created_at, id);
create index everybody_by_name on profiles (sort_name, id);
create index admins_by_name on profiles (role, sort_name, id) where role <> 'employee';
create index waiting_by_name on profiles (status, sort_name, id) where status <> 'active';
create index people_about_to_leave on profiles (left_on) where left_on is not null and not has_left;
-- A list is read in its order, from where the last page ended; each order and each filter has its index. What
-- it is looked through for lies in the index itself: going past those who do not fit reads no row of theirs.
create index people_by_name on profiles (company_id, sort_name, id)
  include (sought, role, standing, department);
-- Those of a standing are counted by department, too.
create index people_by_standing on profiles (company_id, standing, sort_name, id) include (department, role);
-- Words of the queue are a person's: looked up by the claim's, without the row.
create index people_words on profiles (company_id, id) include (sought);
alter table profiles enable row level security;

-- Domains of mail providers that anybody can have an address at: never a company's.
create table free_mail_domains (domain text primary key);
comment on table free_mail_domains is 'Mail providers open to anybody, filled from a kept public list at each start.';
alter table free_mail_domains enable row level security;

create table preferences (
  person_id           uuid primary key references profiles on delete cascade,
  email_notifications boolean not null default true,
  claim_updates       boolean not null default true,
  fund_alerts         boolean not null default true,
  health_tips         boolean not null default false
);
comment on table preferences is 'Which mails a person wants. No row: as the defaults say.';
alter table preferences enable row level security;

-- How many people there are, kept: a list, its count and its summary read the same rows. One row per
-- company is also the one lock that changes to its people meet at, so that they cannot deadlock.
create table headcounts (
  company_id uuid primary key,
  asking     integer not null default 0,
  pending    integer not null default 0,
  active     integer not null default 0,
  suspended  integer not null default 0,
  has_left   integer not null default 0,
  admins_pending   integer not null default 0,
  admins_active    integer not null default 0,
  admins_suspended integer not null default 0,
  supers_pending   integer not null default 0,
  supers_active    integer not null default 0,
  supers_suspended integer not null default 0
);
comment on table headcounts is 'How many people a company has in each standing (employees, unless named otherwise; asking: of any role); the row of zeros is for people of no company. Kept by triggers on profiles.';
alter table headcounts enable row level security;

create table departments (
  company_id uuid not null,
  department text not null,
  people     integer not null,
  primary key (company_id, department)
);
comment on table departments is 'How many employees are in each department of a company. Kept by triggers on profiles.';
alter table departments enable row level security;

create table headcount_days (
  company_id uuid not null,
  day        date not null,
  employees  integer not null,
  primary key (company_id, day)
);
comment on table headcount_days is 'How many employees a company had at the end of each day on which that changed. Kept by a trigger on headcounts.';
alter table headcount_days enable row level security;

create type private.newcomer as (email text, full_name text, phone text, department text);

-- A kind of people in a company, and by how many there are more or fewer.
create type private.people_change as (
  company_id uuid, role text, status text, standing text, department text, change bigint);
