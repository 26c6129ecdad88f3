-- Where a company's own system lays its list of employees, and what came of fetching it.

create table people_sources (
  company_id    uuid primary key references companies on delete cascade,
  url           text not null check (length(url) <= 1000),
  login         text check (length(login) <= 200),
  -- A password, or a private key; encrypted, and shown to nobody again.
  secret_kind   text not null default 'none' check (secret_kind in ('none', 'password', 'key')),
  sealed        bytea,
  -- The server's own key, as an admin has said that it is theirs; and another one that was met.
  host_key      text,
  host_key_met  text,
  hour          smallint not null default 5 check (hour between 0 and 23),
  applies       text not null default 'ask' check (applies in ('ask', 'changes', 'all')),
  set_by        uuid references profiles on delete set null,
  set_at        timestamptz not null default now(),
  next_at       timestamptz,
  fetching_at   timestamptz,
  failing_since timestamptz,
  last_hash     bytea
);
comment on table people_sources is 'The file that is fetched each day, by SFTP or https, as the admin who set it; what to do with it: ask, apply what comes and changes, or let those missing leave, too.';
create index people_sources_due on people_sources (next_at) where next_at is not null;
alter table people_sources enable row level security;

create table people_fetches (
  company_id uuid not null references people_sources on delete cascade,
  id         bigint generated always as identity,
  at         timestamptz not null default now(),
  outcome    text not null check (outcome in ('same', 'nothing', 'compared', 'applied', 'waiting', 'failed')),
  fault      text check (length(fault) <= 100),
  bytes      integer,
  import_id  uuid,
  primary key (company_id, id)
);
comment on table people_fetches is 'Each time it was fetched: the same file as before, nothing to change, compared, applied, waiting for a second admin, or why not.';
alter table people_fetches enable row level security;
