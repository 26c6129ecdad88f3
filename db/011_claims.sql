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
create policy your_companys on claim_policies for select using (company_id = (select actor_company()));
grant select on claim_policies to healthfund_request;
create trigger audit after insert or update or delete on claim_policies
  for each row execute function audited();

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
create policy your_companys on claim_types for select using (company_id = (select actor_company()));
create policy its_admin_adds on claim_types for insert with check (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
create policy its_admin_edits on claim_types for update using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select, insert (company_id, category, name), update (name, active) on claim_types
  to healthfund_request;
create trigger audit after insert or update or delete on claim_types
  for each row execute function audited();

create function wall.first_policy(company uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  insert into claim_policies (company_id, version) values (company, 1);
  insert into claim_types (company_id, category, name)
    select company, t.category, t.name from (values
      ('prevention', 'Annual health check'), ('prevention', 'Vaccination'), ('prevention', 'Dental check'),
      ('prevention', 'Eye test'), ('prevention', 'Fitness'), ('prevention', 'Screening'),
      ('treatment', 'GP visit'), ('treatment', 'Specialist'), ('treatment', 'Hospital'),
      ('treatment', 'Medicine'), ('treatment', 'Physiotherapy'), ('treatment', 'Mental health'),
      ('treatment', 'Dental treatment'), ('treatment', 'Glasses and lenses'),
      ('solidarity', 'Family doctor'), ('solidarity', 'Child vaccination'), ('solidarity', 'Elder care'),
      ('solidarity', 'Medicine for family'), ('solidarity', 'Specialist for family')) t (category, name);
end;
create function wall.company_gets_a_policy() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.first_policy(new.id);
  return null;
end $$;
create trigger first_policy after insert on companies
  for each row execute function wall.company_gets_a_policy();
select wall.first_policy(id) from companies;

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
-- One's own, newest first; and the person's past, which the rules weigh.
create index claims_of_person on claims (company_id, person_id, id);
-- The queue in its two orders: a page merges one short run per status and category that is asked for.
create index claims_in_queue on claims (company_id, status, category, id);
create index claims_by_amount on claims (company_id, status, category, amount_cents, id);
create index claims_overdue on claims (company_id, category, id) where overdue;
create index claims_due on claims (due_at) where due_at is not null and not overdue;
create index claims_awaiting on claims (asked_at) where asked_at is not null;
create index claims_to_pay on claims (company_id, person_id, id) where payment in ('unpaid', 'returned');
create index claims_in_run on claims (company_id, run_id, person_id, id) where run_id is not null;

alter table claims enable row level security;
create policy your_own_and_your_companys on claims for select using (
  company_id = (select actor_company())
    and ((select actor_role()) = 'company_admin'
      or ((select actor_role()) = 'employee' and person_id = (select actor_id()))));
grant select on claims to healthfund_request;
-- What was treated, where, for whom is nobody's business but the claim's own pages'.
create trigger audit after insert or update or delete on claims
  for each row execute function audited('version', 'type_id', 'type_name', 'provider', 'note',
    'dependent_id', 'for_whom', 'service_on', 'category', 'drawn', 'due_at', 'awaited_days', 'suspicion',
    'unread', 'agreed', 'overdue');

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
alter table claim_events enable row level security;
create policy of_claims_you_see on claim_events for select using (
  company_id = (select actor_company())
    and ((select actor_role()) = 'company_admin'
      or exists (select from claims c where c.company_id = claim_events.company_id
        and c.id = claim_events.claim_id and c.person_id = (select actor_id()))));
grant select on claim_events to healthfund_request;
