-- Absences, and the deputy who is told of an absent person's work. A deputy gains no rights: they
-- decide as themselves, by the same rules (claim_refusal).

create policy of_your_company on absences for select using (
  company_id = (select actor_company())
    and (select actor_is_at_work()));
grant select on absences to healthfund_request;
create or replace trigger audit after insert or update or delete on absences
  for each row execute function audited('begun_at', 'ended_at');

-- The person who has this person's work of a right today: themselves, else their deputy, else the
-- deputy's deputy; null where that is nobody with the right.
create or replace function private.stand_in(kind text, company uuid, person uuid) returns uuid
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  today date := private.today_at(company);
  away absences;
begin
  for step in 1..20 loop
    exit when not exists (select from private.holders(company, kind) h (id) where h.id = person);
    select * into away from absences a
      where a.company_id = company and a.person_id = person and today between a.from_on and a.to_on;
    if not found then return person; end if;
    person := away.deputy_id;
  end loop;
  return null;
end $$;

-- The holders of the right for a kind of work, without the doer; deputies stand in for those away.
-- With nobody left all holders are told, so that no work waits unnoticed.
create or replace function private.deciders(kind text, company uuid, doer uuid) returns setof uuid
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with admins as (
    select p.id, case when exists (select from absences a where a.company_id = company
          and a.person_id = p.id
          and (select private.today_at(company)) between a.from_on and a.to_on)
        then private.stand_in(kind, company, p.id) else p.id end as has_it
      from private.holders(company, kind) p (id)),
  here as (
    select distinct a.has_it as id from admins a where a.has_it is distinct from doer
      and a.has_it is not null)
  select h.id from here h
  union all select a.id from admins a
    where a.id is distinct from doer and not exists (select from here)
$$;

-- Why somebody can't be named as a person's deputy; null where they can. Ann, who enters Ben's
-- absence, can't make herself his deputy: else a step of the policy that asks Ben would be Ann's
-- whenever she likes.
create or replace function deputy_refusal(company uuid, person uuid, deputy uuid, by_id uuid)
returns text
language sql stable
return case
  when deputy = person or deputy = by_id or not exists (select from rights_now r
    where r.company_id = company and r.person_id = deputy) then 'no_such_deputy'
  when counts_as_one('reviewer', deputy, by_id) then 'deputy_counts_as_you' end;

-- Why an absence can't be entered; null where it can. `n` is the row as it would be.
create or replace function private.absence_refusal(n absences) returns text
language sql stable
return case
  when n.person_id not in (select private.holders(n.company_id, null)) then 'not_found'
  when n.to_on < private.today_at(n.company_id) then 'absence_is_over'
  when n.deputy_id is not null
    and deputy_refusal(n.company_id, n.person_id, n.deputy_id, n.by_id) is not null
    then deputy_refusal(n.company_id, n.person_id, n.deputy_id, n.by_id)
  when exists (select from absences a where a.company_id = n.company_id
    and a.person_id = n.person_id and a.from_on <= n.to_on and n.from_on <= a.to_on)
    then 'already_away'
  when exists (select from absences a where a.company_id = n.company_id
    and a.person_id = n.deputy_id and a.from_on <= n.to_on and n.from_on <= a.to_on)
    then 'deputy_is_away' end;

-- Absences of a company are entered one after the other: two admins who name each other at the same
-- moment can't both be away. `person` is somebody who fell ill and can't enter it: another admin or
-- the provider does, and they are told.
create or replace function add_absence(from_on date, to_on date, deputy uuid,
  person uuid default null, company uuid default null) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n absences;
  by_provider constant boolean := actor_role() = 'super_admin';
begin
  perform private.refuse(case when not (by_provider or actor_is_at_work()) then 'forbidden' end);
  n.company_id := case when by_provider then company else actor_company() end;
  n.person_id := coalesce(person, actor_id());
  n.by_id := nullif(actor_id(), n.person_id);
  n.deputy_id := deputy;
  n.from_on := from_on;
  n.to_on := to_on;
  perform pg_advisory_xact_lock(hashtextextended('absences of ' || n.company_id, 0));
  perform private.refuse(private.absence_refusal(n));
  insert into absences (company_id, person_id, deputy_id, from_on, to_on, by_id)
    values (n.company_id, n.person_id, n.deputy_id, n.from_on, n.to_on, n.by_id)
    returning id into n.id;
  if n.by_id is not null then
    perform private.notify_about(n.person_id, n.by_id, 'absence_entered',
      jsonb_build_object('from', n.from_on, 'until', n.to_on, 'by_provider', by_provider));
  end if;
  perform publish('admins:' || n.company_id), publish('supers');
  return n.id;
end $$;

-- Whether whoever asks may end an absence: they are away themselves, or entered it.
create or replace function private.may_end_absence(person uuid, by_id uuid) returns boolean
language sql stable
return coalesce(actor_id() in (person, by_id), false);

-- Ends an absence that is planned or under way. The record alone keeps that it was entered. If it
-- had begun, its deputy is notified that the work went back. The person who was away is notified
-- unless they ended it themselves.
create or replace function end_absence(absence uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  a absences;
  deputy uuid;
begin
  perform private.refuse(case when not (actor_role() = 'super_admin' or actor_is_at_work())
    then 'forbidden' end);
  select * into a from absences x
    where x.id = absence and private.may_end_absence(x.person_id, x.by_id)
      and (actor_role() = 'super_admin' or x.company_id = actor_company()) for update;
  if not found then perform private.refuse('not_found'); end if;
  deputy := private.stand_in(null, a.company_id, a.person_id);
  delete from absences x where x.id = a.id;
  if a.begun_at is not null and a.ended_at is null then
    if deputy not in (a.person_id, actor_id()) then
      perform private.notify_about(deputy, a.person_id, 'stood_in');
    end if;
    if a.person_id <> actor_id() then
      perform private.notify_returned(a.company_id, a.person_id);
    end if;
  end if;
  perform publish('admins:' || a.company_id), publish('supers');
end $$;

create or replace function private.claims_waiting(company uuid) returns bigint
language sql stable
return (select count(*) from claims c where c.company_id = company and c.status = 'pending');

create or replace function private.notify_returned(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform notify_person(h.id, 'back_again',
    jsonb_build_object('claims', private.claims_waiting(company)))
    from private.holders(company, null) h (id) where h.id = person;
end $$;

-- Absences that are not over, and who has the work today: of the company's admins as far as the
-- asker sees them, or of a company that the provider looks at.
create or replace function company_absences(company uuid default null) returns table (id uuid,
  person_id uuid, person_name text, deputy_name text, from_on date, to_on date, is_now boolean,
  has_it text, may_end boolean)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select a.id, a.person_id, p.full_name, d.full_name, a.from_on, a.to_on, a.from_on <= t.today,
      case when a.from_on <= t.today then (select w.full_name from profiles w
        where w.company_id = a.company_id
          and w.id = private.stand_in(null, a.company_id, a.person_id)) end,
      private.may_end_absence(a.person_id, a.by_id)
    from absences a
      join profiles p on p.company_id = a.company_id and p.id = a.person_id
        and p.has_rights and p.status = 'active'
      left join profiles d on d.company_id = a.company_id and d.id = a.deputy_id
      cross join lateral (select private.today_at(a.company_id) as today) t
    where a.to_on >= t.today and a.company_id = case
        when actor_is_at_work() then actor_company()
        when actor_role() = 'super_admin' then company end
    order by a.from_on, p.sort_name, a.id;
end;

-- Notifies once, in the hour in which the day begins at the company: the deputy of the work that
-- came to them, owners of a step of the policy whose reviewer is away, and an admin who is back of
-- the work that waits for them again.
create or replace function private.notify_of_absences() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  a absences;
  deputy uuid;
begin
  for a in select x.* from absences x where x.begun_at is null
      and x.from_on <= private.today_at(x.company_id) for no key update skip locked
  loop
    update absences set begun_at = now() where company_id = a.company_id and id = a.id;
    deputy := private.stand_in(null, a.company_id, a.person_id);
    if a.to_on >= private.today_at(a.company_id) and deputy is not null then
      perform private.notify_about(deputy, a.person_id, 'standing_in',
        jsonb_build_object('until', a.to_on, 'claims', private.claims_waiting(a.company_id)));
    end if;
    if exists (select from private.step_gaps(a.company_id) g
        where g.gap = 'away' and a.person_id = any (g.missing)) then
      perform private.notify_of_work('step_away', a.company_id, about => a.person_id);
    end if;
    perform private.publish_now('admins:' || a.company_id);
  end loop;
  for a in select x.* from absences x where x.ended_at is null
      and x.to_on < private.today_at(x.company_id) for no key update skip locked
  loop
    update absences set ended_at = now() where company_id = a.company_id and id = a.id;
    perform private.notify_returned(a.company_id, a.person_id);
    perform private.publish_now('admins:' || a.company_id);
  end loop;
end $$;

grant execute on function deputy_refusal, add_absence, end_absence, company_absences
  to healthfund_request;
