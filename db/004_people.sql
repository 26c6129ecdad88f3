-- People, how many there are, and what is kept of them.

-- A text as it is looked for: small letters without accents. Without settings of its own, so that
-- it becomes part of what asks it, and of indexes.
create function without_accents(words text) returns text language sql immutable
return replace(translate(lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')
  collate "und-x-icu"), 'øłđı', 'oldi'), 'ß', 'ss');

-- A person, one row per account, with the one role they were given (the role they asked for while
-- pending). Looked for without accents, as people type: by name, e-mail, phone (also without its
-- spaces) and department.
create table profiles (
  id                uuid primary key references auth.users on delete cascade,
  company_id        uuid references companies on delete restrict,
  role              text not null check (role in ('super_admin', 'company_admin', 'employee')),
  has_rights        boolean not null default false,
  has_own           boolean not null default false,
  status            text not null default 'pending'
                      check (status in ('pending', 'active', 'suspended')),
  suspended_by      text check (suspended_by in ('company', 'provider')),
  account_state     text generated always as (case
                      when status = 'active' and has_left then 'left'
                      when status = 'pending' and requested_at is not null then 'requested'
                      else status end) stored,
  email             text not null,
  full_name         text not null check (length(full_name) between 1 and 100),
  phone             text check (length(phone) between 10 and 20),
  department        text check (length(department) between 2 and 100),
  personnel_number  text check (length(personnel_number) between 1 and 40),
  manager_id        uuid references profiles on delete set null,
  sort_name         text collate "und-x-icu"
                      generated always as (lower(full_name collate "und-x-icu")) stored,
  search_text       text collate "C" generated always as (
    without_accents(full_name || ' ' || email || ' '
      || coalesce(phone || ' ' || regexp_replace(phone, '[^0-9+]', '', 'g'), '')
      || ' ' || coalesce(department, ''))) stored,
  requested_company text check (length(requested_company) <= 100),
  declined_company_id       uuid references companies on delete set null,
  says_elsewhere    boolean not null default false,
  confirmed_at      timestamptz,
  requested_at      timestamptz,
  invited_at        timestamptz,
  -- A day of their company's calendar, not of the database's: the trigger day_of_joining writes it.
  joined_on         date not null,
  left_on           date,
  left_set_on       date,
  has_left          boolean not null default false,
  erased_at         timestamptz,
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  -- When what HR sees of them last changed.
  changed_at        timestamptz,
  unique (company_id, id),
  check (status = 'suspended' or suspended_by is null),
  constraint an_active_person_has_a_company
    check (status = 'pending' or role = 'super_admin' or company_id is not null),
  constraint employment_ends_before_it_begins check (left_on >= joined_on)
);
comment on table profiles is 'A person, one row per account, with the one role they were given (while pending: asked for). Who waits for approval has `requested_at`; who was invited has not.';
comment on column profiles.has_rights is 'Has been given a right for the company that has not been ended: kept by company_rights. Such a person is one of its employees or, by their role, none.';
comment on column profiles.has_own is 'An admin with a fund, claims or family from their time as an employee: what is their own they do as an employee.';
comment on column profiles.suspended_by is 'A company can''t bring back whom the provider suspended.';
comment on column profiles.left_set_on is 'The company''s day on which `left_on` was last set or removed: a leaver''s money stays for another day, so that a mistyped one can be repaired.';
comment on column profiles.personnel_number is 'The person''s number in the company''s own HR system.';
comment on column profiles.manager_id is 'The first to approve for this person where a step of the policy asks for the manager. Nobody decides on a claim of their own manager.';
comment on column profiles.declined_company_id is 'The company whose admin declined this person’s request last: its auto-registration passes them over.';
comment on column profiles.says_elsewhere is 'The person said that they don’t belong to the company of `declined_company_id`; its admin declined nothing.';
create index people_by_email on profiles (company_id, email, id);
create index people_by_joining on profiles (company_id, joined_on, id);
create index people_by_department
  on profiles (company_id, (coalesce(department, '')), sort_name, id);
create index people_of_no_company on profiles (email_domain(email)) where company_id is null;
create index people_about_to_leave on profiles (left_on) where left_on is not null and not has_left;
create index people_of_manager on profiles (manager_id) where manager_id is not null;
-- Of those who have one: it must not be read in place of the indexes that lists go by.
create unique index personnel_number_taken on profiles (company_id, personnel_number)
  where personnel_number is not null;
-- Deciders are notified of each thing that comes to wait: found without reading all people of the
-- company.
create index admins_of_company on profiles (company_id) where role = 'company_admin';
-- Lets a list of people with rights skip companies that have none.
create index people_with_rights on profiles (company_id) where has_rights;
create index people_requested on profiles (company_id, requested_at)
  where account_state = 'requested';
create index admins_requested on profiles (requested_at)
  where account_state = 'requested' and role <> 'employee';
create index everybody_by_age on profiles (created_at, id);
create index everybody_by_name on profiles (sort_name, id);
create index admins_by_name on profiles (role, sort_name, id) where role <> 'employee';
create index waiting_by_name on profiles (status, sort_name, id) where status <> 'active';
-- A list is read in its order, from where the last page ended; each order and each filter has its
-- index. What it is looked through for lies in the index itself: going past those who do not fit
-- reads no row of theirs.
create index people_in_order on profiles (company_id, sort_name, id)
  include (search_text, role, account_state, department);
create index people_by_search_text on profiles using gin (company_id, search_text gin_trgm_ops);
-- Those of an account state are counted by department, too.
create index people_by_account_state on profiles (company_id, account_state, sort_name, id)
  include (department, role);
-- Words of the queue are a person's: looked up by the claim's, without the row.
create index people_search_text on profiles (company_id, id) include (search_text);
alter table profiles enable row level security;

create table preferences (
  person_id           uuid primary key references profiles on delete cascade,
  email_notifications boolean not null,
  claim_updates       boolean not null,
  fund_alerts         boolean not null,
  health_tips         boolean not null
);
comment on table preferences is 'Which mails a person wants. No row: as `preferences_of` says.';
alter table preferences enable row level security;

create table person_notes (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  text       text not null check (length(text) between 1 and 2000),
  written_by uuid not null,
  written_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table person_notes is 'Notes of a company''s admins about one of its people: read by those admins alone, in the person''s own export, gone with their erasure.';
create index person_notes_of on person_notes (company_id, person_id, written_at desc);
alter table person_notes enable row level security;

create table saved_views (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  page       text not null check (page in ('claims', 'employees')),
  name       text not null check (length(name) between 1 and 60),
  filters    jsonb not null check (jsonb_typeof(filters) = 'object' and not jsonb_path_exists(
    filters, 'strict $.* ? (@.type() != "string" || !(@ like_regex "^.{0,100}$" flag "s"))')),
  shared     boolean not null default false,
  version    integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table saved_views is 'A page''s filters that a person saved, for themselves or shared with all of the company who may open the page. `filters` are the names and values of the address.';
create unique index view_exists on saved_views (company_id, person_id, page, lower(name));
create index saved_views_shared on saved_views (company_id, page) where shared;
alter table saved_views enable row level security;

create table people_added (
  company_id uuid not null references companies on delete cascade,
  day        date not null,
  people     integer not null,
  primary key (company_id, day)
);
comment on table people_added is 'How many people a company''s admins added or wrote to on a day: what bounds its mails.';
alter table people_added enable row level security;

-- How many people there are, kept: a list, its count and its summary read the same rows. One row
-- per company is also the one lock that changes to its people meet at, so that they cannot
-- deadlock.
create table headcounts (
  company_id uuid primary key,
  requested  integer not null default 0,
  pending    integer not null default 0,
  active     integer not null default 0,
  suspended  integer not null default 0,
  leavers    integer not null default 0,
  admins_pending   integer not null default 0,
  admins_active    integer not null default 0,
  admins_suspended integer not null default 0,
  supers_pending   integer not null default 0,
  supers_active    integer not null default 0,
  supers_suspended integer not null default 0
);
comment on table headcounts is 'How many people a company has in each account state (employees, unless named otherwise; requested: of any role); the row of zeros is for people of no company. Kept by triggers on profiles.';
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
comment on table headcount_days is 'How many employees a company had at the end of each day on which that changed, without those who had left. Kept by a trigger on headcounts.';
alter table headcount_days enable row level security;

create type private.newcomer as (email text, full_name text, phone text, department text);

-- A kind of people in a company, and by how many there are more or fewer.
create type private.people_change as (
  company_id uuid, role text, status text, account_state text, department text, change bigint);
