-- Days on which a company's admins are away, and who has their work meanwhile.

create table absences (
  company_id uuid not null references companies on delete restrict,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  deputy_id  uuid,
  from_on    date not null,
  to_on      date not null,
  begun_at   timestamptz,
  ended_at   timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  foreign key (company_id, deputy_id) references profiles (company_id, id)
    on delete set null (deputy_id),
  constraint absence_backwards check (from_on <= to_on),
  constraint absence_too_long check (to_on - from_on < 366)
);
comment on table absences is 'From when until when an admin is away, in days of the company, and who has their work. Who that is decides as themselves: an absence gives nobody a right. `begun_at`, `ended_at`: when the deputy, and who is back, were told.';
create index absences_of_person on absences (company_id, person_id, to_on);
create index absences_to_begin on absences (from_on) where begun_at is null;
create index absences_to_end on absences (to_on) where ended_at is null;
alter table absences enable row level security;
