-- Files of people on their way in.

create table imports (
  company_id   uuid not null references companies on delete cascade,
  id           uuid not null default gen_random_uuid(),
  file_name    text not null check (length(file_name) between 1 and 200),
  status       text not null default 'reading'
                 check (status in ('reading', 'checked', 'importing', 'done', 'undoing', 'undone')),
  started_by   uuid references profiles on delete set null,
  rows         integer not null default 0,
  fresh        integer not null default 0,
  here         integer not null default 0,
  twice        integer not null default 0,
  elsewhere    integer not null default 0,
  skipped      integer not null default 0,
  invalid      integer not null default 0,
  taken        integer not null default 0,
  kept         integer not null default 0,
  done         integer not null default 0,
  reached_line integer not null default 0,
  invited_line integer not null default 0,
  created_at   timestamptz not null default now(),
  touched_at   timestamptz not null default now(),
  finished_at  timestamptz,
  primary key (company_id, id)
);
comment on table imports is
  'A file of people on its way in: what was found in it, and how far the taking (or undoing) has come.';
create index imports_by_age on imports (company_id, created_at desc);
create index imports_under_way on imports (touched_at) where status in ('reading', 'importing', 'undoing');
alter table imports enable row level security;

create table import_rows (
  company_id uuid not null,
  import_id  uuid not null,
  line       integer not null,
  full_name  text,
  email      text,
  phone      text,
  department text,
  finding    text not null default 'fresh' check (finding in ('fresh', 'here', 'twice', 'elsewhere',
               'skipped', 'invalid', 'taken', 'adopted', 'undone')),
  reason     text,
  person_id  uuid,
  primary key (company_id, import_id, line),
  foreign key (company_id, import_id) references imports on delete cascade
) with (fillfactor = 60);
comment on table import_rows is 'The rows of a file as they came, and what became of each.';
create index import_rows_by_finding on import_rows (company_id, import_id, finding, line)
  where finding not in ('fresh', 'taken');
alter table import_rows enable row level security;
