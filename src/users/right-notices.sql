-- Notifications of rights: given, begun on their first day, ended by an owner or by their last day.

-- One notification for several rights at once: `kinds` has commas between them.
create or replace function private.notify_of_rights(company uuid, person uuid, code text,
  facts jsonb) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify_about(person, actor_id(), code, facts),
    publish('supers'), publish('admins:' || company), publish('person:' || person)
$$;

-- One notice for all rights with the same days. It says a first day that is still to come; a job
-- notifies again on that day.
create or replace function private.notify_of_given(company uuid, ids uuid[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  zone constant text := (select c.time_zone from companies c where c.id = company);
  g record;
begin
  for g in
    select r.person_id, r.ends_at, case when r.begins_at > now() then r.begins_at end as begins_at,
        string_agg(r.kind, ',') as kinds, array_agg(r.id) as ids
      from company_rights r where r.company_id = company and r.id = any (notify_of_given.ids)
      group by 1, 2, 3
  loop
    perform private.notify_of_rights(company, g.person_id, 'right_given',
      jsonb_strip_nulls(jsonb_build_object('right', g.kinds,
        'from', (g.begins_at at time zone zone)::date,
        'until', (g.ends_at at time zone zone)::date - 1)));
    if g.begins_at is not null then
      perform add_job('users:rights_begin',
        jsonb_build_object('company_id', company, 'ids', g.ids)::json, run_at => g.begins_at);
    end if;
  end loop;
end $$;

-- Notifies on the first day of rights, unless they were ended before. A person who is suspended
-- that day reads it on their return; nothing is mailed to them.
create or replace function private.notify_of_begun(company uuid, ids uuid[]) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.notify_of_given(company, array(
    select r.id from company_rights r
        join profiles p on p.company_id = r.company_id and p.id = r.person_id and not p.has_left
      where r.company_id = company and r.id = any (notify_of_begun.ids)
        and r.begins_at <= now() and has_not_ended(r.ended_at, r.ends_at)));
end $$;

create or replace function private.notify_of_ended(company uuid, person uuid, kinds text, by text)
  returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.notify_of_rights(company, person, 'right_ended', jsonb_build_object(
    'right', kinds, 'by', by, 'left', exists (select from company_rights r
      where r.company_id = company and r.person_id = person and r.confirmed_at is not null
        and has_not_ended(r.ended_at, r.ends_at))))
$$;

-- Ends rights whose last day is over, and lets open screens read again. A right that nobody
-- confirmed was none yet, so nobody is told.
create or replace function private.end_rights() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare o record;
begin
  for o in
    with over as (
      update company_rights r set ended_at = r.ends_at
        where r.ended_at is null and r.ends_at <= now()
        returning r.company_id, r.person_id, r.kind, r.confirmed_at)
    select company_id, person_id,
        string_agg(kind, ',' order by kind) filter (where confirmed_at is not null) as kinds
      from over group by company_id, person_id
  loop
    perform private.publish_now('person:' || o.person_id),
      private.publish_now('admins:' || o.company_id);
    if o.kinds is not null then
      perform private.notify_of_ended(o.company_id, o.person_id, o.kinds, 'day');
    end if;
  end loop;
end $$;
