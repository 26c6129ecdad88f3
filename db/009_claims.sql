-- Claims: what people ask for, by which terms it is decided, and what became of it.

create table claim_policies (
  company_id              uuid not null references companies on delete restrict,
  version                 integer not null,
  auto_approve_cents      bigint not null default 5000 check (auto_approve_cents between 0 and 1e9),
  auto_approve_per_month  smallint not null default 4 check (auto_approve_per_month between 0 and 100),
  spot_check_percent      smallint not null default 5 check (spot_check_percent between 0 and 100),
  receipt_above_cents     bigint not null default 2500 check (receipt_above_cents between 0 and 1e9),
  one_approver_cents      bigint not null default 30000 check (one_approver_cents between 0 and 1e12),
  review_days             smallint not null default 3 check (review_days between 1 and 60),
  since                   timestamptz not null default now(),
  by_id                   uuid,
  note                    text check (length(note) <= 500),
  primary key (company_id, version)
);
comment on table claim_policies is 'By what a company decides on claims. A version is never changed: claims name the one they were submitted under.';
alter table claim_policies enable row level security;

create table claim_types (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  category   text not null check (category in ('prevention', 'treatment', 'solidarity')),
  name       text not null check (length(name) between 2 and 60),
  active     boolean not null default true,
  primary key (company_id, id)
);
comment on table claim_types is 'What can be claimed in each category: a catalogue that each company edits. One in use is switched off, not deleted.';
create unique index type_exists on claim_types (company_id, category, lower(name));
alter table claim_types enable row level security;

-- Words that a column may hold. As domains, because a domain's check is kept ready by each session, where a table's is
-- read and planned anew by each statement: for claims that was a third of what submitting one cost.
create domain claim_category as text check (value in ('prevention', 'treatment', 'solidarity'));
create domain claim_status as text check (value in ('pending', 'approved', 'rejected', 'withdrawn'));
create domain claim_stage as text
  check (value in ('first_review', 'second_review', 'information_asked'));
create domain claim_payment as text
  check (value in ('unpaid', 'in_run', 'paid', 'returned', 'reversed'));
create domain claim_words as text check (length(value) between 1 and 1000);
create domain claim_happening as text check (value in ('submitted', 'approved_by_policy',
  'approved_first', 'approved', 'rejected', 'asked', 'answered', 'withdrawn', 'expired', 'appealed',
  'put_in_run', 'taken_from_run', 'paid', 'payment_returned', 'reversed', 'weighed_again'));
create domain claim_role as text check (value in ('employee', 'company_admin', 'system'));

create table claims (
  company_id     uuid not null,
  id             bigint generated always as identity,
  person_id      uuid not null,
  dependent_id   uuid,
  for_whom       text,
  category       claim_category not null,
  type_id        uuid not null,
  type_name      text not null,
  provider       claim_words not null,
  service_on     date not null,
  plan_year      date not null,
  bill_cents     bigint not null,
  amount_cents   bigint not null,
  approved_cents bigint,
  note           claim_words,
  receipts       smallint not null default 0,
  status         claim_status not null default 'pending',
  stage          claim_stage,
  payment        claim_payment,
  automatic      boolean not null default false,
  attempt        smallint not null default 1,
  version        integer not null default 1,
  policy_version integer not null,
  drawn          smallint not null,
  unread         boolean not null default false,
  agreed         boolean not null default false,
  suspicion      smallint not null default 0,
  submitted_at   timestamptz not null default now(),
  due_at         timestamptz,
  overdue        boolean not null default false,
  asked_at       timestamptz,
  awaited_days   double precision not null default 0,
  first_by       uuid,
  first_cents    bigint,
  rejected_by    uuid,
  reviewed_by    uuid,
  reviewed_at    timestamptz,
  run_id         bigint,
  paid_on        date,
  primary key (company_id, id),
  -- No key to profiles: whoever claims has accounts, and they have it. Nor does money need more checks than its
  -- transfers have (amount_must_be_positive). What is left says what a claim is in each of its states.
  constraint amount_over_bill check (amount_cents <= bill_cents),
  constraint a_claim_is_in_one_state check (
    (status = 'pending') = (stage is not null)
    and (status = 'approved') = (payment is not null)
    and (status = 'approved') = (approved_cents is not null)
    and coalesce(approved_cents <= amount_cents, true)
    and (category = 'solidarity') = (dependent_id is not null)
    and (due_at is null) = (stage is null or stage = 'information_asked'))
) with (fillfactor = 85);
comment on table claims is 'What a person asks back, and where it stands. The terms it was submitted under are `policy_version`''s; the rules that were weighed stand with its events.';
comment on column claims.drawn is 'The lot of the spot check: 0 to 99, below the policy''s share a person looks.';
comment on column claims.unread is 'A receipt was still being read, and nothing else stands in the way of an approval by itself.';
comment on column claims.agreed is 'What was read from a receipt says the same, and nothing is like it.';
comment on column claims.id is 'The number people see. One sequence for the installation, with gaps: a counter of its own would make a company''s claims queue.';
create index claims_overdue on claims (company_id, category, id) where overdue;
create index claims_due on claims (due_at) where due_at is not null and not overdue;
create index claims_awaiting on claims (asked_at) where asked_at is not null;
create index claims_to_pay on claims (company_id, person_id, id) where payment in ('unpaid', 'returned');
create index claims_in_run on claims (company_id, run_id, person_id, id) where run_id is not null;
create index claims_oldest_overdue on claims (submitted_at) where overdue;
-- The queue in its two orders: a page merges one short run per status and category that is asked for, by keys
-- alone; only the claims of the page are read. (`person_id` and `overdue` are asked of each.)
create index claims_in_queue on claims (company_id, status, category, id) include (person_id, overdue);
create index claims_by_amount on claims (company_id, status, category, amount_cents, id)
  include (person_id, overdue);
-- One's own, newest first; the person's past, which the rules weigh; and claims of the people whom words found.
create index claims_of_person on claims (company_id, person_id, id)
  include (status, category, overdue, amount_cents);
alter table claims enable row level security;

create table claim_events (
  company_id   uuid not null,
  claim_id     bigint not null,
  number       integer not null,
  event        claim_happening not null,
  at           timestamptz not null default now(),
  by_id        uuid,
  by_role      claim_role not null,
  text         claim_words,
  reason       text,
  amount_cents bigint,
  trace        jsonb,
  primary key (company_id, claim_id, number)
);
comment on table claim_events is 'What happened to a claim, in order (its version after each), with the rules that were weighed. Written by the claim''s own acts alone, never edited.';
-- Happenings come in the order of their time: a period is found without reading all of them.
create index claim_events_by_time on claim_events using brin (at) with (autosummarize = on);
alter table claim_events enable row level security;

create table claim_totals (
  company_id     uuid not null,
  status         text not null,
  category       text not null,
  type_id        uuid not null,
  claims         bigint not null,
  amount_cents   bigint not null,
  approved_cents bigint not null,
  overdue        bigint not null,
  primary key (company_id, status, category, type_id)
);
comment on table claim_totals is 'Claims by status, category and type: how many, what was asked and approved. Kept by folding claim_changes; both together are the truth of every moment.';
alter table claim_totals enable row level security;

create table claim_changes (
  company_id     uuid not null,
  id             bigint generated always as identity,
  status         text not null,
  category       text not null,
  type_id        uuid not null,
  claims         smallint not null,
  amount_cents   bigint not null,
  approved_cents bigint not null,
  overdue        smallint not null,
  primary key (company_id, id)
);
comment on table claim_changes is 'What the last seconds'' acts did to the totals. Acts only add rows here, so that claims of one company never queue on a counter; a job folds them.';
alter table claim_changes enable row level security;
