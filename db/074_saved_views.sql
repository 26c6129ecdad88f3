-- Filters, search and order of a page that somebody keeps under a name.
create table saved_views (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  page       text not null check (page in ('claims', 'employees')),
  name       text not null check (length(name) between 1 and 60),
  filters    jsonb not null check (jsonb_typeof(filters) = 'object'),
  shared     boolean not null default false,
  version    integer not null default 1,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table saved_views is 'What a person keeps of a page''s filters, for themselves or shared with all of the company who may open the page. `filters` are the names and values of the address.';
create unique index view_exists on saved_views (company_id, person_id, page, lower(name));
create index saved_views_shared on saved_views (company_id, page) where shared;
alter table saved_views enable row level security;
