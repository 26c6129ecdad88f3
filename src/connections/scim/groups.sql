-- Groups of a company's identity provider, who is in them, and which department each stands for.

create or replace function private.lock_scim_group(target uuid) returns scim_groups
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare g scim_groups;
begin
  select * into g from scim_groups x where x.company_id = actor_company() and x.id = target
    for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform publish('admins:' || g.company_id);
  return g;
end $$;

create or replace function scim_lock_group(target uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('provision'), private.lock_scim_group(target);
end $$;

create or replace function scim_add_group(display_name text, external_id text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare made uuid;
begin
  perform private.require_right('provision'), publish('admins:' || actor_company());
  insert into scim_groups (company_id, display_name, external_id)
    values (actor_company(), scim_add_group.display_name, scim_add_group.external_id)
    returning id into made;
  return made;
end $$;

create or replace function scim_change_group(target uuid, display_name text, external_id text)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare g scim_groups;
begin
  perform private.require_right('provision');
  g := private.lock_scim_group(target);
  update scim_groups x set display_name = scim_change_group.display_name,
      external_id = scim_change_group.external_id, version = x.version + 1, changed_at = now()
    where x.company_id = g.company_id and x.id = g.id;
  -- Which of several groups comes first goes by their names.
  if g.department is not null then
    perform private.scim_set_departments(g.company_id, array(select m.person_id from scim_members m
      where m.company_id = g.company_id and m.group_id = g.id));
  end if;
end $$;

-- Moves members in and out. `whole`: `coming` are all members, so everybody else goes. Answers the
-- people moved, and whether into the group.
create or replace function scim_move_members(target uuid, coming uuid[], going uuid[],
  whole boolean) returns table (person_id uuid, is_in boolean)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  g scim_groups;
  came uuid[];
  gone uuid[];
begin
  perform private.require_right('provision');
  g := private.lock_scim_group(target);
  if (select count(*) from scim_users u where u.company_id = g.company_id and u.id = any (coming))
      < (select count(distinct c) from unnest(coming) c) then
    perform private.refuse('no_such_member');
  end if;
  with moved as (
    delete from scim_members m where m.company_id = g.company_id and m.group_id = g.id
      and (m.person_id = any (going) or whole and m.person_id <> all (coming))
      returning m.person_id)
  select coalesce(array_agg(m.person_id), '{}') into gone from moved m;
  with moved as (
    insert into scim_members as m (company_id, group_id, person_id)
      select distinct g.company_id, g.id, c from unnest(coming) c
      on conflict do nothing returning m.person_id)
  select coalesce(array_agg(m.person_id), '{}') into came from moved m;
  if cardinality(gone || came) > 0 then
    update scim_groups x set version = x.version + 1, changed_at = now()
      where x.company_id = g.company_id and x.id = g.id;
    if g.department is not null then
      perform private.scim_set_departments(g.company_id, gone || came);
    end if;
  end if;
  return query select x, true from unnest(came) x union all select x, false from unnest(gone) x;
end $$;

-- People of a removed group stay.
create or replace function scim_remove_group(target uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  g scim_groups;
  people uuid[];
begin
  perform private.require_right('provision');
  g := private.lock_scim_group(target);
  people := array(select m.person_id from scim_members m
    where m.company_id = g.company_id and m.group_id = g.id);
  delete from scim_groups x where x.company_id = g.company_id and x.id = g.id;
  if g.department is not null then
    perform private.scim_set_departments(g.company_id, people);
  end if;
end $$;

-- Sets the department for which a group stands, and at once that of its people.
create or replace function map_scim_group(target uuid, department text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare g scim_groups;
begin
  perform private.require_right('owner');
  g := private.lock_scim_group(target);
  update scim_groups x set department = map_scim_group.department
    where x.company_id = g.company_id and x.id = g.id;
  perform private.scim_set_departments(g.company_id, array(select m.person_id from scim_members m
    where m.company_id = g.company_id and m.group_id = g.id)), publish('supers');
end $$;

create or replace function set_scim(invites boolean, dry_run boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner');
  insert into scim_settings as s (company_id, invites, dry_run)
    values (actor_company(), set_scim.invites, set_scim.dry_run)
    on conflict (company_id) do update set invites = excluded.invites,
      dry_run = excluded.dry_run;
  perform publish('admins:' || actor_company());
end $$;

create or replace function scim_dry_run() returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return coalesce((select s.dry_run from scim_settings s where s.company_id = actor_company()),
  false);

-- Notes a call outside of its transaction, as a refused call or a dry run leaves nothing else.
create or replace function private.note_scim_call(hash bytea, called jsonb) returns void
language sql
begin atomic
  insert into scim_calls (company_id, key_id, method, path, dry_run, status, code, changes)
    select s.company_id, s.key_id, c.method, c.path, c.dry_run, c.status, c.code, c.changes
      from api_key_secrets s, jsonb_to_record(called) as c (method text, path text,
        dry_run boolean, status smallint, code text, changes jsonb)
      where s.hash = note_scim_call.hash;
end;

grant execute on function map_scim_group, set_scim, scim_dry_run to healthfund_request;
