-- What people of a group are given in a plan year, where that isn't what the company's plan gives.
create table group_plans (
  company_id       uuid not null,
  plan_year        date not null,
  group_id         uuid not null,
  id               uuid generated always as (group_id) stored,
  position         smallint not null check (position between 1 and 100),
  counts_from      date not null,
  prevention_cents bigint not null check (prevention_cents between 0 and 1e12),
  treatment_cents  bigint not null check (treatment_cents between 0 and 1e12),
  solidarity_cents bigint not null check (solidarity_cents between 0 and 1e12),
  primary key (company_id, plan_year, group_id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  constraint group_in_use foreign key (company_id, group_id) references employee_groups,
  constraint group_plan_order unique (company_id, plan_year, position) deferrable initially deferred
);
comment on table group_plans is 'What the people of a group are given in a plan year, from a day on. Who is in several groups that have one has the first by `position`. `id` is the group''s, for the record of changes.';
create index group_plans_of_group on group_plans (company_id, group_id);
alter table group_plans enable row level security;

-- Of which group the plan is that a grant was last reckoned by, as it is called: null where it was the company's from the start, empty where it is the
-- company's again.
alter table grants add column plan_group text check (length(plan_group) <= 60);
-- The company's day that a whole company's grants were last made for.
alter table regrants add column as_of date;
-- Counts the changes of the groups' plans, so that of two who change them the later one is told.
alter table plan_years add column groups_version integer not null default 0;
