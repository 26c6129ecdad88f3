-- How the system is doing, when it was last backed up, and whether it is a demo.

-- Each server and each worker tells of itself every few seconds.
create table private.processes (
  id         uuid primary key,
  kind       text not null check (kind in ('server', 'worker')),
  locks      text[] not null default '{}',
  storage    jsonb,
  mail       jsonb,
  heartbeat_at timestamptz not null default now()
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
comment on table private.advisory_check is 'The registry''s last answer about the installed packages, and whether it answered at all. One row.';
alter table private.advisory_check enable row level security;
insert into private.advisory_check default values;

create table private.last_backup (
  one              boolean primary key default true check (one),
  at               timestamptz,
  version          text,
  bytes            bigint,
  late_after_hours integer not null default 26 check (late_after_hours > 0)
);
comment on table private.last_backup is 'When the last backup was made, by a worker or by a command. One row.';
alter table private.last_backup enable row level security;
insert into private.last_backup default values;

create table private.last_drill (
  one      boolean primary key default true check (one),
  at       timestamptz,
  good     boolean,
  sentence text
);
comment on table private.last_drill is 'When a backup was last restored for trial, and what came of it. One row.';
alter table private.last_drill enable row level security;
insert into private.last_drill default values;

-- A demo world that was made to its end, and who enters it. Without a row there is none.
create table demo_world (
  one         boolean primary key default true check (one),
  finished_at timestamptz,
  logins      jsonb not null
);
comment on table demo_world is 'Whether this database holds the demo world, and the logins that everybody may know.';
alter table demo_world enable row level security;
