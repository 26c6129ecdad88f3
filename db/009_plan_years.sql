-- Plan years: twelve months of a company, what its people are given in them, and who waits for it.

create table plan_years (
  company_id           uuid not null references companies on delete restrict,
  starts_on            date not null,
  ends_on              date not null
    generated always as ((starts_on + interval '1 year' - interval '1 day')::date) stored,
  prevention_cents     bigint not null default 20000 check (prevention_cents between 0 and 1e12),
  treatment_cents      bigint not null default 70000 check (treatment_cents between 0 and 1e12),
  solidarity_cents     bigint not null default 10000 check (solidarity_cents between 0 and 1e12),
  -- Whether they come by month, a twelfth at the beginning of each month of the year, or all at
  -- once.
  by_month             boolean not null default false,
  dependent_cents      bigint not null default 0 check (dependent_cents between 0 and 1e12),
  dependent_cap_cents  bigint check (dependent_cap_cents between 0 and 1e12),
  proration            text not null default 'full' check (proration in ('full', 'month', 'day')),
  carry_over           text not null default 'none' check (carry_over in ('none', 'up_to', 'all')),
  carry_over_max_cents bigint check (carry_over_max_cents between 0 and 1e12),
  filing_days          smallint not null default 90 check (filing_days between 0 and 365),
  leaver_filing_days   smallint not null default 90 check (leaver_filing_days between 0 and 365),
  -- Counts the changes of the plan, so that of two who change it the later one is told.
  version              integer not null default 0,
  -- Counts the changes of the groups' plans, so that of two who change them the later one is told.
  groups_version       integer not null default 0,
  opened_at            timestamptz,
  closed_at            timestamptz,
  created_at           timestamptz not null default now(),
  primary key (company_id, starts_on),
  constraint plan_years_overlap exclude using gist
    (company_id with =, daterange(starts_on, ends_on, '[]') with &&),
  constraint carry_over_needs_a_limit
    check ((carry_over = 'up_to') = (carry_over_max_cents is not null))
);
comment on table plan_years is 'Twelve months of a company and what each person is given in them. Opened when people get their grants, closed when the time to file is over.';
alter table plan_years enable row level security;

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
  by_month         boolean not null default false,
  primary key (company_id, plan_year, group_id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  constraint group_in_use foreign key (company_id, group_id) references employee_groups,
  constraint group_plan_order unique (company_id, plan_year, position)
    deferrable initially deferred
);
comment on table group_plans is 'A plan of a group for a plan year, from a day on. People in several groups with one have the first by `position`. `id` is the group''s, for the record of changes.';
create index group_plans_of_group on group_plans (company_id, group_id);
alter table group_plans enable row level security;

create table grants (
  company_id     uuid not null,
  plan_year      date not null,
  person_id      uuid not null,
  category       text not null check (category in ('prevention', 'treatment', 'solidarity')),
  covered_from   date not null,
  covered_to     date,
  dependents     smallint not null default 0 check (dependents >= 0),
  -- The name of the group by whose plan it was last computed: null where it was the company's from
  -- the start, empty where it is the company's again.
  plan_group     text check (length(plan_group) <= 60),
  due_cents      bigint not null check (due_cents >= 0),
  granted_cents  bigint not null default 0 check (granted_cents >= 0),
  adjusted_cents bigint not null default 0,
  own_cents      bigint generated always as (granted_cents + greatest(adjusted_cents, 0)) stored,
  carried_cents  bigint not null default 0 check (carried_cents >= 0),
  changes        integer not null default 0,
  primary key (company_id, plan_year, person_id, category),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict
);
comment on table grants is 'A person''s due in a category and year, what was granted of it, and what was carried over from the year before. Granted less than due: they wait for funds.';
comment on column grants.adjusted_cents is 'Confirmed adjustments beside the plan''s grant, more or less: no change of the plan undoes them. Less counts as spent.';
comment on column grants.own_cents is 'This year''s own part, not carried over from the year before.';
create index grants_waiting on grants (company_id, plan_year, covered_from, person_id)
  where due_cents > granted_cents;
create index grants_leaving on grants (company_id, covered_to) where covered_to is not null;
alter table grants enable row level security;

create table regrants (
  company_id   uuid not null,
  plan_year    date not null,
  -- The company's day that a whole company's grants were last made for.
  as_of        date,
  people       integer not null default 0,
  people_done  integer not null default 0,
  requested_at timestamptz not null default now(),
  finished_at  timestamptz,
  primary key (company_id, plan_year),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade
);
comment on table regrants is 'Progress of the background act that updates the grants of a company''s people.';
alter table regrants enable row level security;

-- Totals of people who wait for funds: reading them costs a company of a hundred thousand no more
-- than one of ten.
create table waiting_totals (
  company_id       uuid not null,
  plan_year        date not null,
  people           integer not null default 0,
  prevention_cents bigint not null default 0,
  treatment_cents  bigint not null default 0,
  solidarity_cents bigint not null default 0,
  primary key (company_id, plan_year)
);
comment on table waiting_totals is 'How many people of a company wait for funds in a plan year, and for how much of each category. Kept by triggers on grants.';
alter table waiting_totals enable row level security;

-- The shortfall of a person's grant in a category: before an act, or after it.
create type private.lack as (
  company_id uuid, plan_year date, person_id uuid, category text, cents bigint, before boolean);

-- The balance of one person can be adjusted beside what the plan grants, by two of the company.
create table balance_adjustments (
  company_id  uuid not null,
  id          uuid not null default gen_random_uuid(),
  plan_year   date not null,
  person_id   uuid not null,
  category    text not null check (category in ('prevention', 'treatment', 'solidarity')),
  cents       bigint not null check (cents <> 0 and abs(cents) <= 1e12),
  reason      text not null check (length(reason) between 3 and 500),
  status      text not null default 'waiting'
                check (status in ('waiting', 'confirmed', 'declined', 'withdrawn')),
  proposed_by uuid not null,
  proposed_at timestamptz not null default now(),
  decided_by  uuid,
  decided_at  timestamptz,
  primary key (company_id, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  check ((status = 'waiting') = (decided_at is null))
);
comment on table balance_adjustments is 'More or less for one person in a category and plan year, beside what the plan grants: proposed by one who has Finance, confirmed by another, and then one transfer of the ledger.';
create index adjustments_of_year on balance_adjustments (company_id, plan_year);
create index adjustments_of_person on balance_adjustments (company_id, person_id, proposed_at);
create index adjustments_waiting on balance_adjustments (company_id, proposed_at, id)
  where status = 'waiting';
alter table balance_adjustments enable row level security;
