-- Domains of a company beside its first one, and domains that it says are its own.

create table company_domains (
  company_id uuid not null references companies on delete restrict,
  domain     text not null check (domain = lower(domain) and length(domain) <= 253),
  proven_at  timestamptz not null default now(),
  proven_by  text not null check (proven_by in ('dns', 'mail')),
  primary key (company_id, domain),
  constraint domain_proven_twice unique (domain)
);
comment on table company_domains is 'Domains that a company has proven, beside the first one (companies.domain). A domain is one company''s.';
alter table company_domains enable row level security;

create table domain_claims (
  company_id   uuid not null references companies on delete restrict,
  domain       text not null check (domain = lower(domain) and length(domain) <= 253),
  claimed_at   timestamptz not null default now(),
  -- Name servers are being asked; how that ended the last time.
  checking     boolean not null default false,
  checked_at   timestamptz,
  fault        text check (fault in ('missing', 'different', 'servers', 'taken')),
  mailed_at    timestamptz,
  code_hash    bytea,
  code_ends_at timestamptz,
  primary key (company_id, domain)
);
comment on table domain_claims is 'Domains that a company says are its own, until it has proven it by a DNS record or by mail.';
alter table domain_claims enable row level security;
