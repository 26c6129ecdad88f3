-- How the system is doing: each server and each worker tells of itself every few seconds.

create table private.processes (
  id         uuid primary key,
  kind       text not null check (kind in ('server', 'worker')),
  locks      text[] not null default '{}',
  storage    jsonb,
  mail       jsonb,
  started_at timestamptz not null default now(),
  told_at    timestamptz not null default now()
);
comment on table private.processes is 'The servers and workers that run: when they last told of themselves, what they found, and under which names a worker''s jobs are locked.';
alter table private.processes enable row level security;

create table private.response_minutes (
  minute timestamptz not null,
  server uuid not null,
  counts integer[] not null,
  faults integer not null,
  primary key (minute, server)
);
comment on table private.response_minutes is 'How many answers of the API took how long, per minute and server: counts by the steps of src/system/steps.ts.';
alter table private.response_minutes enable row level security;

create table private.mail_sent (
  one boolean primary key default true check (one),
  at  timestamptz
);
comment on table private.mail_sent is 'When the mail server last took a mail of ours. One row.';
alter table private.mail_sent enable row level security;
insert into private.mail_sent default values;

create table private.advisory_check (
  one        boolean primary key default true check (one),
  since      timestamptz not null default now(),
  tried_at   timestamptz,
  checked_at timestamptz,
  packages   integer,
  findings   jsonb not null default '[]',
  fault      text
);
comment on table private.advisory_check is 'What the registry last said about the installed packages, and whether it answered at all. One row.';
alter table private.advisory_check enable row level security;
insert into private.advisory_check default values;
