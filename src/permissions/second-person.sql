-- Second persons: who counts as one with whom, and whether a second person is there.

-- A day passes before a new right makes its holder a second person, and before a raised limit of
-- employee files is in force.
create or replace function settling_time() returns interval
language sql immutable
return interval '24 hours';

-- Rights given by a colleague that are not a day old. The day counts from the last of three
-- moments: the right was given, it began, its holder proved their address. Counted from the giving
-- alone, Ann could give Finance to a second address of her own today, and use it as a second person
-- tomorrow. `counts_from` is when the day is over; null until the address is proved.
create or replace view rights_lately with (security_invoker) as
  select r.company_id, r.person_id, r.kind, r.given_by, case when p.confirmed_at is not null
      then greatest(r.given_at, r.begins_at, p.confirmed_at) + settling_time() end as counts_from
    from company_rights r join profiles p on p.id = r.person_id
    where r.given_by <> r.person_id and (p.confirmed_at is null
      or greatest(r.given_at, r.begins_at, p.confirmed_at) > now() - settling_time());
grant select on rights_lately to healthfund_request;

-- Rights with acts that take two people: with Finance, one makes a payout and another releases it.
create or replace function takes_two(kind text) returns boolean
language sql immutable
return kind in ('owner', 'people', 'reviewer', 'finance');

-- A second person must be another human: an owner could give a right to a second address of their
-- own. So the new holder of a right counts as its giver for a day, where that right is asked for.
-- Ann gave Ben Finance at 9:00: until 9:00 tomorrow Ben counts as Ann and can't release her
-- payouts. Ben has been a reviewer for a year, so as reviewers Ann and Ben are two people all the
-- time. Counted with Ben are Ben, Ann, her own giver if that is less than a day ago, and so on. A
-- new owner counts as the giver for every right, since an owner can give them all.
create or replace function counted_with(kind text, person uuid) returns uuid[]
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  people uuid[] := array[person];
  givers uuid[];
begin
  loop
    select array_agg(distinct r.given_by) into givers from rights_lately r
      where r.person_id = any (people) and r.kind in (counted_with.kind, 'owner')
        and r.given_by <> all (people);
    if givers is null then return people; end if;
    people := people || givers;
  end loop;
end $$;

-- Two people count as one if the same person is counted with both: Ben and Cleo, to whom Ann gave
-- Finance today, count as one with Ann and with each other. The `exists` spares nearly all the
-- loop.
create or replace function counts_as_one(kind text, one uuid, other uuid) returns boolean
language sql stable
return case when one <> other
    and exists (select from rights_lately r where r.person_id in (one, other))
  then counted_with(kind, one) && counted_with(kind, other) else false end;

-- The people who were given a right lately, nearly always nobody. A list reads them once and passes
-- them to `counts_as_one_given` for each row, which then costs next to nothing.
create or replace function rights_given(company uuid) returns uuid[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when not private.is_request() or company = actor_company()
    and actor_sees_people()
  then array(select r.person_id from rights_lately r
    where r.company_id = rights_given.company) end;

create or replace function counts_as_one_given(kind text, one uuid, other uuid, given uuid[])
returns boolean
language sql stable
return case when one = any (given) or other = any (given) then counts_as_one(kind, one, other)
  else false end;

create or replace function counts_as_one_with_any(kind text, them uuid[], me uuid) returns boolean
language sql stable
return exists (select from unnest(them) o (id)
  where counts_as_one(counts_as_one_with_any.kind, o.id, me));

-- Whether the company has a second person for `me`: a holder of the right who does not count as one
-- with `me` and is not in `besides`. Whoever is alone may do alone what takes two elsewhere, so
-- removing the others helps nobody: Ann ends Ben's Finance at 9:00, and until 9:00 tomorrow Ben is
-- still found here. A right that the provider or its own last day ended is not.
create or replace function has_second_person(kind text, company uuid, me uuid,
  variadic besides uuid[] default '{}') returns boolean
language sql stable
return exists (select from rights_now r where r.company_id = company
    and r.kind = has_second_person.kind and r.person_id <> me
    and r.person_id <> all (array_remove(besides, null))
    and not counts_as_one(has_second_person.kind, r.person_id, me))
  or exists (select from company_rights r where r.company_id = company
    and r.kind = has_second_person.kind and r.person_id <> me and r.confirmed_at is not null
    and r.ended_at > now() - settling_time() and r.ended_by <> r.person_id
    and r.person_id <> all (array_remove(besides, null))
    and not counts_as_one(has_second_person.kind, r.person_id, me));

-- The next holder to become a second person, and when: "Ben counts as a second person from …". A
-- holder whose giver has not got the right is none: no act by it is the giver's. Null where nobody
-- waits, or nobody who waits has proved their address.
create or replace function next_second_person(kind text, company uuid,
  variadic besides uuid[] default '{}')
returns json
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select json_build_object('name', p.full_name, 'from_at', max(l.counts_from))
    from rights_now r
      join rights_lately l on l.person_id = r.person_id
        and l.kind in (next_second_person.kind, 'owner')
      join profiles p on p.id = r.person_id
    where r.company_id = company and r.kind = next_second_person.kind
      and r.person_id <> all (array_remove(besides, null))
      and l.given_by in (select o.person_id from rights_now o
        where o.company_id = company and o.kind = next_second_person.kind)
    group by p.id, p.full_name having bool_and(l.counts_from is not null)
    order by max(l.counts_from), p.id limit 1
$$;

-- Nobody adjusts or blocks their own money, nor does an admin who counts as its person: Ben, to
-- whom Ann gave Finance today, does not touch Ann's money today.
create or replace function own_money_refusal(kind text, person uuid, me uuid) returns text
language sql stable
return case when person = me then 'yourself' when counts_as_one(kind, person, me)
  then 'admin_too_new'
  end;

-- Admins change their own benefits (payments, grants, dependents) only where the company has no
-- second person; for those of others the rule above holds. People in `besides` are no second
-- person: a group that brings in Ann's department changes Ben's benefits with hers, so Ben can't do
-- it.
create or replace function own_benefit_refusal(kind text, company uuid, person uuid, me uuid,
  variadic besides uuid[] default '{}') returns text
language sql stable
return case when person = me
    then case when has_second_person(kind, company, me, variadic besides) then 'own_benefit' end
  else own_money_refusal(kind, person, me) end;

grant execute on function settling_time, takes_two, counted_with, rights_given, counts_as_one,
  counts_as_one_given, counts_as_one_with_any, has_second_person, next_second_person,
  own_benefit_refusal, own_money_refusal to healthfund_request;
