-- Payouts: approved claims become money, in runs that one admin makes and another releases.

create function private.iban_holds(iban text) returns boolean
language sql immutable set search_path = pg_catalog, pg_temp
return iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$' and (
  select string_agg(case when c ~ '\d' then c else (ascii(c) - 55)::text end, ''
      order by at)::numeric % 97
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
-- Finds others paid to the same account, before each release.
create index bank_accounts_by_iban on bank_accounts (iban);
-- Finds accounts that wait: only those changed lately can.
create index bank_accounts_by_change on bank_accounts (company_id, changed_at);
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
  id              bigint not null,
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
  withheld_cents  bigint not null default 0,
  paid_cents      bigint not null default 0,
  without_account integer not null default 0,
  debtor_holder   text,
  debtor_iban     text,
  version         integer not null default 1,
  primary key (company_id, id)
);
comment on table pay_runs is 'Approved claims that are paid together: made by one admin, released by another where there are two. Released, it is what the files of payroll and bank hold.';
comment on column pay_runs.id is 'Counted by each company, as claims are.';
comment on column pay_runs.debtor_iban is 'The account it is paid from: the company''s until the pay day is over, or the first that was entered since.';
create index pay_runs_made on pay_runs (company_id, id) where status = 'made';
alter table pay_runs enable row level security;

create table pay_items (
  company_id       uuid not null,
  run_id           bigint not null,
  person_id        uuid not null,
  claims           integer not null,
  claims_cents     bigint not null,
  withheld_cents   bigint not null,
  paid_cents       bigint not null generated always as (claims_cents - withheld_cents) stored,
  credit_cents     bigint not null default 0 check (credit_cents >= 0),
  -- The account itself goes with an erased person; the books keep which way it was.
  by_bank          boolean not null default false,
  holder           text,
  iban             text,
  iban_end         text generated always as (right(iban, 4)) stored,
  returned_at      timestamptz,
  returned_because text check (length(returned_because) <= 300),
  primary key (company_id, run_id, person_id),
  foreign key (company_id, run_id) references pay_runs (company_id, id) on delete cascade,
  constraint no_more_withheld_than_paid check (withheld_cents <= claims_cents)
);
comment on table pay_items is 'One person''s part of a pay run: the sum of their claims, what is withheld for reversed ones, and the account it went to, as it was at release.';
comment on column pay_items.withheld_cents is 'The amount withheld; negative where more is given back that was withheld for a payment that never arrived.';
comment on column pay_items.credit_cents is 'Withheld from a payment that was returned, for claims of it that were reversed: owed to the person.';
comment on column pay_items.by_bank is 'Paid by the bank''s file; else with the salary. Known from the release on.';
create index pay_items_by_person on pay_items (company_id, person_id, run_id);
create index pay_items_credited on pay_items (company_id, person_id) where credit_cents > 0;
create index pay_items_returned on pay_items (company_id, returned_at)
  where returned_at is not null;
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

create table pay_withholdings (
  company_id uuid not null,
  run_id     bigint not null,
  person_id  uuid not null,
  id         bigint generated always as identity,
  plan_year  date,
  category   text,
  cents      bigint not null check (cents > 0 or cents < 0 and plan_year is null),
  primary key (company_id, run_id, person_id, id),
  foreign key (company_id, run_id, person_id) references pay_items (company_id, run_id, person_id)
    on delete cascade
);
comment on table pay_withholdings is 'A part of what a pay run withholds: overpaid in an account of the ledger, or (without one) withheld from a payment that was returned.';
alter table pay_withholdings enable row level security;

create type private.payable_claim as (person_id uuid, claim_id bigint, cents bigint);

-- A payment can be kept out of payouts until somebody lets it go: of one claim, or all of a person.
create table payment_blocks (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  claim_id   bigint,
  reason     text not null check (length(reason) between 3 and 500),
  placed_by  uuid not null,
  placed_at  timestamptz not null default now(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  foreign key (company_id, claim_id) references claims (company_id, id) on delete cascade
);
comment on table payment_blocks is 'Keeps one claim of a person, or (without a claim) everything of theirs, out of payouts until it is removed: by whom and why. The reason is for those who pay and audit, never for the person while the block stands.';
create unique index payment_already_blocked
  on payment_blocks (company_id, person_id, coalesce(claim_id, 0)) where removed_at is null;
create index payment_blocks_of_claim on payment_blocks (company_id, claim_id);
create index payment_blocks_in_force on payment_blocks (company_id, placed_at, id)
  where removed_at is null;
alter table payment_blocks enable row level security;

-- The ledger's entries are sealed and never edited: the words stand beside them, where they can go.
create table settled_overpayments (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  how        text not null check (how in ('paid_back', 'written_off')),
  cents      bigint not null check (cents > 0),
  reason     text not null check (length(reason) between 3 and 500),
  settled_by uuid not null,
  settled_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table settled_overpayments is 'An overpayment settled by hand: paid back or written off, by whom and why. Its transfers name it.';
create index settled_overpayments_of_person on settled_overpayments (company_id, person_id);
alter table settled_overpayments enable row level security;

-- A company's codes for payroll and bookkeeping: wage types, accounts, DATEV's numbers.
create table book_codes (
  company_id uuid not null references companies on delete restrict,
  item       text not null check (item in (
               'wage_prevention', 'wage_treatment', 'wage_solidarity', 'wage_correction',
               'expense_prevention', 'expense_treatment', 'expense_solidarity', 'write_off',
               'payable', 'bank', 'payroll', 'transit',
               'datev_consultant', 'datev_client', 'datev_digits', 'datev_year')),
  code       text not null,
  primary key (company_id, item),
  constraint book_code_invalid check (case
    when item like 'wage\_%' then code ~ '^[A-Za-z0-9]{1,20}$'
    when item = 'datev_consultant' then code ~ '^[1-9]\d{3,6}$' and code <> '1000'
    when item = 'datev_client' then code ~ '^[1-9]\d{0,4}$'
    when item = 'datev_digits' then code ~ '^[4-8]$'
    when item = 'datev_year' then code ~ '^([1-9]|1[0-2])$'
    else code ~ '^[A-Za-z0-9][A-Za-z0-9./-]{0,19}$' end)
);
comment on table book_codes is 'By company, what its own payroll and books call each thing (docs/books.md). What is not named has no row.';
alter table book_codes enable row level security;
