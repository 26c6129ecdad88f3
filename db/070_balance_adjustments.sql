-- The balance of one person can be adjusted beside what the plan grants, by two of the company.
create table balance_adjustments (
  company_id  uuid not null,
  id          uuid not null default gen_random_uuid(),
  plan_year   date not null,
  person_id   uuid not null,
  category    text not null check (category in ('prevention', 'treatment', 'solidarity')),
  cents       bigint not null check (cents <> 0 and abs(cents) <= 1e12),
  reason      text not null check (length(reason) between 3 and 500),
  status      text not null default 'waiting' check (status in ('waiting', 'confirmed', 'declined', 'taken_back')),
  proposed_by uuid not null,
  proposed_at timestamptz not null default now(),
  decided_by  uuid,
  decided_at  timestamptz,
  primary key (company_id, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on) on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  check ((status = 'waiting') = (decided_at is null))
);
comment on table balance_adjustments is 'More or less for one person in a category and plan year, beside what the plan grants: proposed by one who has Finance, confirmed by another, and then one transfer of the ledger.';
create index adjustments_of_year on balance_adjustments (company_id, plan_year);
create index adjustments_of_person on balance_adjustments (company_id, person_id, proposed_at);
create index adjustments_waiting on balance_adjustments (company_id, proposed_at, id) where status = 'waiting';
alter table balance_adjustments enable row level security;

alter table grants add column adjusted_cents bigint not null default 0,
  add column own_cents bigint generated always as (granted_cents + greatest(adjusted_cents, 0)) stored;
comment on column grants.adjusted_cents is 'What was confirmed beside the plan''s grant, more or less: no change of the plan undoes it. Less counts as spent.';
comment on column grants.own_cents is 'What is this year''s own, and not brought along from the year before.';
