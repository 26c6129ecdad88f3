-- The family members a person's Solidarity money is for: whom it covers, from when, until when.

create table family_rules (
  company_id      uuid primary key references companies on delete restrict,
  approval_needed boolean not null default false,
  child_age       smallint not null default 26 check (child_age between 16 and 40)
);
comment on table family_rules is 'What a company decided about dependents: whether its HR approves each, and at which age children are no longer covered. No row: as the defaults say.';
alter table family_rules enable row level security;
create policy your_companys on family_rules for select using (company_id = (select actor_company()));
create policy its_admin_adds on family_rules for insert with check (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
create policy its_admin_decides on family_rules for update using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select, insert (company_id, approval_needed, child_age), update (approval_needed, child_age)
  on family_rules to healthfund_request;
create trigger audit after insert or update or delete on family_rules
  for each row execute function audited();

create table dependents (
  company_id     uuid not null,
  id             uuid not null default gen_random_uuid(),
  person_id      uuid not null,
  full_name      text not null check (length(full_name) between 2 and 100),
  relationship   text not null check (relationship in ('spouse', 'child', 'parent')),
  born_on        date not null,
  covered_from   date not null,
  covered_to     date,
  status         text not null check (status in ('asking', 'active', 'declined', 'withdrawn')),
  added_on       date not null,
  added_at       timestamptz not null default now(),
  approval       boolean not null default false,
  ended_at       timestamptz,
  ended_by_hr    boolean not null default false,
  decline_reason text check (length(decline_reason) <= 500),
  told_of        date,
  told_days      smallint,
  version        integer not null default 1,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  -- Measured against the day of adding, so that they stay true for ever.
  constraint born_in_the_future check (born_on <= added_on),
  constraint born_too_long_ago check (born_on > added_on - interval '130 years'),
  constraint cover_before_birth check (covered_from >= born_on),
  constraint cover_ends_before_it_begins check (covered_to >= covered_from),
  -- On no day two: who was divorced may marry again, the day after.
  constraint one_active_spouse exclude using gist (company_id with =, person_id with =,
    daterange(covered_from, covered_to, '[]') with &&)
    where (relationship = 'spouse' and status in ('asking', 'active'))
);
comment on table dependents is 'A family member of a person. Covered from `covered_from` on while `active`, until `covered_to` or the end of the month in which a child is too old; rows stay when cover is over.';
comment on column dependents.status is 'Asking waits for HR; active was approved or needed none. Whether it covers on a day is `covers`.';
comment on column dependents.approval is 'Whether HR approved it, so that its facts are HR''s, too.';
create index dependents_of on dependents (company_id, person_id);
create index dependents_asking on dependents (company_id, added_at, id) where status = 'asking';

alter table dependents enable row level security;
create policy your_family_and_your_peoples on dependents for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_id()) or (select actor_role()) = 'company_admin'));
grant select on dependents to healthfund_request;
create trigger audit after insert or update or delete on dependents for each row
  execute function audited('full_name', 'born_on', 'decline_reason', 'told_of', 'told_days', 'version');

-- What became of each, for the person and HR to read.
create table dependent_events (
  company_id   uuid not null,
  id           bigint generated always as identity,
  dependent_id uuid not null,
  at           timestamptz not null default now(),
  by_role      text not null,
  event        text not null check (event in
                 ('added', 'asked', 'approved', 'declined', 'withdrawn', 'changed', 'ended', 'resumed', 'told')),
  day          date,
  primary key (company_id, id),
  foreign key (company_id, dependent_id) references dependents (company_id, id) on delete cascade
);
comment on table dependent_events is 'The history of each dependent, oldest first. `day` is the day it is about, such as the last day of cover.';
create index dependent_events_of on dependent_events (company_id, dependent_id, id);
alter table dependent_events enable row level security;
create policy of_whom_you_see on dependent_events for select using (
  company_id = (select actor_company()) and exists (select from dependents d
    where d.company_id = dependent_events.company_id and d.id = dependent_events.dependent_id));
grant select on dependent_events to healthfund_request;

-- Who is 26 this month is covered until its last day. Born on 29 February: February, too.
create function ages_out_on(relationship text, born_on date, child_age integer) returns date
language sql immutable
return case when relationship = 'child' then (date_trunc('month', born_on
  + make_interval(years => child_age)) + interval '1 month' - interval '1 day')::date end;

create function age_on(born_on date, day date) returns integer language sql immutable
return extract(year from day)::int - extract(year from born_on)::int
  - (born_on + make_interval(years => extract(year from day)::int - extract(year from born_on)::int)
      > day)::int;

create function child_age_of(company uuid) returns integer
language sql stable security definer set search_path = public, pg_catalog
return coalesce((select r.child_age from family_rules r where r.company_id = company), 26);

-- The last day of cover; null: it goes on.
create function cover_until(dependent dependents, child_age integer) returns date
language sql immutable set search_path = public, pg_catalog
return least(dependent.covered_to,
  ages_out_on(dependent.relationship, dependent.born_on, child_age));

-- Whether a person's Solidarity money was or is for this dependent on a day: the cover was approved, the day is
-- within it, and the person was with the company. Cover that is over still covers the days it covered.
create function covers(company uuid, person uuid, dependent uuid, day date) returns boolean
language sql stable security definer set search_path = public, pg_catalog
return exists (
  select from dependents d join profiles p on p.company_id = d.company_id and p.id = d.person_id
    where d.company_id = company and d.person_id = person and d.id = dependent and d.status = 'active'
      and (actor() = '' or company = actor_company())
      and covers.day >= greatest(d.covered_from, p.joined_on)
      and covers.day <= coalesce(least(cover_until(d, child_age_of(company)), p.left_on), covers.day));

-- How many dependents count for a plan year: the most that were covered at the same time in it, up to today. What
-- was given for a cover that ended stays for the year, so that bills of its days can still be claimed; adding and
-- ending again and again gives no more.
create function wall.dependents_in(company uuid, year date, today date, people uuid[])
returns table (person_id uuid, dependents integer)
language sql stable set search_path = public, pg_catalog as $$
  with spans as materialized (
    select d.person_id, d.id, greatest(d.covered_from, y.starts_on) as since,
        least(cover_until(d, child_age_of(company)), y.ends_on, today) as until
      from dependents d join plan_years y on y.company_id = company and y.starts_on = year
      where d.company_id = company and d.status = 'active'
        and (people is null or d.person_id = any (people)))
  select n.person_id, max(n.covered)::int from (
    select a.person_id, a.id, count(*) as covered from spans a
      join spans b on b.person_id = a.person_id and a.since between b.since and b.until
      where a.since <= a.until group by a.person_id, a.id) n
    group by n.person_id
$$;

-- Brings these people's Solidarity in line with whom they cover; null: everybody of the company. Answers how many
-- people's changed.
drop function wall.cover_dependents(uuid, uuid, integer);
create function wall.cover_dependents(company uuid, people uuid[], today date) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare
  year date;
  changed uuid[];
  moved integer := 0;
begin
  for year in select y.starts_on from plan_years y where y.company_id = company and y.closed_at is null
    and y.starts_on <= today order by y.starts_on
  loop
    changed := array(
      select g.person_id from grants g
        left join wall.dependents_in(company, year, today, people) n on n.person_id = g.person_id
        where g.company_id = company and g.plan_year = year and g.category = 'solidarity'
          and (people is null or g.person_id = any (people))
          and g.dependents <> coalesce(n.dependents, 0)
        order by g.person_id limit 1000);
    continue when cardinality(changed) = 0;
    perform wall.lock_pools(company, year);
    update grants g set dependents = coalesce(n.dependents, 0)
      from unnest(changed) c (id)
      left join wall.dependents_in(company, year, today, changed) n on n.person_id = c.id
      where g.company_id = company and g.plan_year = year and g.person_id = c.id
        and g.category = 'solidarity';
    perform wall.regrant_people(company, year, changed), wall.grant_soon(company, year);
    moved := moved + cardinality(changed);
  end loop;
  return moved;
end $$;

create function wall.family_changed() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.cover_dependents(new.company_id, array[new.person_id], wall.today_at(new.company_id));
  return null;
end $$;
create trigger cover_them after insert or update of status, relationship, born_on, covered_from, covered_to
  on dependents for each row execute function wall.family_changed();

-- Who comes into a plan year brings their family along; what is due follows with the next step of granting.
create function wall.bring_family() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare of_year record;
begin
  for of_year in
    select a.company_id, a.plan_year, array_agg(distinct a.person_id) as people
      from added a where a.category = 'solidarity' and exists (select from dependents d
        where d.company_id = a.company_id and d.person_id = a.person_id)
      group by 1, 2
  loop
    update grants g set dependents = n.dependents
      from wall.dependents_in(of_year.company_id, of_year.plan_year,
        wall.today_at(of_year.company_id), of_year.people) n
      where g.company_id = of_year.company_id and g.plan_year = of_year.plan_year
        and g.person_id = n.person_id and g.category = 'solidarity';
  end loop;
  return null;
end $$;
create trigger bring_family after insert on grants referencing new table as added
  for each statement execute function wall.bring_family();

revoke execute on function wall.dependents_in(uuid, date, date, uuid[]),
  wall.cover_dependents(uuid, uuid[], date), wall.family_changed(), wall.bring_family(),
  covers(uuid, uuid, uuid, date), child_age_of(uuid) from public;
grant execute on function covers(uuid, uuid, uuid, date), child_age_of(uuid),
  ages_out_on(text, date, integer), age_on(date, date), cover_until(dependents, integer)
  to healthfund_request;
