-- Rights are given by an owner, confirmed by another if they move money, and ended by an owner.
-- Acts on rights of a company are done one after the other: of two owners who end each other one
-- stays.

-- Rights that move money or open receipts need two owners, if the company has two.
create or replace function private.needs_second_owner(kind text, person uuid) returns boolean
language sql stable
return kind in ('owner', 'reviewer', 'receipts', 'finance')
  and has_second_person('owner', actor_company(), actor_id(), person);

-- Whether an admin's new rights wait for an owner. An owner gives them like any others. The
-- provider runs no company that has an owner, so all that it gives waits for one; a new company, or
-- one that lost its last owner, has nobody to ask.
create or replace function private.waits_for_owner(kind text, company uuid, person uuid)
returns boolean
language sql stable
return case actor_role() when 'super_admin' then another_holder('owner', company, person)
  when 'company_admin' then private.needs_second_owner(kind, person) else false end;

-- Whether the company had an owner until less than a day ago: the provider may have ended or
-- suspended them itself. Rights that it gives then begin a day later, and everybody who had rights
-- is notified.
create or replace function private.owner_lately(company uuid, besides uuid) returns boolean
language sql stable
return exists (select from company_rights r join profiles p on p.id = r.person_id
  where r.company_id = company and r.person_id <> besides and r.kind = 'owner'
    and r.confirmed_at is not null and p.confirmed_at is not null
    and coalesce(r.ended_at, r.ends_at, 'infinity') > now() - settling_time());

-- The reason why an owner can't give a person, or whoever is invited (null), a right of this kind
-- now; null where they can. An owner who removed the other one doesn't act alone for a day.
create or replace function giving_refusal(kind text, person uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when actor_has('owner') and private.needs_second_owner(kind, person)
    and not another_holder('owner', actor_company(), actor_id(), person)
  then 'owner_removed_lately' end;

-- Notifies the owners of an admin who waits, as they are to confirm it. Without an owner it
-- notifies everybody who has rights, or had some until a day ago, as the provider may have ended
-- those first.
create or replace function private.notify_of_admin(company uuid, person uuid, waits boolean)
returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare begins text := case when private.owner_lately(company, person) then 'later' end;
begin
  if actor_role() = 'company_admin' then
    if waits then
      perform private.notify_about(o.id, person, 'admin_waits', '{"by": "owner"}')
        from private.holders(company, 'owner') o (id) where o.id not in (actor_id(), person);
    end if;
    perform private.notify_supers('admin_made', jsonb_build_object('company', c.name),
      c.id::text) from companies c where c.id = company;
    perform publish('admins:' || company);
  elsif actor_role() = 'super_admin' then
    perform private.notify_about(t.id, person,
      case when waits then 'admin_waits' else 'admin_by_provider' end,
      jsonb_strip_nulls(jsonb_build_object('by', 'provider', 'begins', begins)))
      from (select distinct r.person_id as id from company_rights r
        where r.company_id = company and r.person_id <> person and r.confirmed_at is not null
          and (r.ended_at is null or r.ended_at > now() - settling_time())
          and (not waits
            or r.person_id in (select private.holders(company, 'owner')))) t;
    perform publish('admins:' || company);
  end if;
end $$;

-- Why an owner can't confirm what somebody gave: the two count as one. An owner whom the provider
-- made counts as one with the provider for a day.
create or replace function private.confirmer_refusal(company uuid, given_by uuid, me uuid)
returns text
language sql stable
return case when given_by = me then 'right_given_by_you'
  when counts_as_one('owner', given_by, me) then 'admin_too_new'
  when given_by is null and exists (select from company_rights r where r.company_id = company
    and r.person_id = me and r.kind = 'owner' and r.ended_at is null and r.given_by is null
    and r.confirmed_by is not null and r.confirmed_at > now() - settling_time())
    then 'admin_too_new' end;

-- The reason why an act may not be done to a right as it is now; null where it may.
create or replace function right_refusal(act text, r company_rights, me uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when r.company_id <> actor_company() or not actor_has('owner') then 'forbidden'
  when r.ended_at is not null or r.ends_at <= now() then 'right_is_over'
  when r.person_id = me then 'yourself'
  when act = 'confirm' then case
    when r.confirmed_at is not null then 'right_already_confirmed'
    else private.confirmer_refusal(r.company_id, r.given_by, me) end
  when r.kind = 'owner' and is_last_owner(r.company_id, r.person_id)
    then 'last_owner' end;

create or replace function right_refusals(r company_rights, me uuid) returns json
language sql stable
return json_build_object('confirm', right_refusal('confirm', r, me),
  'end', right_refusal('end', r, me));

-- Rights that wait for this owner's confirmation.
create or replace function private.rights_to_confirm(company uuid, me uuid)
returns setof rights_waiting
language sql stable
begin atomic
  select * from rights_waiting r where r.company_id = company and r.person_id <> me
    and private.confirmer_refusal(r.company_id, r.given_by, me) is null;
end;

create or replace function private.right_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'right_waits', count(*)::integer, null::bigint, r.person_id, r.person_id, null::integer,
      null::bigint, min(r.given_at), null::timestamptz, '/dashboard/settings#rights'
    from private.rights_to_confirm(p.company_id, p.id) r group by r.person_id
$$;

-- A person's rights that don't count yet, because they wait to be confirmed or to begin.
create or replace function private.rights_to_come(person uuid) returns setof company_rights
language sql stable
begin atomic
  select * from company_rights r where r.person_id = person
    and has_not_ended(r.ended_at, r.ends_at) and (r.confirmed_at is null or r.begins_at > now());
end;

-- Owners who can confirm now what somebody gave a person.
create or replace function private.confirmers(company uuid, given_by uuid, person uuid)
returns setof profiles
language sql stable
begin atomic
  select o.* from private.holders(company, 'owner') h (id) join profiles o on o.id = h.id
    where h.id <> person
      and private.confirmer_refusal(company, confirmers.given_by, h.id) is null;
end;

-- The caller's own rights that wait to be confirmed, who gave them (null: the provider), and the
-- owners who can confirm one now. If none waits, those that are still to begin.
create or replace function my_waiting_rights() returns table (kinds text[], given_by text[],
  given_at timestamptz, begins_at timestamptz, confirmers text[])
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with theirs as (select * from private.rights_to_come(actor_id())),
    mine as (select * from theirs t
      where t.confirmed_at is null
        or not exists (select from theirs w where w.confirmed_at is null))
  select coalesce(array_agg(m.kind), '{}'),
      coalesce(array_agg(distinct g.full_name) filter (where m.kind is not null), '{}'),
      min(m.given_at), max(m.begins_at) filter (where m.confirmed_at is not null),
      array(select o.full_name from (select distinct w.company_id, w.given_by from mine w) w
          cross join lateral private.confirmers(w.company_id, w.given_by, actor_id()) o
        group by o.id, o.full_name, o.sort_name order by o.sort_name limit 20)
    from mine m left join profiles g on g.id = m.given_by;
end;

-- Locks the company's rights for its owner, so that no other change of rights is under way. Each
-- act also needs a fresh sign-in, but asks for it last, when nothing else refuses it.
create or replace function private.lock_rights() returns uuid
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare company constant uuid := actor_company();
begin
  perform private.require_right('owner'),
    pg_advisory_xact_lock(hashtextextended('admins of ' || company, 0));
  if actor_id() not in (select private.holders(company, 'owner')) then
    perform private.refuse('forbidden');
  end if;
  return company;
end $$;

-- An owner who makes an admin gives rights as any others, one at a time within the company. The
-- provider proves a fresh sign-in; what it gives a company waits for its owners, where it has any.
create or replace function private.check_admin_change(role text, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if role = 'company_admin' and actor_role() = 'company_admin' then
    perform private.lock_rights();
    perform private.refuse(giving_refusal('owner', person));
  end if;
  if role <> 'employee' then perform private.refuse_unless_fresh(); end if;
end $$;

-- Owners who can confirm this right; null where it takes effect at once.
create or replace function right_confirmers(person uuid, kind text) returns text[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when actor_has('owner') and private.needs_second_owner(kind, person)
  then array(select o.full_name from private.confirmers(actor_company(), actor_id(), person) o
    order by o.sort_name limit 20) end;

-- `from_on` and `until_on` are days of the company; without them a right begins at this moment and
-- lasts until it is ended.
create or replace function give_right(person uuid, kind text, from_on date default null,
  until_on date default null) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  r company_rights;
  zone text := (select c.time_zone from companies c where c.id = actor_company());
begin
  r.company_id := private.lock_rights();
  if person = actor_id() then perform private.refuse('yourself'); end if;
  perform from profiles p where p.company_id = r.company_id and p.id = person
    and p.account_state = 'active' for no key update;
  if not found then perform private.refuse('not_found'); end if;
  if until_on < greatest(from_on, private.today_at(r.company_id)) then
    perform private.refuse('right_ends_too_soon');
  end if;
  update company_rights x set ended_at = x.ends_at
    where x.company_id = r.company_id and x.person_id = give_right.person
      and x.kind = give_right.kind and x.ended_at is null and x.ends_at <= now();
  if exists (select from company_rights x where x.company_id = r.company_id
      and x.person_id = give_right.person and x.kind = give_right.kind and x.ended_at is null) then
    perform private.refuse('right_already_given');
  end if;
  perform private.refuse(giving_refusal(give_right.kind, person)), private.refuse_unless_fresh();
  insert into company_rights (company_id, person_id, kind, begins_at, ends_at, given_by,
      confirmed_at)
    values (r.company_id, person, give_right.kind,
      greatest(now(), from_on::timestamp at time zone zone),
      (until_on + 1)::timestamp at time zone zone, actor_id(),
      case when not private.needs_second_owner(give_right.kind, person) then now() end)
    returning * into r;
  if r.confirmed_at is null then
    perform private.notify_about(o.id, person, 'right_waits',
      jsonb_build_object('right', r.kind))
      from private.holders(r.company_id, 'owner') o (id)
      where o.id not in (actor_id(), person);
    perform publish('admins:' || r.company_id);
  else
    perform private.notify_of_given(r.company_id, array[r.id]);
  end if;
  perform private.notify_supers('right_given_there', jsonb_build_object('company', c.name),
    c.id::text) from companies c where c.id = r.company_id;
  return r.id;
end $$;

create or replace function private.lock_right(act text, id uuid) returns company_rights
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := private.lock_rights();
  r company_rights;
begin
  select * into r from company_rights x where x.company_id = company and x.id = lock_right.id
    and x.ended_at is null for update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(right_refusal(act, r, actor_id()));
  return r;
end $$;

-- An owner confirms the rights that they saw together: all of them or none.
create or replace function confirm_rights(ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare company constant uuid := private.lock_rights();
begin
  perform private.refuse_unless_fresh();
  perform private.lock_right('confirm', w.id) from unnest(ids) w (id);
  update company_rights r set confirmed_by = actor_id(), confirmed_at = now()
    where r.company_id = company and r.id = any (ids);
  perform private.notify_of_given(company, ids);
end $$;

create or replace function end_right(id uuid, knowingly boolean default false) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare r company_rights := private.lock_right('end', end_right.id);
begin
  if r.kind = 'reviewer' and not knowingly then
    perform private.refuse(private.policy_gap_refusal(r.company_id, r.person_id));
  end if;
  perform private.refuse_unless_fresh();
  update company_rights x set ended_by = actor_id(), ended_at = now()
    where x.company_id = r.company_id and x.id = r.id;
  if r.confirmed_at is not null then
    perform private.notify_of_ended(r.company_id, r.person_id, r.kind,
      case when r.begins_at > now() then 'owner_before' else 'owner' end);
  else
    perform publish('admins:' || r.company_id);
  end if;
end $$;

-- Open screens of the right's holder read again who they are.
create or replace trigger publish_changed_right after insert or update on company_rights
  for each row execute function private.publish_session('person_id');

grant execute on function giving_refusal, right_refusal, right_refusals, right_confirmers,
  my_waiting_rights, give_right, confirm_rights, end_right to healthfund_request;
