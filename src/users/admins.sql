-- Two pairs of eyes are two people. An admin could be both by making a second address of theirs an
-- admin, so the provider is told of each, and for a day whom an admin made counts as that admin.

create or replace function private.note_admin_made() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() = '' then return new; end if; -- they confirmed their address: who made them stays
  new.made_admin_by := case actor_role() when 'company_admin' then actor_id() end;
  new.made_admin_at := now();
  if new.made_admin_by is not null then
    perform private.notify_supers('admin_made', jsonb_build_object('company', c.name),
      '/dashboard/companies/' || c.id)
      from companies c where c.id = new.company_id;
  end if;
  return new;
end $$;
create or replace trigger note_admin_added before insert on profiles
  for each row when (new.role = 'company_admin') execute function private.note_admin_made();
create or replace trigger note_admin_made before update of role, status on profiles
  for each row when (new.role = 'company_admin' and (old.role <> 'company_admin' or old.status
    = 'pending'))
  execute function private.note_admin_made();

-- Whose hand somebody's counts as: that of who made them an admin less than a day ago, and of who
-- made those.
create or replace function hand_of(person uuid) returns uuid
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  chain uuid[] := array[person];
  maker uuid;
begin
  loop
    select p.made_admin_by into maker from profiles p
      where p.id = chain[cardinality(chain)] and p.made_admin_at > now() - interval '24 hours';
    if maker is null then return chain[cardinality(chain)]; end if;
    -- Who made each other are one hand, too: the same of them, whoever is asked about.
    if maker = any (chain) then
      return (select c from unnest(chain[array_position(chain, maker):]) c order by c limit 1);
    end if;
    chain := chain || maker;
  end loop;
end $$;

create or replace function same_hand(one uuid, other uuid) returns boolean
language sql stable
return case when one <> other then hand_of(one) = hand_of(other) else false end;

-- Whether the company has an active admin who is a pair of eyes of their own beside this one,
-- besides those, or had one until less than a day ago: who removes all others is not alone by it.
create or replace function another_pair(company uuid, me uuid, variadic besides uuid[] default '{}')
  returns boolean
language sql stable
return exists (select from profiles p where p.company_id = company and p.role = 'company_admin'
  and p.status = 'active' and p.id <> me and p.id <> all (array_remove(besides, null))
  and not same_hand(p.id, me))
  or exists (select from profiles p where p.company_id = company and p.id <> me
    and p.was_admin_until > now() - interval '24 hours'
    and p.id <> all (array_remove(besides, null)) and not same_hand(p.id, me));

-- An admin becomes an employee again, at once, by another one who proves with their password that
-- it is them; who was invited and never came is taken back. One after the other within a company:
-- of two who remove each other at the same moment one stays.
create or replace function remove_admin(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := actor_company();
  p profiles;
begin
  perform private.require_role('company_admin'), private.refuse_unless_fresh(),
    pg_advisory_xact_lock(hashtextextended('admins of ' || company, 0));
  if not exists (select from profiles where id = actor_id() and role = 'company_admin') then
    perform private.refuse('forbidden');
  end if;
  select * into p from profiles where company_id = company and id = person
    and role = 'company_admin' and standing <> 'asking' for no key update;
  if not found then perform private.refuse('not_found'); end if;
  if p.id = actor_id() then perform private.refuse('yourself'); end if;
  perform tell('supers'), tell('admins:' || company), tell('person:' || person);
  if p.confirmed_at is null then
    delete from auth.users where id = person;
    return;
  end if;
  update profiles set role = 'employee', has_own = false, was_admin_until = now()
    where id = person;
  perform private.notify_about(person, actor_id(), 'rights_removed', '{}', '/dashboard/employee'),
    private.notify_supers('admin_removed', jsonb_build_object('company', c.name),
      '/dashboard/companies/' || c.id)
    from companies c where c.id = company;
end $$;

-- Whose company it is: until somebody is named its owner, its first admin who is still active.
create or replace function private.owner_of(company uuid) returns uuid
language sql stable set search_path = public, pg_catalog, pg_temp
return (select id from profiles where company_id = company and role = 'company_admin'
  and status = 'active' order by made_admin_at nulls first, created_at, id limit 1);

grant execute on function hand_of, same_hand, another_pair, remove_admin to healthfund_request;
