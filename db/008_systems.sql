-- A company's own systems: keys by which they ask, and addresses at which they are told.

create table api_keys (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  name       text not null check (length(name) between 2 and 60),
  rights     text[] not null check (cardinality(rights) > 0 and rights <@ array['people:read',
               'people:write', 'people:provision', 'funds:read', 'claims:read']),
  ends_on    date not null,
  -- The key has a part of this admin's rights, and ends when they are no longer an admin of the
  -- company.
  made_by    uuid not null,
  made_at    timestamptz not null default now(),
  revoked_at timestamptz,
  -- When the admins were told that it ends soon.
  notified_at timestamptz,
  primary key (company_id, id)
);
comment on table api_keys is 'A key of a company: what its own systems may ask, in whose name, until when. Never deleted: the record of changes names it.';
create unique index key_name_taken on api_keys (company_id, lower(name)) where revoked_at is null;
create index api_keys_by_id on api_keys (id);
create index api_keys_ending on api_keys (ends_on) where revoked_at is null and notified_at is null;
alter table api_keys enable row level security;

create table api_key_secrets (
  company_id   uuid not null,
  id           uuid not null default gen_random_uuid(),
  key_id       uuid not null,
  -- SHA-256 of 256 random bits: nothing that could be guessed is stretched.
  hash         bytea not null unique,
  ending       text not null check (length(ending) = 4),
  made_at      timestamptz not null default now(),
  -- Replaced: until then both are good.
  ends_at      timestamptz,
  last_used_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, key_id) references api_keys (company_id, id)
);
comment on table api_key_secrets is 'The secret a request sends to be a key, by its hash. While a key is renewed it has two.';
create index secrets_of_key on api_key_secrets (company_id, key_id, made_at desc);
alter table api_key_secrets enable row level security;

create table webhooks (
  company_id    uuid not null references companies on delete restrict,
  id            uuid not null default gen_random_uuid(),
  url           text not null check (length(url) between 8 and 1000),
  events        text[] not null check (cardinality(events) between 1 and 100),
  in_order      boolean not null default true,
  status        text not null default 'active' check (status in ('active', 'paused', 'stopped')),
  -- Why it was stopped by itself: nothing was taken for days, or the receiver said that it is gone.
  stopped_for   text check (stopped_for in ('failing', 'gone')),
  made_by       uuid not null,
  made_at       timestamptz not null default now(),
  removed_at    timestamptz,
  -- Up to which seal of the company's record its events are written down as deliveries.
  reached       bigint not null default 0,
  -- Since its last success: how many deliveries failed one after the other, since when, and until
  -- when it is left alone.
  failures      smallint not null default 0,
  failing_since timestamptz,
  rests_until   timestamptz,
  tried_at      timestamptz,
  delivered_at  timestamptz,
  primary key (company_id, id),
  constraint stopped_for_a_reason check ((status = 'stopped') = (stopped_for is not null))
);
comment on table webhooks is 'Where a company is told of what happens, of which events. Never deleted: the record of changes names it.';
create index webhooks_by_id on webhooks (id);
create index webhooks_there on webhooks (company_id, made_at) where removed_at is null;
alter table webhooks enable row level security;

create table webhook_secrets (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  webhook_id uuid not null,
  -- Encrypted by the installation's key: each delivery is signed with it.
  sealed     bytea not null,
  ending     text not null check (length(ending) = 4),
  made_at    timestamptz not null default now(),
  -- Replaced: until then both sign.
  ends_at    timestamptz,
  primary key (company_id, id),
  foreign key (company_id, webhook_id) references webhooks (company_id, id)
);
comment on table webhook_secrets is 'Secrets that deliveries are signed with. While one is renewed there are two.';
create index secrets_of_webhook on webhook_secrets (company_id, webhook_id, made_at desc);
alter table webhook_secrets enable row level security;

create table webhook_deliveries (
  company_id uuid not null,
  id         bigint generated always as identity,
  webhook_id uuid not null,
  message_id uuid not null default gen_random_uuid(),
  event      text not null,
  -- The seal of the entry it comes from; none for a test.
  number     bigint,
  -- A test or a replay: sent by itself, outside the order.
  apart      boolean not null default false,
  replayed   smallint not null default 0,
  body       text not null,
  made_at    timestamptz not null default now(),
  status     text not null default 'waiting' check (status in ('waiting', 'delivered', 'failed')),
  tries      smallint not null default 0,
  next_at    timestamptz not null default now(),
  tried_at   timestamptz,
  took_ms    integer,
  code       smallint,
  fault      text check (fault in ('answer', 'redirect', 'time', 'address', 'name', 'certificate',
               'connection')),
  answer     text check (length(answer) <= 300),
  primary key (company_id, id),
  foreign key (company_id, webhook_id) references webhooks (company_id, id)
);
comment on table webhook_deliveries is 'Deliveries to a webhook, sent or to be sent: ids, states and amounts, and how the last try ended. Old ones are deleted by a job.';
create unique index told_once on webhook_deliveries (company_id, webhook_id, number, event)
  where number is not null;
create index deliveries_waiting on webhook_deliveries (company_id, webhook_id, id)
  where status = 'waiting';
create index deliveries_of_webhook on webhook_deliveries (company_id, webhook_id, id);
create index deliveries_by_id on webhook_deliveries (id);
create index deliveries_by_age on webhook_deliveries (made_at) where status <> 'waiting';
-- Finds the next delivery of a webhook, however many wait behind it.
create index deliveries_due on webhook_deliveries (company_id, webhook_id, next_at, id)
  where status = 'waiting' and not apart;
create index deliveries_apart on webhook_deliveries (company_id, webhook_id, next_at, id)
  where status = 'waiting' and apart;
alter table webhook_deliveries enable row level security;
