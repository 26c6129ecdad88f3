-- People by file: what a company's files look like, files on their way in, and where they are
-- fetched.

create table people_lists (
  company_id     uuid primary key references companies on delete cascade,
  columns        jsonb,
  encoding       text check (encoding in
                   ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250')),
  date_order     text check (date_order in ('dmy', 'mdy')),
  leave_percent  integer check (leave_percent between 0 and 100),
  percent_before integer,
  raised_at      timestamptz
);
comment on table people_lists is 'How a company''s files of people are read (which heading is which field), and how many of its people may leave by file in a day without a second admin. A raised share counts a day later. What is null, or has no row, is as `people_list_of` says.';
alter table people_lists enable row level security;

create table imports (
  company_id   uuid not null references companies on delete cascade,
  id           uuid not null default gen_random_uuid(),
  file_name    text not null check (length(file_name) between 1 and 200),
  encoding     text,
  full_list    boolean not null default false,
  chosen       boolean not null default false,
  status       text not null default 'reading' check (status in
                 ('reading', 'checked', 'waiting', 'importing', 'done', 'undoing', 'undone')),
  uploaded_by  uuid references profiles on delete set null,
  started_by   uuid references profiles on delete set null,
  approved_by  uuid references profiles on delete set null,
  undone_by    uuid references profiles on delete set null,
  -- The key that did it, if one did: the record names it, not its maker.
  uploaded_by_key uuid,
  started_by_key uuid,
  undone_by_key uuid,
  leaves       boolean not null default false,
  left_on      date,
  rows         integer not null default 0,
  fresh        integer not null default 0,
  here         integer not null default 0,
  duplicate    integer not null default 0,
  address_taken integer not null default 0,
  skipped      integer not null default 0,
  invalid      integer not null default 0,
  changes      integer not null default 0,
  same         integer not null default 0,
  missing      integer not null default 0,
  taken        integer not null default 0,
  kept         integer not null default 0,
  untouched    integer not null default 0,
  done         integer not null default 0,
  reached_line integer not null default 0,
  invited_line integer not null default 0,
  created_at   timestamptz not null default now(),
  requested_at timestamptz,
  touched_at   timestamptz not null default now(),
  finished_at  timestamptz,
  primary key (company_id, id)
);
comment on table imports is
  'A file of people on its way in: what was found in it, and how far the taking (or undoing) has come.';
comment on column imports.full_list is 'The file is the list of all employees: who is in it changes to what it says, who is not may leave.';
comment on column imports.chosen is 'No file: people who were chosen in the list, of whom one thing changes. Who was not chosen is not missing.';
comment on column imports.leaves is 'The admin who started it said that those missing leave, on left_on.';
comment on column imports.untouched is 'Rows that were to be applied and were not: something else had happened since the file was compared.';
create index imports_by_age on imports (company_id, created_at desc);
create index imports_waiting on imports (company_id) where status = 'waiting';
create index imports_under_way on imports (touched_at)
  where status in ('reading', 'importing', 'undoing');
alter table imports enable row level security;

create table import_rows (
  company_id       uuid not null,
  import_id        uuid not null,
  line             integer not null,
  full_name        text,
  email            text,
  phone            text,
  department       text,
  personnel_number text,
  joined_on        date,
  left_on          date,
  finding          text not null default 'fresh' check (finding in ('fresh', 'here', 'duplicate',
                     'address_taken', 'skipped', 'invalid', 'taken', 'adopted', 'undone', 'changes',
                     'changed', 'same', 'missing', 'left', 'admin', 'suspended', 'gone', 'conflict',
                     'untouched', 'kept')),
  reason           text,
  person_id        uuid,
  was              jsonb,
  becomes          jsonb,
  primary key (company_id, import_id, line),
  foreign key (company_id, import_id) references imports on delete cascade
) with (fillfactor = 60);
comment on table import_rows is 'The rows of a file as they came, and what became of each.';
comment on column import_rows.was is 'Of what the row changes about a person, as it was when the file was compared; becomes: as the file has it.';
create index import_rows_by_finding on import_rows (company_id, import_id, finding, line)
  where finding not in ('fresh', 'taken');
alter table import_rows enable row level security;

-- Where a company's own system lays its list of employees, and what came of fetching it.
create table people_sources (
  company_id    uuid primary key references companies on delete cascade,
  url           text not null check (length(url) <= 1000),
  login         text check (length(login) <= 200),
  -- A password, or a private key; encrypted, and shown to nobody again.
  secret_kind   text not null default 'none' check (secret_kind in ('none', 'password', 'key')),
  sealed        bytea,
  -- The server's own key, as an admin has said that it is theirs; and another one that was met.
  host_key      text,
  host_key_met  text,
  hour          smallint not null default 5 check (hour between 0 and 23),
  applies       text not null default 'ask' check (applies in ('ask', 'changes', 'all')),
  set_by        uuid references profiles on delete set null,
  set_at        timestamptz not null default now(),
  next_at       timestamptz,
  fetching_at   timestamptz,
  failing_since timestamptz,
  last_hash     bytea
);
comment on table people_sources is 'The file that is fetched each day, by SFTP or https, as the admin who set it; what to do with it: ask, apply what comes and changes, or let those missing leave, too.';
create index people_sources_due on people_sources (next_at) where next_at is not null;
alter table people_sources enable row level security;

create table people_fetches (
  company_id uuid not null references people_sources on delete cascade,
  id         bigint generated always as identity,
  at         timestamptz not null default now(),
  outcome    text not null check (outcome in
               ('same', 'nothing', 'compared', 'applied', 'waiting', 'failed')),
  fault      text check (length(fault) <= 100),
  bytes      integer,
  import_id  uuid,
  primary key (company_id, id)
);
comment on table people_fetches is 'Each time it was fetched: the same file as before, nothing to change, compared, applied, waiting for a second admin, or why not.';
alter table people_fetches enable row level security;
