-- A person's own data as a file.

create policy your_own on data_exports for select using (person_id = (select actor_id()));
grant select on data_exports to healthfund_request;
create or replace trigger audit after insert or update or delete on data_exports for each row
  execute function audited('percent', 'tries', 'run', 'fault', 'size_bytes', 'touched_at', 'status',
    'made_at', 'expires_at');

-- A piece goes with its row, in the same transaction or not at all.
create or replace function private.leave_export_part() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into private.leftover_files (storage_key) values (old.storage_key)
    on conflict (storage_key) do update set due_at = now();
  perform add_job('receipts:sweep', key => 'receipts sweep');
  return null;
end $$;
create or replace trigger leave_file after delete on data_export_parts
  for each row execute function private.leave_export_part();

-- One at a time, and only some a day: it reads everything.
create or replace function export_refusal() returns text
language sql stable
return (select case
    when bool_or(e.status in ('waiting', 'making')) then 'export_under_way'
    when count(*) filter (where e.requested_at > now() - interval '24 hours') >= 3
      then 'exports_used_up' end
  from data_exports e where e.person_id = actor_id());

create or replace function request_export() returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare made uuid;
begin
  if actor_role() not in ('employee', 'company_admin', 'super_admin') then
    perform private.refuse('forbidden');
  end if;
  perform private.refuse_unless_fresh();
  perform pg_advisory_xact_lock(hashtextextended('export ' || actor_id(), 0));
  perform private.refuse(export_refusal());
  insert into data_exports (person_id) values (actor_id()) returning id into made;
  perform private.queue_export(actor_id(), made);
  return made;
end $$;

create or replace function private.queue_export(person uuid, export uuid) returns void
language sql
begin atomic
  select add_job('privacy:export', json_build_object('person_id', person, 'id', export),
    key => 'export ' || export), publish('person:' || person);
end;

create or replace function retry_export(export uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare e data_exports;
begin
  select * into e from data_exports where person_id = actor_id() and id = export for update;
  if not found or actor_role() not in ('employee', 'company_admin', 'super_admin') then
    perform private.refuse('not_found');
  end if;
  if e.status <> 'failed' then perform private.refuse('export_not_failed'); end if;
  update data_exports set status = 'waiting', percent = 0, tries = 0, fault = null, run = null,
      touched_at = now()
    where person_id = e.person_id and id = e.id;
  perform private.queue_export(e.person_id, e.id);
end $$;

-- Only the person learns where the pieces are; the record has that they asked.
create or replace function open_export(export uuid) returns table (number integer,
  size_bytes integer,
  storage_key text, file_key integer, wrapped_key bytea, parts jsonb, made_at timestamptz)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare e data_exports;
begin
  perform private.refuse_unless_fresh();
  update data_exports x set downloads = x.downloads + 1, downloaded_at = now()
    where x.person_id = actor_id() and x.id = export and x.status = 'ready' and x.expires_at > now()
      and actor_role() in ('employee', 'company_admin', 'super_admin') returning * into e;
  if not found then perform private.refuse('not_found'); end if;
  perform publish('person:' || e.person_id);
  return query select p.number, p.size_bytes, p.storage_key, p.file_key, p.wrapped_key, p.parts,
    e.made_at
    from data_export_parts p where p.person_id = e.person_id and p.export_id = e.id
      order by p.number;
end $$;

-- Begins making an export, by a job. A worker takes it with a number of its own (`run`): if it is
-- killed another one follows, and what the first still writes does not count.
create or replace function private.begin_export(person uuid, export uuid, run uuid) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare tries integer;
begin
  update data_exports e set status = 'making', run = begin_export.run, tries = e.tries + 1,
    percent = 0,
      touched_at = now()
    where e.person_id = person and e.id = export and e.status in ('waiting', 'making')
    returning e.tries into tries;
  if found then
    delete from data_export_parts p where p.person_id = person and p.export_id = export;
    perform private.publish_now('person:' || person);
  end if;
  return tries;
end $$;

-- Notes the name of a file before it is written, so that it is found whatever happens.
create or replace function private.name_export_part(storage_key text) returns void
language sql
begin atomic
  insert into private.leftover_files (storage_key, due_at)
    values (name_export_part.storage_key, now() + interval '1 hour')
    on conflict (storage_key) do update set due_at = excluded.due_at;
end;

create or replace function private.keep_export_part(run uuid, part jsonb) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare n data_export_parts := jsonb_populate_record(null::data_export_parts, part);
begin
  update data_exports e set touched_at = now()
    where e.person_id = n.person_id and e.id = n.export_id and e.run = keep_export_part.run
      and e.status = 'making';
  if not found then return false; end if;
  -- The first piece begins again, so pieces kept before it belong to an attempt that broke off.
  delete from data_export_parts p where n.number = 1
    and p.person_id = n.person_id and p.export_id = n.export_id;
  delete from private.leftover_files l where l.storage_key = n.storage_key;
  insert into data_export_parts (person_id, export_id, number, size_bytes, storage_key, file_key,
      wrapped_key, parts)
    values (n.person_id, n.export_id, n.number, n.size_bytes, n.storage_key, n.file_key,
      n.wrapped_key, n.parts);
  return true;
end $$;

create or replace function private.note_export(person uuid, export uuid, run uuid, percent integer)
  returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update data_exports e set percent = note_export.percent, touched_at = now()
    where e.person_id = person and e.id = export and e.run = note_export.run
      and e.status = 'making';
  if found then perform private.publish_now('person:' || person); end if;
  return found;
end $$;

create or replace function private.end_export(person uuid, export uuid, run uuid, fault text,
  keep_days integer) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update data_exports e set run = null, touched_at = now(), fault = end_export.fault,
      status = case when end_export.fault is null then 'ready' else 'failed' end,
      percent = case when end_export.fault is null then 100 else 0 end,
      made_at = case when end_export.fault is null then now() end,
      expires_at = case when end_export.fault is null then now() + keep_days * interval '1 day' end,
      size_bytes = (select sum(p.size_bytes) from data_export_parts p
        where p.person_id = person and p.export_id = export)
    where e.person_id = person and e.id = export and e.status = 'making'
      and e.run is not distinct from end_export.run;
  if not found then return; end if;
  if fault is null then
    perform notify_person(person, 'data_ready');
  else
    delete from data_export_parts p where p.person_id = person and p.export_id = export;
    perform notify_person(person, 'data_failed');
  end if;
  perform private.publish_now('person:' || person);
end $$;

-- Resumes exports that nobody works on any more, and removes those whose days are over; the
-- schedule runs it.
create or replace function private.keep_exports() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.queue_export(person_id, id) from data_exports
    where status in ('waiting', 'making') and touched_at < now() - interval '2 minutes';
  delete from data_exports where expires_at < now();
end $$;

grant execute on function export_refusal, request_export, retry_export, open_export
  to healthfund_request;
