-- Companies, where they are, and which domains are theirs.

create function email_domain(email text) returns text language sql immutable
return lower(split_part(email, '@', 2));

create table currencies (
  code     text primary key check (code ~ '^[A-Z]{3}$'),
  decimals smallint not null check (decimals between 0 and 4)
);
comment on table currencies is 'Currencies and their decimals (ISO 4217), filled from the product''s table at each start.';
alter table currencies enable row level security;

-- Days on which nobody works: by country and region, as a kept list of the world's holidays has
-- them.
create table holiday_places (
  country      text not null check (country ~ '^[A-Z]{2}$'),
  region       text not null default '' check (length(region) <= 10),
  name         text not null check (length(name) between 1 and 100),
  list         text not null,
  kept_list    text,
  kept_until   date,
  primary key (country, region)
);
comment on table holiday_places is 'Countries (region '''') and their regions, filled at each start from the list that is installed (`list`: its name and version). `kept_list`, `kept_until`: from which list its days were read, and until when.';
alter table holiday_places enable row level security;

create table public_holidays (
  country text not null,
  region  text not null,
  on_day  date not null,
  name    text not null check (length(name) between 1 and 200),
  primary key (country, region, on_day),
  foreign key (country, region) references holiday_places on delete cascade
);
comment on table public_holidays is 'Public holidays of the places where companies are, a few years around today, kept by a job. Past ones stay: ages of past claims are counted with them.';
alter table public_holidays enable row level security;

create table companies (
  id                   uuid primary key default gen_random_uuid(),
  name                 text not null check (length(name) between 2 and 100),
  domain               text check (domain = lower(domain) and length(domain) <= 253),
  domain_proven_at     timestamptz,
  domain_auto_register boolean not null default false,
  status               text not null default 'pending'
                         check (status in ('pending', 'active', 'suspended')),
  currency             text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  time_zone            text not null default 'UTC',
  country              text,
  region               text not null default '',
  admins_need_two_step boolean not null default false,
  receipts_restricted  boolean not null default false,
  version              integer not null default 1,
  created_at           timestamptz not null default now(),
  -- When an admin closed what the dashboard says is missing until people can claim.
  first_day_closed_at  timestamptz,
  -- Its first person, of a company that signed up: nobody is signed in then, so the record has no
  -- actor.
  founded_by           uuid references auth.users on delete set null,
  constraint domain_taken unique (domain),
  constraint domain_not_proven check (not domain_auto_register or domain_proven_at is not null),
  constraint a_region_has_a_country check (country is not null or region = ''),
  constraint unknown_place foreign key (country, region) references holiday_places
);
comment on table companies is 'A company that gives its people health money. Pending until the provider activates it.';
comment on column companies.country is 'Its public holidays stop the clock of reviews; without a country only weekends do.';
comment on column companies.receipts_restricted is 'Its reviewers decide without seeing receipts: one opens to who has the right to them, for a purpose that the employee is told.';
create index companies_pending on companies (created_at) where status = 'pending';
alter table companies enable row level security;

create table company_domains (
  company_id uuid not null references companies on delete restrict,
  domain     text not null check (domain = lower(domain) and length(domain) <= 253),
  proven_at  timestamptz not null default now(),
  proof  text not null check (proof in ('dns', 'mail')),
  primary key (company_id, domain),
  constraint domain_proven_twice unique (domain)
);
comment on table company_domains is 'Domains that a company has proven, beside the first one (companies.domain). A domain is one company''s.';
alter table company_domains enable row level security;

create table domain_requests (
  company_id   uuid not null references companies on delete restrict,
  domain       text not null check (domain = lower(domain) and length(domain) <= 253),
  -- Name servers are being asked; how that ended the last time.
  checking     boolean not null default false,
  checked_at   timestamptz,
  fault        text check (fault in ('missing', 'different', 'servers', 'taken')),
  mailed_at    timestamptz,
  code_hash    bytea,
  code_ends_at timestamptz,
  primary key (company_id, domain)
);
comment on table domain_requests is 'Domains that a company says are its own, until it has proven it by a DNS record or by mail.';
alter table domain_requests enable row level security;

-- Domains of mail providers that anybody can have an address at: never a company's.
create table free_mail_domains (domain text primary key);
comment on table free_mail_domains is 'Mail providers open to anybody, filled from a kept public list at each start.';
alter table free_mail_domains enable row level security;
