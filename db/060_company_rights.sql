-- What a person may do for their company, beside being one of its people.

create table company_rights (
  company_id   uuid not null references companies on delete cascade,
  id           uuid not null default gen_random_uuid(),
  person_id    uuid not null references profiles on delete cascade,
  kind         text not null
    check (kind in ('owner', 'people', 'reviewer', 'finance', 'auditor', 'viewer')),
  begins_at    timestamptz not null default now(),
  ends_at      timestamptz,
  given_by     uuid references profiles on delete set null,
  given_at     timestamptz not null default now(),
  confirmed_by uuid references profiles on delete set null,
  confirmed_at timestamptz,
  ended_by     uuid references profiles on delete set null,
  ended_at     timestamptz,
  primary key (company_id, id),
  constraint right_backwards check (ends_at > begins_at)
);
comment on table company_rights is 'Rights of people for their company: from when until when, who gave each, which other owner confirmed it, who ended it. One counts once it is confirmed; the founder''s, and those the provider gave, have nobody who gave them.';
create unique index one_right_of_a_kind on company_rights (company_id, person_id, kind) where ended_at is null;
create index rights_of_person on company_rights (person_id);
create index rights_of_kind on company_rights (company_id, kind) where ended_at is null;
create index rights_ended on company_rights (company_id, kind, ended_at) where ended_at is not null;
create index rights_to_end on company_rights (ends_at) where ended_at is null and ends_at is not null;
alter table company_rights enable row level security;

-- Who is an admin today did all that an admin does, and still does.
insert into company_rights (company_id, person_id, kind, begins_at, given_by, given_at, confirmed_at)
  select p.company_id, p.id, k.kind, coalesce(p.made_admin_at, p.created_at), m.id,
      coalesce(p.made_admin_at, p.created_at), coalesce(p.made_admin_at, p.created_at)
    from profiles p
      cross join unnest(array['owner', 'people', 'reviewer', 'finance']) k (kind)
      left join profiles m on m.id = p.made_admin_by
    where p.role = 'company_admin' and p.standing <> 'asking' and p.company_id is not null;
-- And whom another one removed counts as a pair of eyes for the rest of that day.
insert into company_rights (company_id, person_id, kind, begins_at, given_at, confirmed_at, ended_by, ended_at)
  select p.company_id, p.id, k.kind, p.created_at, p.created_at, p.created_at, o.id, p.was_admin_until
    from profiles p cross join unnest(array['owner', 'people', 'reviewer', 'finance']) k (kind)
      cross join lateral (select a.id from profiles a where a.company_id = p.company_id
        and a.role = 'company_admin' and a.status = 'active' order by a.created_at limit 1) o
    where p.was_admin_until > now() - interval '1 day' and p.company_id is not null;

alter table profiles drop column made_admin_by, drop column made_admin_at, drop column was_admin_until;
