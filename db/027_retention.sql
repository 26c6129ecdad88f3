-- What went by the clock is written down; the record of changes begins where it was cut.

create table drops (
  id   bigint generated always as identity primary key,
  rule text not null,
  days integer not null,
  rows bigint not null check (rows > 0),
  at   timestamptz not null default now()
);
comment on table drops is 'What was dropped because its time was over: by which rule of src/lib/retention.ts, after how many days, how many rows. Audited, so sealed.';
alter table drops enable row level security;

create table audit_cuts (
  company_id uuid not null,
  number     bigint not null,
  hash       bytea not null,
  at         timestamptz not null default now(),
  primary key (company_id, number)
);
comment on table audit_cuts is 'Where a chain of the record begins since its oldest entries were dropped: the number and the seal of the last that went. Audited: the entry of the same chain is what is believed.';
alter table audit_cuts enable row level security;

create index notifications_by_age on notifications (at);
create index mails_by_age on mails (at);
