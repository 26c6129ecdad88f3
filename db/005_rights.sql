-- Rights that people have for their company, absences with their deputies, and groups of people.

create table company_rights (
  company_id   uuid not null references companies on delete cascade,
  id           uuid not null default gen_random_uuid(),
  person_id    uuid not null references profiles on delete cascade,
  kind         text not null check (kind in
                 ('owner', 'people', 'reviewer', 'receipts', 'finance', 'auditor', 'viewer')),
  begins_at    timestamptz not null default now(),
  ends_at      timestamptz,
  given_by     uuid references profiles on delete set null,
  given_at     timestamptz not null default now(),
  confirmed_by uuid references profiles on delete set null,
  confirmed_at timestamptz,
  ended_by     uuid references profiles on delete set null,
  ended_at     timestamptz,
  primary key (company_id, id),
  constraint right_backwards check (ends_at > begins_at)
);
comment on table company_rights is 'Rights of people for their company: from when until when, who gave each, which other owner confirmed it, who ended it. One counts once it is confirmed; the founder''s, and those the provider gave, have nobody who gave them.';
create unique index one_right_of_a_kind on company_rights (company_id, person_id, kind)
  where ended_at is null;
create index rights_of_person on company_rights (person_id);
create index rights_of_kind on company_rights (company_id, kind) where ended_at is null;
create index rights_ended on company_rights (company_id, kind, ended_at) where ended_at is not null;
create index rights_to_end on company_rights (ends_at)
  where ended_at is null and ends_at is not null;
alter table company_rights enable row level security;

create table absences (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  deputy_id  uuid,
  by_id      uuid,
  from_on    date not null,
  to_on      date not null,
  begun_at   timestamptz,
  ended_at   timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  foreign key (company_id, deputy_id) references profiles (company_id, id)
    on delete set null (deputy_id),
  constraint absence_ends_before_it_begins check (from_on <= to_on),
  constraint absence_too_long check (to_on - from_on < 366)
);
comment on table absences is 'From when until when an admin is away, in days of the company, and who has their work. Who that is decides as themselves: an absence gives nobody a right. `begun_at`, `ended_at`: when the deputy, and who is back, were told.';
comment on column absences.by_id is 'The other admin who entered it, for who fell ill can''t; null where whoever is away did.';
create index absences_of_person on absences (company_id, person_id, to_on);
create index absences_to_begin on absences (from_on) where begun_at is null;
create index absences_to_end on absences (to_on) where ended_at is null;
alter table absences enable row level security;

create table employee_groups (
  company_id  uuid not null references companies on delete cascade,
  id          uuid not null default gen_random_uuid(),
  name        text not null check (length(name) between 2 and 60),
  departments text[] check (cardinality(departments) between 1 and 100),
  version     integer not null default 1,
  created_at  timestamptz not null default now(),
  primary key (company_id, id)
);
comment on table employee_groups is 'Groups of a company''s people. With `departments` whoever is in one of them is in the group, computed whenever it is asked; without, those of employee_group_people are.';
create unique index group_exists on employee_groups (company_id, lower(name));
alter table employee_groups enable row level security;

create table employee_group_people (
  company_id uuid not null,
  group_id   uuid not null,
  person_id  uuid not null,
  added_at   timestamptz not null default now(),
  -- The admin who added them, and can undo it; null where it was no request.
  added_by   uuid,
  primary key (company_id, group_id, person_id),
  foreign key (company_id, group_id) references employee_groups on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table employee_group_people is 'People picked for a group that goes by no department; deleted with their erasure.';
create index groups_of_person on employee_group_people (company_id, person_id);
alter table employee_group_people enable row level security;
