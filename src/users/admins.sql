-- Rights for a company: who has which, and how admins get and lose theirs.

create policy your_own_and_your_companys on company_rights for select to healthfund_request using (
  person_id = (select actor_id()) or (select actor_role()) = 'super_admin'
  or company_id = (select actor_company()) and (select actor_sees_people()));
grant select on company_rights to healthfund_request;
create or replace trigger audit after insert or update or delete on company_rights
  for each row execute function audited();

-- Whether a right has neither been ended nor run out; it may still wait to be confirmed.
create or replace function has_not_ended(ended_at timestamptz, ends_at timestamptz)
returns boolean
language sql stable
return ended_at is null and (ends_at is null or ends_at > now());

-- Rights that count now, of people who can use them: nobody suspended, nobody who has left.
create or replace view rights_now with (security_invoker) as
  select r.company_id, r.person_id, r.kind, r.ends_at, r.given_at
    from company_rights r
      join profiles p on p.company_id = r.company_id and p.id = r.person_id and p.status = 'active'
        and not p.has_left
    where has_not_ended(r.ended_at, r.ends_at) and r.confirmed_at is not null
      and r.begins_at <= now();
grant select on rights_now to healthfund_request;

-- Rights of a person, sorted; null without any.
create or replace function private.rights_of(company uuid, person uuid) returns text
language sql stable
return (select string_agg(r.kind, ',' order by r.kind) from rights_now r
  where r.company_id = company and r.person_id = person);

-- Rights that wait for an owner's confirmation.
create or replace view rights_waiting with (security_invoker) as
  select * from company_rights r
    where has_not_ended(r.ended_at, r.ends_at) and r.confirmed_at is null;
grant select on rights_waiting to healthfund_request;

-- People with a right for a company now; without a kind, with any right.
create or replace function private.holders(company uuid, kind text) returns setof uuid
language sql stable
begin atomic
  select distinct r.person_id from rights_now r
    where r.company_id = company and (holders.kind is null or r.kind = holders.kind);
end;

-- Whether a company has another holder of a right than these people.
create or replace function another_holder(kind text, company uuid, variadic besides uuid[])
returns boolean
language sql stable
return exists (select from rights_now r where r.company_id = company
  and r.kind = another_holder.kind and r.person_id <> all (array_remove(besides, null)));

-- Whether a company would have no permanent owner without this person: an owner with a last day
-- does not count.
create or replace function is_last_owner(company uuid, person uuid) returns boolean
language sql stable
return exists (select from rights_now r where r.company_id = company and r.person_id = person
    and r.kind = 'owner')
  and not exists (select from rights_now r where r.company_id = company and r.kind = 'owner'
    and r.ends_at is null and r.person_id <> person);

-- The specification's admin gets four rights. Those of an invited admin are given by whoever
-- invited them; those of a founder, or of an admin whom the provider makes, by nobody in the
-- company. They may wait to be confirmed, like all rights (giving.sql).
create or replace function private.give_admin_rights() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  -- The admin who gives the rights, or ends them.
  giver constant uuid := case actor_role() when 'company_admin' then actor_id() end;
  waits boolean;
begin
  if tg_op = 'UPDATE' then
    -- An admin whom the company itself makes an employee keeps their rights.
    update company_rights set ended_at = now(), ended_by = giver
      where person_id = new.id and ended_at is null and (company_id is distinct from new.company_id
        or new.role <> 'company_admin' and old.role <> new.role and giver is null);
  end if;
  if new.role <> 'company_admin' or new.account_state = 'requested' or new.company_id is null
      or tg_op = 'UPDATE' and old.role = new.role and old.account_state <> 'requested'
        and old.company_id is not distinct from new.company_id then
    return null;
  end if;
  with new_rights as (
    insert into company_rights (company_id, person_id, kind, begins_at, given_by, confirmed_at)
      select new.company_id, new.id, k.kind, case when actor_role() = 'super_admin'
            and not another_holder('owner', new.company_id, new.id)
            and private.owner_lately(new.company_id, new.id) then now() + settling_time()
            else now() end, giver,
          case when not private.waits_for_owner(k.kind, new.company_id, new.id) then now() end
        from unnest(admin_rights()) k (kind)
      on conflict (company_id, person_id, kind) where ended_at is null do nothing
      returning confirmed_at)
  select count(*) filter (where confirmed_at is null) > 0 into waits from new_rights;
  perform private.notify_of_admin(new.company_id, new.id, waits);
  return null;
end $$;
create or replace trigger admin_added after insert on profiles
  for each row when (new.role = 'company_admin') execute function private.give_admin_rights();
create or replace trigger admin_made after update of role, status, company_id on profiles
  for each row when (new.role = 'company_admin' or old.has_rights)
  execute function private.give_admin_rights();

create or replace function private.set_has_rights() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare holder constant uuid := case tg_op when 'DELETE' then old.person_id else new.person_id end;
begin
  update profiles p set has_rights = h.held
    from (select exists (select from company_rights r where r.person_id = holder
      and r.ended_at is null) as held) h
    where p.id = holder and p.has_rights <> h.held;
  return null;
end $$;
create or replace trigger has_rights after insert or update or delete on company_rights
  for each row execute function private.set_has_rights();

-- A right makes its holder one of those whose address proves the company's domain.
create or replace function private.look_for_holders_proof() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.prove_domain(new.company_id);
  return null;
end $$;
create or replace trigger look_for_proof after insert or update of confirmed_at on company_rights
  for each row when (new.confirmed_at is not null)
  execute function private.look_for_holders_proof();

-- Makes an admin an employee again, at once, by an owner with a fresh sign-in; an invitation that
-- nobody used is cancelled. Within a company one after the other: of two who remove each other at
-- the same moment one stays.
create or replace function remove_admin(person uuid, knowingly boolean default false)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := private.lock_rights();
  p profiles;
begin
  select * into p from profiles where company_id = company and id = person
    and private.is_admin(role, has_rights) and account_state <> 'requested' for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(right_refusal('end', r, actor_id())) from company_rights r
    where r.company_id = company and r.person_id = person and r.kind = 'owner'
      and has_not_ended(r.ended_at, r.ends_at);
  perform private.refuse_unless_fresh(), publish('supers'), publish('admins:' || company),
    publish('person:' || person);
  if p.confirmed_at is null then
    delete from auth.users where id = person;
    return;
  end if;
  if not knowingly then perform private.refuse(private.policy_gap_refusal(company, person)); end if;
  update company_rights set ended_at = now(), ended_by = actor_id()
    where company_id = company and person_id = person and ended_at is null;
  update profiles set role = 'employee', has_own = false where id = person;
  perform private.notify_about(person, actor_id(), 'rights_removed'),
    private.notify_supers('admin_removed', jsonb_build_object('company', c.name), c.id::text)
    from companies c where c.id = company;
end $$;

create or replace function private.owner_of(company uuid) returns uuid
language sql stable
return (select r.person_id from rights_now r where r.company_id = company and r.kind = 'owner'
  order by r.given_at, r.person_id limit 1);

grant execute on function has_not_ended, is_last_owner, remove_admin to healthfund_request;
