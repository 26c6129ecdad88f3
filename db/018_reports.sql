-- Reports of the provider: asked for, made in the background, kept as files, sent each month by
-- schedule.

create table reports (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null check (kind in ('fund_allocation', 'claims_activity',
                'company_performance', 'utilization_trends')),
  -- Not `company_id`: the report is the provider's, only what it is about is the company.
  of_company  uuid references companies on delete cascade,
  from_on     date not null,
  to_on       date not null,
  title       text not null check (length(title) <= 300),
  status      text not null default 'waiting'
                check (status in ('waiting', 'making', 'ready', 'failed')),
  percent     smallint not null default 0 check (percent between 0 and 100),
  tries       smallint not null default 0,
  run         uuid,
  fault       text check (length(fault) <= 500),
  is_scheduled boolean not null default false,
  requested_by uuid references profiles on delete set null,
  pdf_bytes   integer,
  xlsx_bytes  integer,
  csv_bytes   integer,
  created_at  timestamptz not null default now(),
  made_at     timestamptz,
  -- Where it was read from a standby: everything committed until then is in it.
  as_of       timestamptz,
  constraint period_ends_before_it_begins check (from_on <= to_on)
);
comment on table reports is 'A report of the provider over all companies or one: asked for, being made, ready or failed.';
create index reports_newest on reports (created_at desc, id desc);
create index reports_of_a_kind on reports (kind, created_at desc, id desc);
create index reports_of_company on reports (of_company) where of_company is not null;
-- Asked for twice while it waits or is being made, it is the same report.
create unique index report_under_way on reports (kind,
  coalesce(of_company, '00000000-0000-0000-0000-000000000000'), from_on, to_on)
  where status in ('waiting', 'making');
-- A month's report by schedule is made once, however many servers and clocks there are.
create unique index report_of_the_month on reports (kind, from_on) where is_scheduled;
alter table reports enable row level security;

create table report_files (
  report_id uuid not null references reports on delete cascade,
  format    text not null check (format in ('pdf', 'xlsx', 'csv')),
  part      integer not null,
  bytes     bytea not null,
  primary key (report_id, format, part)
);
comment on table report_files is 'A report''s files in parts, here and not on a disk: any server can hand them out.';
alter table report_files enable row level security;

create table report_schedules (
  id         uuid primary key default gen_random_uuid(),
  person_id  uuid not null references profiles on delete cascade,
  kind       text not null check (kind in ('fund_allocation', 'claims_activity',
               'company_performance', 'utilization_trends')),
  created_at timestamptz not null default now(),
  constraint scheduled_once unique (person_id, kind)
);
comment on table report_schedules is 'The provider''s staff whom each kind of report is sent to, on the first of each month.';
alter table report_schedules enable row level security;
