-- The ledger: accounts, transfers between them, the chain over these, and what is kept from it.

-- PostgreSQL reads a table's checks again in each statement that writes, a function once in a
-- session: as nine checks this took as long as the rest of moving a balance. No account but funding
-- goes below zero; each name is what the person is told.
create function private.account_is_valid(kind text, category text, person_id uuid,
  balance_cents bigint) returns boolean
language plpgsql immutable set search_path = public, pg_catalog, pg_temp as $$
declare
  fault constant text := case
    when balance_cents not between -9007199254740991 and 9007199254740991 then 'balance_too_large'
    when balance_cents >= 0 or kind = 'funding' then null
    when kind = 'available' then 'fund_exhausted'
    when kind = 'pool' then 'pool_exhausted'
    when kind = 'unallocated' then 'unallocated_exhausted'
    else 'amount_not_there' end;
begin
  if fault is not null then
    raise exception 'no account of this kind (%) has %', kind, balance_cents
      using errcode = 'check_violation', constraint = fault;
  end if;
  return coalesce(case
    when kind in ('funding', 'unallocated', 'forfeited') then category is null
    else category in ('prevention', 'treatment', 'solidarity') end, false)
    and case
      when kind in ('funding', 'unallocated', 'forfeited', 'pool') then person_id is null
      when kind in ('available', 'held', 'payable', 'paid', 'overpaid') then person_id is not null
      else false end;
end $$;

create table accounts (
  company_id    uuid not null,
  plan_year     date not null,
  id            bigint generated always as identity,
  kind          text not null,
  category      text,
  person_id     uuid,
  balance_cents bigint not null default 0,
  primary key (company_id, plan_year, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  constraint one_account_of_a_kind
    unique nulls not distinct (company_id, plan_year, person_id, kind, category),
  constraint account_is_valid
    check (private.account_is_valid(kind, category, person_id, balance_cents))
) with (fillfactor = 80); -- room for the next balance beside the last
comment on table accounts is 'Where money is: of the company, or of a person and a category, per plan year. Balances move by transfers alone.';
create index accounts_by_person on accounts (company_id, person_id) where person_id is not null;
create index accounts_overpaid on accounts (company_id, person_id) where kind = 'overpaid';
alter table accounts enable row level security;

create table transfers (
  company_id         uuid not null,
  id                 bigint generated always as identity,
  plan_year          date not null,
  from_account       bigint not null,
  to_account         bigint not null,
  amount_cents       bigint not null,
  from_balance_cents bigint not null,
  to_balance_cents   bigint not null,
  event              text not null,
  cause              text not null,
  claim_id           bigint,
  run_id             bigint,
  undoes             bigint,
  source_id          uuid,
  person_id          uuid,
  actor_id           uuid,
  occurred_on        date not null,
  posted_at          timestamptz not null default clock_timestamp(),
  note               text check (length(note) <= 500),
  primary key (company_id, id),
  constraint amount_must_be_positive check (amount_cents > 0),
  constraint transfer_to_itself check (from_account <> to_account),
  constraint transfer_already_posted unique (company_id, cause),
  constraint undo_says_what check ((undoes is not null)
    = (event in ('claim_undone', 'release_undone', 'contribution_reversed', 'rebalance_undone'))),
  foreign key (company_id, undoes) references transfers (company_id, id)
    on update no action on delete no action,
  -- Both accounts are of this company and this year. A year in which money has moved keeps its
  -- dates.
  constraint plan_year_has_money foreign key (company_id, plan_year, from_account)
    references accounts (company_id, plan_year, id) on update no action on delete no action,
  foreign key (company_id, plan_year, to_account)
    references accounts (company_id, plan_year, id) on update no action on delete no action
);
comment on table transfers is 'Money that moved: how much, from where to where, why, by whom, and both balances after. Never edited, sealed into a chain.';
comment on column transfers.cause is 'A name that no other transfer of the company has: what was posted is not posted again. Nothing is read out of it.';
comment on column transfers.source_id is 'The adjustment or settled overpayment that tells why, or the act that several transfers are of.';
create index transfers_from on transfers (company_id, from_account, posted_at, id);
create index transfers_to on transfers (company_id, to_account, posted_at, id);
-- A transfer is undone once.
create unique index transfers_undone on transfers (company_id, undoes) where undoes is not null;
create index transfers_by_rebalance on transfers (company_id, source_id) where event = 'rebalance';
-- Contributions are a few among millions of entries.
create index transfers_of_contributions on transfers (company_id, id) where event = 'contribution';
-- Transfers come in the order of their time: a period is found without reading all of them.
create index transfers_by_time on transfers using brin (posted_at) with (autosummarize = on);
alter table transfers enable row level security;

create table unsealed_transfers (
  company_id  uuid not null,
  transfer_id bigint not null,
  primary key (company_id, transfer_id)
);
comment on table unsealed_transfers is 'Transfers of the last seconds: not yet in the chain, not yet in the kept totals.';
alter table unsealed_transfers enable row level security;

create table transfer_seals (
  company_id  uuid not null,
  number      bigint not null,
  transfer_id bigint not null,
  hash        bytea not null,
  primary key (company_id, number),
  unique (company_id, transfer_id)
);
comment on table transfer_seals is 'The chain: each transfer''s number in its company, and a hash over the seal before it and all its fields.';
alter table transfer_seals enable row level security;

create table ledger_heads (
  company_id uuid primary key references companies on delete restrict,
  number     bigint not null default 0,
  hash       bytea not null default ''
);
comment on table ledger_heads is 'The last seal of each company''s chain.';
alter table ledger_heads enable row level security;

create table kept_totals (
  company_id    uuid not null,
  plan_year     date not null,
  kind          text not null,
  category      text not null,
  balance_cents bigint not null,
  primary key (company_id, plan_year, kind, category)
);
comment on table kept_totals is 'Sums of balances by kind and category over the sealed transfers; the unsealed ones are added on reading.';
alter table kept_totals enable row level security;

create table daily_totals (
  company_id   uuid not null,
  plan_year    date not null,
  kind         text not null,
  category     text not null,
  day          date not null,
  change_cents bigint not null,
  primary key (company_id, plan_year, kind, category, day)
);
comment on table daily_totals is 'How the kept totals changed on each day of the company: the past, and the trend.';
create index daily_totals_by_day on daily_totals (day);
alter table daily_totals enable row level security;

create table fund_alerts (
  company_id    uuid not null,
  id            bigint generated always as identity,
  plan_year     date not null,
  category      text not null check (category in ('prevention', 'treatment', 'solidarity')),
  person_id     uuid,
  percent       smallint not null check (percent in (20, 60, 80, 95)),
  balance_cents bigint not null,
  at            timestamptz not null default now(),
  notified_at   timestamptz,
  primary key (company_id, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  constraint alerted_once
    unique nulls not distinct (company_id, plan_year, category, person_id, percent)
);
comment on table fund_alerts is 'A category''s use passed 60, 80 or 95 percent (for the company''s admins), or a person''s balance fell under 20 (for them): once per year each.';
create index fund_alerts_to_notify on fund_alerts (at) where notified_at is null;
alter table fund_alerts enable row level security;

-- A person's money of one plan year and category.
create type private.purse as (company_id uuid, plan_year date, person_id uuid, category text);

-- Why money moves (`private.origin` makes one).
create type private.origin as (
  cause text, claim_id bigint, run_id bigint, undoes bigint, source_id uuid);

create type private.posting as (
  from_account bigint, to_account bigint, amount_cents bigint, origin private.origin,
  person_id uuid);

-- The author of a transfer: on which day it happened, if not today, and their note.
create type private.author as (actor_id uuid, occurred_on date, note text);

create type ledger_check as (
  transfers bigint, accounts bigint, fault text, transfer_id bigint, account_id bigint);
comment on type ledger_check is 'The result of verify_ledger: how much there is, and the first thing that is wrong with it, or null.';
