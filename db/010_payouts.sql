-- Payouts: approved claims become money, in runs that one admin makes and another releases.

create function private.iban_holds(iban text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$' and (
  select string_agg(case when c ~ '\d' then c else (ascii(c) - 55)::text end, '' order by at)::numeric % 97
    from regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') with ordinality p (c, at)) = 1;

create table bank_accounts (
  company_id uuid not null,
  person_id  uuid not null,
  holder     text not null check (length(holder) between 2 and 70),
  iban       text not null,
  changed_at timestamptz not null default now(),
  primary key (company_id, person_id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  constraint iban_invalid check (private.iban_holds(iban))
);
comment on table bank_accounts is 'Where a person''s money goes. Read by nobody but the bank''s file: the person sees its end.';
alter table bank_accounts enable row level security;

create table company_accounts (
  company_id uuid primary key references companies on delete cascade,
  holder     text not null check (length(holder) between 2 and 70),
  iban       text not null,
  constraint company_iban_invalid check (private.iban_holds(iban))
);
comment on table company_accounts is 'Where a company''s payouts are paid from: the debtor of its bank files.';
alter table company_accounts enable row level security;

create table pay_runs (
  company_id      uuid not null,
  id              bigint generated always as identity,
  status          text not null default 'made' check (status in ('made', 'released', 'cancelled')),
  cut_off_on      date not null,
  pay_on          date not null,
  made_at         timestamptz not null default now(),
  made_by         uuid not null,
  released_at     timestamptz,
  released_by     uuid,
  claims          integer not null default 0,
  people          integer not null default 0,
  claims_cents    bigint not null default 0,
  offset_cents    bigint not null default 0,
  paid_cents      bigint not null default 0,
  without_account integer not null default 0,
  version         integer not null default 1,
  primary key (company_id, id)
);
comment on table pay_runs is 'Approved claims that are paid together: made by one admin, released by another where there are two. Released, it is what the files of payroll and bank hold.';
alter table pay_runs enable row level security;

create table pay_items (
  company_id       uuid not null,
  run_id           bigint not null,
  person_id        uuid not null,
  claims           integer not null,
  claims_cents     bigint not null,
  offset_cents     bigint not null,
  paid_cents       bigint not null generated always as (claims_cents - offset_cents) stored,
  holder           text,
  iban             text,
  iban_end         text generated always as (right(iban, 4)) stored,
  returned_at      timestamptz,
  returned_because text check (length(returned_because) <= 300),
  primary key (company_id, run_id, person_id),
  foreign key (company_id, run_id) references pay_runs (company_id, id) on delete cascade,
  constraint no_more_kept_back_than_paid check (offset_cents between 0 and claims_cents)
);
comment on table pay_items is 'One person''s part of a pay run: what their claims come to, what is kept back for reversed ones, and the account it went to, as it was at release.';
create index pay_items_by_person on pay_items (company_id, person_id, run_id);
alter table pay_items enable row level security;

create table pay_claims (
  company_id uuid not null,
  run_id     bigint not null,
  person_id  uuid not null,
  claim_id   bigint not null,
  cents      bigint not null,
  primary key (company_id, run_id, person_id, claim_id),
  foreign key (company_id, run_id, person_id) references pay_items (company_id, run_id, person_id)
    on delete cascade
);
comment on table pay_claims is 'Which claims a part of a pay run pays, also after they were returned and paid by another.';
create index pay_claims_by_claim on pay_claims (company_id, claim_id);
alter table pay_claims enable row level security;

create table pay_offsets (
  company_id uuid not null,
  run_id     bigint not null,
  person_id  uuid not null,
  plan_year  date,
  category   text,
  cents      bigint not null check (cents > 0),
  id         bigint generated always as identity,
  primary key (company_id, run_id, person_id, id),
  foreign key (company_id, run_id, person_id) references pay_items (company_id, run_id, person_id)
    on delete cascade
);
comment on table pay_offsets is 'What a part of a pay run keeps back: owed in an account of the ledger, or (without one) kept back from a payment that came back.';
alter table pay_offsets enable row level security;

create type private.payable_claim as (person_id uuid, claim_id bigint, cents bigint);
