-- Four schemas: `public` is the business, `auth` the accounts, `private` what no login but the
-- owner's functions may look at, `graphile_worker` the queue of jobs. The logins are made before
-- this file.

revoke all on schema public from public;
create schema private;
create schema auth;
revoke all on schema auth from public;

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists btree_gist schema private;

-- One secret that seals the actor of a transaction, so that nobody becomes somebody by `set`. What
-- the operator demands of the provider's staff stands beside it: `become` reads that row anyway.
-- `verdict_key` is that of the servers, who set it when they start: by it they seal what the rules
-- say of a claim.
create table private.secret (
  secret bytea not null default
    sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')),
  supers_need_two_step boolean not null default false,
  verdict_key bytea
);
comment on table private.secret is 'Seals the actor of each transaction, and proves the seal of a verdict on a claim. One row, read by the owner''s functions alone.';
alter table private.secret enable row level security;
insert into private.secret default values;

-- Which key this database belongs to: a start with another one is refused before anything is
-- served.
create table private.installation (
  one             boolean primary key default true check (one),
  key_fingerprint text check (key_fingerprint ~ '^[0-9a-f]{16}$')
);
comment on table private.installation is 'The fingerprint of the installation''s key, told by the first start. One row.';
alter table private.installation enable row level security;
insert into private.installation default values;

create table private.applied_code (
  one     boolean primary key default true check (one),
  hash    text not null,
  version text not null,
  at      timestamptz not null default now()
);
comment on table private.applied_code is 'Which functions, views, triggers, policies and grants of src/ this database has, and of which version. One row.';
alter table private.applied_code enable row level security;

-- Idempotency: a repeated request gets the answer of the first, and does nothing again.
create domain request_key as text check (length(value) between 1 and 200);

create table answered_requests (
  person_id  uuid not null,
  key        request_key not null,
  question   bytea not null,
  answer     jsonb not null,
  at         timestamptz not null default now(),
  primary key (person_id, key)
);
comment on table answered_requests is 'Answers kept for a day, so that a retry of the same request is the same act.';
create index answered_requests_by_age on answered_requests (at);
alter table answered_requests enable row level security;
