-- People by file: the company's own numbers for them, what its files look like, and files that are
-- the whole list.

alter table profiles add column personnel_number text
  check (length(personnel_number) between 1 and 40);
-- Of those who have one: it must not be read in place of the indexes that lists go by.
create unique index personnel_number_taken on profiles (company_id, personnel_number)
  where personnel_number is not null;
comment on column profiles.personnel_number is 'What the company''s own HR system calls this person.';

create table people_lists (
  company_id     uuid primary key references companies on delete cascade,
  columns        jsonb not null default '{}',
  encoding       text check (encoding in ('utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250')),
  date_order     text not null default 'dmy' check (date_order in ('dmy', 'mdy')),
  leave_percent  integer not null default 5 check (leave_percent between 0 and 100),
  percent_before integer not null default 5,
  raised_at      timestamptz
);
comment on table people_lists is 'How a company''s files of people are read (which heading is which field), and how many of its people may leave by file in a day without a second admin. A raised share counts a day later. No row: as the defaults say.';
alter table people_lists enable row level security;

alter table imports add column whole boolean not null default false,
  add column encoding text,
  add column uploaded_by uuid references profiles on delete set null,
  add column approved_by uuid references profiles on delete set null,
  add column leaves boolean not null default false,
  add column left_on date,
  add column asked_at timestamptz,
  add column changes integer not null default 0,
  add column same integer not null default 0,
  add column missing integer not null default 0,
  add column untouched integer not null default 0;
comment on column imports.whole is 'The file is the list of all employees: who is in it changes to what it says, who is not may leave.';
comment on column imports.leaves is 'Whoever started it said that those missing leave, on left_on.';
comment on column imports.untouched is 'Rows that were to be applied and were not: something else had happened since the file was compared.';
update imports set uploaded_by = started_by;
alter table imports drop constraint imports_status_check, add constraint imports_status_check
  check (status in ('reading', 'checked', 'waiting', 'importing', 'done', 'undoing', 'undone'));
create index imports_waiting on imports (company_id) where status = 'waiting';

alter table import_rows add column personnel_number text,
  add column joined_on date,
  add column left_on date,
  add column was jsonb,
  add column becomes jsonb;
comment on column import_rows.was is 'Of what the row changes about a person, as it was when the file was compared; becomes: as the file has it.';
alter table import_rows drop constraint import_rows_finding_check, add constraint import_rows_finding_check
  check (finding in ('fresh', 'here', 'twice', 'elsewhere', 'skipped', 'invalid', 'taken', 'adopted',
    'undone', 'changes', 'changed', 'same', 'missing', 'left', 'admin', 'suspended', 'gone',
    'conflict', 'passed', 'kept'));
