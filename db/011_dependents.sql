-- The family members a person's Solidarity money is for: whom it covers, from when, until when.

create table family_rules (
  company_id      uuid primary key references companies on delete restrict,
  approval_needed boolean,
  child_age       smallint check (child_age between 16 and 40)
);
comment on table family_rules is 'A company''s rules about dependents: whether its HR approves each, and at which age children are no longer covered. What is null, or has no row, is as `family_rules_of` says.';
alter table family_rules enable row level security;

create table dependents (
  company_id     uuid not null,
  id             uuid not null default gen_random_uuid(),
  person_id      uuid not null,
  full_name      text not null check (length(full_name) between 2 and 100),
  relationship   text not null check (relationship in ('spouse', 'child', 'parent')),
  born_on        date not null,
  covered_from   date not null,
  covered_to     date,
  status         text not null check (status in ('requested', 'active', 'declined', 'withdrawn')),
  added_on       date not null,
  added_at       timestamptz not null default now(),
  approval       boolean not null default false,
  ended_at       timestamptz,
  ended_by_hr    boolean not null default false,
  decline_reason text check (length(decline_reason) <= 500),
  notified_last_day date,
  notified_days  smallint,
  version        integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  -- Measured against the day of adding, so that they stay true for ever.
  constraint born_in_the_future check (born_on <= added_on),
  constraint born_too_long_ago check (born_on > added_on - interval '130 years'),
  constraint cover_before_birth check (covered_from >= born_on),
  constraint cover_ends_before_it_begins check (covered_to >= covered_from),
  -- On no day two: who was divorced may marry again, the day after.
  constraint one_active_spouse exclude using gist (company_id with =, person_id with =,
    daterange(covered_from, covered_to, '[]') with &&)
    where (relationship = 'spouse' and status in ('requested', 'active'))
);
comment on table dependents is 'A family member of a person. Covered from `covered_from` on while `active`, until `covered_to` or the end of the month in which a child is too old; rows stay when cover is over.';
comment on column dependents.status is 'Requested waits for HR; active was approved or needed none. Whether it covers on a day is `covers`.';
comment on column dependents.approval is 'Whether HR approved it, so that its facts are HR''s, too.';
create index dependents_of on dependents (company_id, person_id);
create index dependents_requested on dependents (company_id, added_at, id)
  where status = 'requested';
alter table dependents enable row level security;

-- The history of each dependent, for the person and HR to read.
create table dependent_events (
  company_id   uuid not null,
  id           bigint generated always as identity,
  dependent_id uuid not null,
  at           timestamptz not null default now(),
  by_role      text not null,
  event        text not null check (event in ('added', 'requested', 'approved', 'declined',
                 'withdrawn', 'changed', 'ended', 'resumed', 'reminded')),
  day          date,
  undone_at    timestamptz,
  primary key (company_id, id),
  foreign key (company_id, dependent_id) references dependents (company_id, id) on delete cascade
);
comment on table dependent_events is 'The history of each dependent, oldest first. `day` is the day it is about, such as the last day of cover.';
comment on column dependent_events.undone_at is 'When whoever decided undid it. The person was never told, and does not see it.';
create index dependent_events_of on dependent_events (company_id, dependent_id, id);
alter table dependent_events enable row level security;
