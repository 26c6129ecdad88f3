-- Health checks: who offers them, when, and who comes. Who booked what is the person's own affair
-- (docs/decisions/007-health-checks.md).

create table check_providers (
  id         uuid primary key default gen_random_uuid(),
  company_id uuid references companies on delete restrict,
  name       text not null check (length(name) between 2 and 100),
  offers     text not null check (length(offers) between 2 and 100),
  place      text not null check (length(place) between 2 and 200),
  note       text check (length(note) <= 500),
  time_zone  text not null,
  closed_at  timestamptz,
  version    integer not null default 1,
  created_at timestamptz not null default now()
);
comment on table check_providers is 'A provider of health checks: for all companies, set up by the platform (no company), or for one, set up by its HR.';
create index check_providers_of on check_providers (company_id, lower(name));
alter table check_providers enable row level security;

create table check_slots (
  id           uuid primary key default gen_random_uuid(),
  company_id   uuid references companies on delete restrict,
  provider_id  uuid not null references check_providers on delete restrict,
  starts_at    timestamptz not null,
  minutes      smallint not null check (minutes between 5 and 480),
  day          date not null,
  capacity     smallint not null check (capacity between 1 and 500),
  taken        smallint not null default 0 check (taken >= 0),
  closed_at    timestamptz,
  close_reason text check (length(close_reason) <= 200),
  created_at   timestamptz not null default now(),
  constraint slot_full check (taken <= capacity),
  constraint slot_already_there unique (provider_id, starts_at)
);
comment on table check_slots is 'A time at which so many people can come. `taken` counts the bookings and never passes the capacity; `day` is the provider''s own calendar day.';
create index check_slots_by_day on check_slots (provider_id, day, starts_at);
alter table check_slots enable row level security;

create table check_bookings (
  company_id    uuid not null,
  id            uuid not null default gen_random_uuid(),
  person_id     uuid not null,
  slot_id       uuid not null references check_slots on delete restrict,
  day           date not null,
  starts_at     timestamptz not null,
  status        text not null default 'booked' check (status in ('booked', 'cancelled')),
  cancelled_side  text check (cancelled_side in ('person', 'provider', 'company')),
  cancel_reason text check (length(cancel_reason) <= 200),
  code          text not null,
  sequence      integer not null default 0,
  booked_at     timestamptz not null default now(),
  changed_at    timestamptz not null default now(),
  reminded_at   timestamptz,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  check ((status = 'cancelled') = (cancelled_side is not null))
);
comment on table check_bookings is 'A person''s place. `code` is what they say at the desk of a provider who is not told names; `sequence` counts the changes, for calendars.';
create unique index booked_that_day on check_bookings (company_id, person_id, day)
  where status = 'booked';
create index check_bookings_of on check_bookings (company_id, person_id, starts_at);
create index check_bookings_at on check_bookings (slot_id) where status = 'booked';
create index check_bookings_to_come on check_bookings (starts_at)
  where status = 'booked' and reminded_at is null;
alter table check_bookings enable row level security;
