-- What HR writes down about a person, for the other admins of the company.
create table person_notes (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  text       text not null check (length(text) between 1 and 2000),
  written_by uuid not null,
  written_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade
);
comment on table person_notes is 'Notes of a company''s admins about one of its people: read by those admins alone, in the person''s own export, gone with their erasure.';
create index person_notes_of on person_notes (company_id, person_id, written_at desc);
alter table person_notes enable row level security;
