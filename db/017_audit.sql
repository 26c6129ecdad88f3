-- The record of changes, the chain over it, and what was dropped by the clock.

-- A domain's check is read once in a session, a table's in each statement.
create domain audit_act as text check (value in ('insert', 'update', 'delete'));

-- Every change of a row of the business: who, when, from where, what.
create table audit_log (
  id         bigint generated always as identity primary key,
  company_id uuid,
  at         timestamptz not null default now(),
  actor_id   uuid,
  actor_role text not null,
  address    text,
  request_id text,
  act        audit_act not null,
  table_name text not null,
  row_id     text not null,
  before     jsonb,
  after      jsonb,
  -- The person asked to be forgotten: what the row said is gone, its place in the chain is not.
  erased_at  timestamptz,
  -- The platform's own: what belongs to no company, the companies themselves, and what the
  -- provider's staff did.
  of_platform boolean not null generated always as
    (company_id is null or actor_role = 'super_admin' or table_name = 'companies') stored
);
comment on table audit_log is 'The record of changes, and of files taken: who, what, when, from where. Written by functions alone, never edited.';
create index audit_by_time on audit_log (company_id, id desc);
-- Most entries are about these three: whoever looks for them finds them going through all, newest
-- first.
create index audit_by_rare_table on audit_log (company_id, table_name, id desc)
  where table_name not in ('claims', 'receipts', 'pay_items');
create index audit_by_actor on audit_log (actor_id, id desc) where actor_id is not null;
create index audit_of_platform on audit_log (id desc) where of_platform;
create index audit_of_platform_by_table on audit_log (table_name, id desc) where of_platform;
create index audit_of_deletions on audit_log (company_id, id desc) where act = 'delete';
create index audit_erased on audit_log (company_id, id) where erased_at is not null;
-- Which entries are about a person (`private.entries_about`), at any size of the record.
create index audit_about on audit_log (row_id) where table_name in ('profiles', 'dependents',
  'grants', 'payment_blocks', 'balance_adjustments', 'settled_overpayments');
alter table audit_log enable row level security;

create table audit_seals (
  company_id uuid not null,
  number     bigint not null,
  audit_id   bigint not null,
  content    bytea not null,
  hash       bytea not null,
  -- An entry is sealed once: verify_audit says where it is not.
  primary key (company_id, number)
);
comment on table audit_seals is 'The chain over each company''s record of changes, and the platform''s (all zeros): the entry''s number in it, a hash of its content, and one over that and the seal before.';
alter table audit_seals enable row level security;

create table audit_heads (
  company_id uuid primary key,
  number     bigint not null default 0,
  hash       bytea not null default ''
);
comment on table audit_heads is 'The last seal of each chain over the record of changes.';
alter table audit_heads enable row level security;

-- How far it is sealed, and up to where it may be next: an entry with a lower number may still be
-- on its way in an act that has not ended. `settled` is the act after which none of them can be.
create table private.audit_sweep (
  one     boolean primary key default true check (one),
  sealed  bigint not null default 0,
  high    bigint not null default 0,
  settled bigint not null default 0
);
comment on table private.audit_sweep is 'Up to which entry the record of changes is sealed, and up to which it will be next. One row.';
alter table private.audit_sweep enable row level security;
insert into private.audit_sweep default values;

create table audit_erasures (
  company_id uuid not null,
  id         bigint generated always as identity,
  erasure_id uuid,
  audit_id   bigint not null,
  content    bytea not null,
  at         timestamptz not null default now(),
  primary key (company_id, id)
);
comment on table audit_erasures is 'Entries of the record from which something was erased, for which request, with a hash of what each says since. Its rows are entries of the same chain, and those are believed.';
alter table audit_erasures enable row level security;

create table audit_cuts (
  company_id uuid not null,
  number     bigint not null,
  hash       bytea not null,
  at         timestamptz not null default now(),
  primary key (company_id, number)
);
comment on table audit_cuts is 'Where a chain of the record begins since its oldest entries were dropped: the number and the seal of the last that went. Audited: the entry of the same chain is what is believed.';
alter table audit_cuts enable row level security;

create table drops (
  id   bigint generated always as identity primary key,
  rule text not null,
  days integer not null,
  rows bigint not null check (rows > 0),
  at   timestamptz not null default now()
);
comment on table drops is 'Rows deleted because their time was over: by which rule of src/lib/retention.ts, after how many days, how many. Audited, so sealed.';
alter table drops enable row level security;

create type audit_check as (entries bigint, waiting bigint, erased bigint, fault text,
  audit_id bigint, company_id uuid);
comment on type audit_check is 'The result of verify_audit: how much there is, and the first entry that is wrong, or null.';
