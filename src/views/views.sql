-- Saved views: one's own and those that others share, of the pages that one may open. The table is
-- read and written by these functions alone.

-- The view's name and filters may name people, and stay out of the record. A change to a shared one
-- is recorded by its version, as that may be all there is to show.
create or replace trigger audit after insert or delete on saved_views
  for each row execute function audited('name', 'filters', 'version');
create or replace trigger audit_shared after update on saved_views
  for each row when (old.shared or new.shared) execute function audited('name', 'filters');
create or replace trigger as_one_line before insert or update of name on saved_views
  for each row execute function private.keep_as_line('name');

create or replace function private.right_of_view(page text) returns text
language sql immutable
return case page when 'claims' then 'reviewer' when 'employees' then 'people' end;

-- Which filters name what is no longer there.
create or replace function private.lost_filters(v saved_views) returns text[]
language sql stable
return array_remove(array[
  case when v.filters ? 'group' and not exists (select from employee_groups g
    where g.company_id = v.company_id and g.id::text = v.filters ->> 'group') then 'group' end,
  case when v.filters ? 'department' and not exists (select from profiles p
    where p.company_id = v.company_id and p.department = v.filters ->> 'department')
    then 'department' end,
  case when v.filters ? 'person' and not exists (select from profiles p
    where p.company_id = v.company_id and p.id::text = v.filters ->> 'person'
      and p.erased_at is null) then 'person' end], null);

-- Shared is a view while whoever shares it may open its page.
create or replace function seen_views() returns table (id uuid, page text, name text,
  filters jsonb, lost text[], shared boolean, is_own boolean, person_name text, version integer)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select v.id, v.page, v.name, v.filters, private.lost_filters(v), v.shared,
      v.person_id = actor_id(), p.full_name, v.version
    from saved_views v
      join profiles p on p.company_id = v.company_id and p.id = v.person_id
    where v.company_id = actor_company()
      and actor_has(private.right_of_view(v.page))
      and (v.person_id = actor_id() or v.shared and v.person_id in (
        select private.holders(v.company_id, private.right_of_view(v.page))))
    order by v.person_id = actor_id() desc, lower(v.name), v.id limit 500;
end;

-- One after the other: two at once can't make one more than there may be.
create or replace function save_view(page text, name text, filters jsonb) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare made uuid;
begin
  if not actor_has(private.right_of_view(page)) then perform private.refuse('page_closed'); end if;
  perform pg_advisory_xact_lock(hashtextextended('views of ' || actor_id(), 0));
  if (select count(*) from saved_views v where v.company_id = actor_company()
      and v.person_id = actor_id() and v.page = save_view.page) >= 20 then
    perform private.refuse('too_many_views');
  end if;
  insert into saved_views (company_id, person_id, page, name, filters)
    values (actor_company(), actor_id(), page, name, filters) returning id into made;
  perform publish('person:' || actor_id());
  return made;
end $$;

-- One's own, of a page that one may open, is changed, as `expected_version` of it was read, and
-- removed.
create or replace function private.lock_view(target uuid) returns saved_views
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare v saved_views;
begin
  select * into v from saved_views s where s.company_id = actor_company() and s.id = target
    and s.person_id = actor_id() for update;
  if not found or not actor_has(private.right_of_view(v.page)) then
    perform private.refuse('not_found');
  end if;
  return v;
end $$;

create or replace function change_view(target uuid, expected_version integer, input jsonb)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare v saved_views := private.lock_view(target);
begin
  if v.page <> input ->> 'page' then perform private.refuse('not_found'); end if;
  if v.version <> expected_version then perform private.refuse('changed_meanwhile'); end if;
  update saved_views s set name = input ->> 'name', filters = input -> 'filters',
      shared = (input ->> 'shared')::boolean, version = s.version + 1
    where s.company_id = v.company_id and s.id = v.id;
  perform private.notify_of_view(v, (input ->> 'shared')::boolean);
end $$;

create or replace function remove_view(target uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare v saved_views := private.lock_view(target);
begin
  delete from saved_views s where s.company_id = v.company_id and s.id = v.id;
  perform private.notify_of_view(v, false);
end $$;

-- A private view is published to its person's screens alone.
create or replace function private.notify_of_view(was saved_views, shared boolean) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select publish(case when shared or was.shared then 'admins:' || was.company_id
    else 'person:' || was.person_id end)
$$;

grant execute on function seen_views, save_view, change_view, remove_view to healthfund_request;
