-- Limits of a company's policy beside what people are granted: how much, how often, after how long.
create table claim_limits (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  kind       text not null check (kind in ('per_year', 'per_dependent', 'frequency', 'waiting')),
  category   text check (category in ('prevention', 'treatment', 'solidarity')),
  type_id    uuid,
  group_id   uuid,
  cents      bigint check (cents between 1 and 1e12),
  claims     smallint check (claims between 1 and 100),
  months     smallint check (months between 1 and 120),
  version    integer not null default 1,
  since      timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, type_id) references claim_types,
  constraint group_in_use foreign key (company_id, group_id) references employee_groups,
  constraint limit_incomplete check (
    (cents is not null) = (kind in ('per_year', 'per_dependent'))
    and (claims is not null) = (kind = 'frequency')
    and (months is not null) = (kind in ('frequency', 'waiting'))
    and (type_id is null or category is not null)),
  constraint limit_without_dependents check (kind <> 'per_dependent' or category = 'solidarity')
);
comment on table claim_limits is 'What the policy limits, for all claims, one category or one type, for everybody or a group: at most so much in a plan year (for each dependent), so many claims in so many months, or none in the first months. `since` is when it was last changed.';
alter table claim_limits enable row level security;
