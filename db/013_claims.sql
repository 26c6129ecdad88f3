-- Claims: by which terms they are decided, what people ask for, and what became of it.

-- Approval goes in steps: a policy is a table of them, and each claim keeps those that apply to it.
create type approval_step as (
  above_cents bigint, categories text[], type_ids uuid[], departments text[], group_ids uuid[],
  new_provider boolean, who text, person_ids uuid[], together boolean, deputy_id uuid,
  most_cents bigint, days smallint);
comment on type approval_step is 'A step as the company writes it: when it applies (each condition that is set), who approves (reviewers: any; people: these; manager: the claimant''s), and within which limits.';

create table claim_policies (
  company_id             uuid not null references companies on delete restrict,
  version                integer not null,
  auto_approve_cents     bigint not null default 5000 check (auto_approve_cents between 0 and 1e9),
  auto_approve_per_month smallint not null default 4
                           check (auto_approve_per_month between 0 and 100),
  spot_check_percent     smallint not null default 5 check (spot_check_percent between 0 and 100),
  receipt_above_cents    bigint not null default 2500
                           check (receipt_above_cents between 0 and 1e9),
  steps                  approval_step[] not null check (cardinality(steps) <= 10) default array[
    row(null, '{}', '{}', '{}', '{}', false, 'reviewers', '{}', false, null, null, null),
    row(30000, '{}', '{}', '{}', '{}', false, 'reviewers', '{}', false, null, null, null)
  ]::approval_step[],
  review_days            smallint not null default 3 check (review_days between 1 and 60),
  -- How long a new or changed account waits for its first payout.
  account_wait_days      smallint not null default 0 check (account_wait_days between 0 and 60),
  since                  timestamptz not null default now(),
  by_id                  uuid,
  note                   text check (length(note) <= 500),
  primary key (company_id, version)
);
comment on table claim_policies is 'The policy by which a company decides on claims. A version is never changed: claims name the one they were submitted under.';
alter table claim_policies enable row level security;

create table claim_types (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  category   text not null check (category in ('prevention', 'treatment', 'solidarity')),
  name       text not null check (length(name) between 2 and 60),
  active     boolean not null default true,
  primary key (company_id, id)
);
comment on table claim_types is 'Types of claims in each category: a catalogue that each company edits. One in use is switched off, not deleted.';
create unique index type_exists on claim_types (company_id, category, lower(name));
alter table claim_types enable row level security;

-- Limits beside what people are granted: how much, how often, after how long.
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
comment on table claim_limits is 'A limit of the policy on all claims, one category or one type, for everybody or a group: at most so much in a plan year (for each dependent), so many claims in so many months, or none in the first months. `since` is when it was last changed.';
alter table claim_limits enable row level security;

-- Words that a column may hold. As domains, because a domain's check is kept ready by each session,
-- where a table's is read and planned again by each statement: for claims that was a third of what
-- submitting one cost.
create domain claim_category as text check (value in ('prevention', 'treatment', 'solidarity'));
create domain claim_status as text
  check (value in ('pending', 'approved', 'rejected', 'withdrawn'));
create domain claim_stage as text
  check (value in ('first_review', 'further_review', 'information_asked'));
create domain claim_payment as text
  check (value in ('unpaid', 'in_run', 'paid', 'returned', 'reversed'));
create domain claim_words as text check (length(value) between 1 and 1000);
create domain claim_happening as text check (value in ('submitted',
  'approved_by_policy', 'approved_step', 'approved', 'rejected', 'asked', 'answered',
  'question_withdrawn', 'withdrawn', 'expired', 'appealed', 'rest_appealed', 'put_in_run',
  'taken_from_run', 'paid', 'payment_returned', 'reversed', 're_evaluated'));
create domain claim_reason as text check (value in ('not_covered', 'no_receipt',
  'receipt_unreadable', 'wrong_person', 'wrong_amount', 'duplicate', 'too_late', 'other'));
create domain claim_role as text check (value in ('employee', 'company_admin', 'system'));

create type claim_step as (
  number smallint, who text, person_ids uuid[], deputy_id uuid, most_cents bigint, days smallint);
comment on type claim_step is 'One approval that a claim needs: of which step of its policy, and by whom. A step in which several approve together is as many of these.';

create type claim_line as (what text, amount_cents bigint, approved_cents bigint, reason text);
comment on type claim_line is 'One line of a claim: what it is for, what is claimed for it, what the last decision approved of it (null: all of it), and why less.';

create table claims (
  company_id     uuid not null,
  id             bigint not null,
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
  lines          claim_line[] not null default '{}',
  note           claim_words,
  receipts       smallint not null default 0,
  status         claim_status not null default 'pending',
  stage          claim_stage,
  payment        claim_payment,
  automatic      boolean not null default false,
  attempt        smallint not null default 1,
  appeal_of      bigint,
  undone         smallint not null default 0,
  version        integer not null default 1,
  policy_version integer not null,
  spot_check_draw smallint not null,
  awaits_reading boolean not null default false,
  receipt_agrees boolean not null default false,
  suspicion      smallint not null default 0,
  submitted_at   timestamptz not null default now(),
  due_at         timestamptz,
  overdue        boolean not null default false,
  reminded       smallint not null default 0,
  asked_at       timestamptz,
  awaited_days   double precision not null default 0,
  steps          claim_step[] not null default '{}',
  by_name        boolean not null default false,
  of_manager     boolean not null default false,
  passed_by      uuid[] not null default '{}',
  passed_cents   bigint,
  rejected_by    uuid,
  reviewed_by    uuid,
  reviewed_at    timestamptz,
  run_id         bigint,
  paid_on        date,
  primary key (company_id, id),
  -- No key to profiles: whoever claims has accounts, and they have it. Nor does money need more
  -- checks than its transfers have (amount_must_be_positive). What is left says what a claim is in
  -- each of its states.
  constraint amount_over_bill check (amount_cents <= bill_cents),
  constraint a_claim_is_in_one_state check (
    (status = 'pending') = (stage is not null)
    and (status = 'approved') = (payment is not null)
    and (status = 'approved') = (approved_cents is not null)
    and coalesce(approved_cents <= amount_cents, true)
    and (category = 'solidarity') = (dependent_id is not null)
    and (due_at is null) = (stage is null or stage = 'information_asked'))
) with (fillfactor = 85);
comment on table claims is 'A person''s request to be reimbursed, and its state. The terms it was submitted under are those of `policy_version`; the rules that were evaluated stand with its events.';
comment on column claims.id is 'The number people see, counted by each company in a sequence of its own, with gaps: a counter that is locked would make a company''s claims queue.';
comment on column claims.lines is 'Its parts, if its person listed them: together they are its amount. Each is decided on separately.';
comment on column claims.appeal_of is 'The claim that was approved in part, whose rest this one claims.';
comment on column claims.undone is 'How many decisions on it were undone: money moves once for its cause, and the same decision may come again.';
comment on column claims.spot_check_draw is 'The draw of the spot check: 0 to 99, below the policy''s share a person looks.';
comment on column claims.awaits_reading is 'A receipt was still being read, and nothing else stands in the way of automatic approval.';
comment on column claims.receipt_agrees is 'The values read from the receipt agree with the claim, and it has no duplicate.';
comment on column claims.reminded is 'Reminders sent to its deciders, once each: 1 at half of its time, 2 at twice its time (the owner).';
comment on column claims.steps is 'The approvals it needs, in order, as its policy''s table said when it was submitted; empty: one, by any reviewer.';
comment on column claims.by_name is 'One of its steps asks named people or the manager, so who may decide is more than a right.';
comment on column claims.of_manager is 'Was somebody''s manager when it was submitted: those who report to them do not decide on it.';
comment on column claims.passed_by is 'The people who have approved so far, in order: the next of `steps` is one more than these.';
comment on column claims.passed_cents is 'The amount the last of them approved: no more can be approved after it.';
create index claims_overdue on claims (company_id, category, id) where overdue;
create index claims_oldest_overdue on claims (submitted_at) where overdue;
create index claims_due on claims (due_at) where due_at is not null and not overdue;
create index claims_awaiting on claims (asked_at) where asked_at is not null;
create index claims_first_review on claims (company_id, id) where stage = 'first_review';
create index claims_further_review on claims (company_id, id) where stage = 'further_review';
create index claims_appealed on claims (company_id, id) where status = 'pending' and attempt > 1;
create unique index claims_appealed_in_part on claims (company_id, appeal_of)
  where appeal_of is not null;
-- Finds claims that wait for somebody by name, however many wait for everybody.
create index claims_by_name on claims (company_id, id) where by_name and status = 'pending';
create index claims_to_pay on claims (company_id, person_id, id)
  where payment in ('unpaid', 'returned');
create index claims_to_pay_by_age on claims (company_id, reviewed_at)
  where payment in ('unpaid', 'returned');
create index claims_in_run on claims (company_id, run_id, person_id, id) where run_id is not null;
-- Approved claims are counted without those whose approval was reversed; they are few.
create index claims_reversed on claims (company_id) where payment = 'reversed';
-- The queue in its two orders: a page merges one short run per status and category that is asked
-- for, by keys alone; only the claims of the page are read. (`person_id` and `overdue` are asked of
-- each.)
create index claims_in_queue on claims (company_id, status, category, id)
  include (person_id, overdue);
create index claims_by_amount on claims (company_id, status, category, amount_cents, id)
  include (person_id, overdue);
-- One's own, newest first; the person's past, which the rules evaluate; and claims of the people
-- whom words found.
create index claims_of_person on claims (company_id, person_id, id)
  include (status, category, overdue, amount_cents);
-- Looked for without accents, as the people are.
create index claims_by_provider on claims
  using gin (company_id, without_accents(provider) gin_trgm_ops);
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
  reason       claim_reason,
  amount_cents bigint,
  trace        json,
  undone_at    timestamptz,
  primary key (company_id, claim_id, number)
);
comment on table claim_events is 'A claim''s history, in order (its version after each), with the rules that were evaluated. Written by the claim''s own acts alone, never edited.';
comment on column claim_events.undone_at is 'When whoever decided undid it. Its employee was never told, and does not see it.';
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
comment on table claim_totals is 'Claims by status, category and type: how many, what was claimed and approved. A job rolls claim_changes up into them; both together are exact at every moment.';
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
comment on table claim_changes is 'Changes of the totals in the last seconds. Acts only add rows here, so that claims of one company never queue on a counter; a job rolls them up.';
alter table claim_changes enable row level security;

-- A decision can be undone by whoever made it for some seconds, in which nobody is told of it.
create table private.decisions (
  company_id uuid not null,
  subject    text not null,
  version    integer not null,
  by_id      uuid not null,
  before     jsonb not null,
  notice     text not null,
  until      timestamptz not null,
  primary key (company_id, subject)
);
comment on table private.decisions is 'Decisions that can still be undone: of what (''claim 7''), its version after it, what it was before it, and the event that is told once the time is over. Whoever deletes the row has ended it: the undo, the job that tells, or another act.';
create index decisions_until on private.decisions (until);
alter table private.decisions enable row level security;
