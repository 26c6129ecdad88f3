-- Keys by which a company's own systems ask.

create table api_keys (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  name       text not null check (length(name) between 2 and 60),
  rights     text[] not null check (cardinality(rights) between 1 and 10),
  ends_on    date not null,
  -- Whose rights it has a part of: no longer an admin of the company, and the key ends.
  made_by    uuid not null,
  made_at    timestamptz not null default now(),
  revoked_at timestamptz,
  -- When the admins were told that it ends soon.
  told_at    timestamptz,
  primary key (company_id, id)
);
comment on table api_keys is 'A key of a company: what its own systems may ask, in whose name, until when. Never deleted: the record of changes names it.';
create unique index key_name_taken on api_keys (company_id, lower(name)) where revoked_at is null;
create index api_keys_by_id on api_keys (id);
create index api_keys_ending on api_keys (ends_on) where revoked_at is null and told_at is null;
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
comment on table api_key_secrets is 'What is sent with a request to be a key, by its hash. While a key is renewed it has two.';
create index secrets_of_key on api_key_secrets (company_id, key_id, made_at desc);
alter table api_key_secrets enable row level security;
