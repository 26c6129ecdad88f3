-- Second persons: who counts as one with whom, and whether a second person is there.

-- A new right takes this long to make a second person, and a looser limit to be in force.
create or replace function settling_time() returns interval
language sql immutable
return interval '24 hours';

-- Rights that somebody gave and that have not been of use for a day: it begins only once whoever
-- was invited has come, and once the right itself has begun, or an address could be kept ready.
create or replace view rights_lately with (security_invoker) as
  select r.company_id, r.person_id, r.kind, r.given_by, case when p.confirmed_at is not null
      then greatest(r.given_at, r.begins_at, p.confirmed_at) + settling_time() end as counts_from
    from company_rights r join profiles p on p.id = r.person_id
    where r.given_by <> r.person_id and (p.confirmed_at is null
      or greatest(r.given_at, r.begins_at, p.confirmed_at) > now() - settling_time());
grant select on rights_lately to healthfund_request;

-- Rights for whose acts it takes two: those whose second person is asked for somewhere.
create or replace function takes_two(kind text) returns boolean
language sql immutable
return kind in ('owner', 'people', 'reviewer', 'finance');

-- A second person is another person. One could be both by giving a right to a second address
-- of theirs. So the provider is told, and for a day the new holder of a right counts, where that
-- right is asked for, as the owner who gave it. Counted with a person: they, whoever
-- lately gave them the right or made them an owner, and so on.
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

-- (Where neither was given anything of late, they are two.)
create or replace function counts_as_one(kind text, one uuid, other uuid) returns boolean
language sql stable
return case when one <> other
    and exists (select from rights_lately r where r.person_id in (one, other))
  then counted_with(kind, one) && counted_with(kind, other) else false end;

-- The people who got a right lately, nearly always nobody: all others count by themselves. A list
-- asks once, and of each of its rows with the answer.
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

-- Whether the company has somebody with this right who is a second person beside this one, besides
-- those, or had until another of the company ended that right less than a day ago: who removes all
-- others is not alone by it. What the provider or the calendar ends leaves them alone.
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

-- The next to count as a second person for this right, and from when: of those who were given it
-- lately by one of its holders. Null where there is none, or the next has not come yet.
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

-- Whether somebody acts on what is theirs: themselves, or an admin whom that person gave the right
-- today, who counts as them.
create or replace function own_money_refusal(kind text, person uuid, me uuid) returns text
language sql stable
return case when person = me then 'yourself' when counts_as_one(kind, person, me)
  then 'admin_too_new'
  end;

-- A person's own benefits (payments, grants, dependents) are for another admin to change, where the
-- company has a second person, besides those.
create or replace function own_benefit_refusal(kind text, company uuid, person uuid, me uuid,
  variadic besides uuid[] default '{}') returns text
language sql stable
return case when person = me
    then case when has_second_person(kind, company, me, variadic besides) then 'own_benefit' end
  else own_money_refusal(kind, person, me) end;

grant execute on function settling_time, takes_two, counted_with, rights_given, counts_as_one,
  counts_as_one_given, counts_as_one_with_any, has_second_person, next_second_person,
  own_benefit_refusal, own_money_refusal to healthfund_request;
