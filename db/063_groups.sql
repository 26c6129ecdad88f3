-- Groups of a company's people: those of some departments, or picked one by one.
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
  primary key (company_id, group_id, person_id),
  foreign key (company_id, group_id) references employee_groups on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table employee_group_people is 'Who was picked for a group that goes by no department; gone with their erasure.';
create index groups_of_person on employee_group_people (company_id, person_id);
alter table employee_group_people enable row level security;
