-- What visitors write to the provider, and whether this installation is a demo.

create table leads (
  id          uuid primary key default gen_random_uuid(),
  full_name   text not null check (length(full_name) between 2 and 100),
  email       text not null check (length(email) between 3 and 255),
  company     text not null check (length(company) between 2 and 100),
  people      integer not null check (people between 1 and 10000000),
  message     text not null check (length(message) between 10 and 4000),
  suspect     boolean not null default false,
  received_at timestamptz not null default now(),
  answered_at timestamptz,
  answered_by uuid references profiles on delete set null
);
comment on table leads is 'Messages of the contact page. Read by the provider alone, gone after a year; what a machine seems to have sent after a month.';
create index leads_by_age on leads (received_at, id);
create index leads_by_sender on leads (lower(email), received_at);
alter table leads enable row level security;

-- A demo world that was made to its end, and who enters it. Without a row there is none.
create table demo_world (
  one         boolean primary key default true check (one),
  made_for    date not null,
  finished_at timestamptz,
  logins      jsonb not null
);
comment on table demo_world is 'Whether this database holds the demo world, the day it was made for, and the logins that everybody may know.';
alter table demo_world enable row level security;
