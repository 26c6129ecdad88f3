-- Invitations for people whom a file added, and imports that go on after their server was killed.

create or replace function private.invite_for(company uuid, import uuid) returns void
language sql
begin atomic
  select add_job('imports:invite', json_build_object('company_id', company, 'id', import),
    key => 'invite ' || import);
end;

create or replace function private.next_to_invite(company uuid, import uuid, size integer)
returns table (person_id uuid, line integer)
language sql stable
begin atomic
  select p.id, r.line from imports i
    join import_rows r on r.company_id = i.company_id and r.import_id = i.id
      and r.line > i.invited_line
      and r.finding = 'taken'
    join profiles p on p.id = r.person_id and p.confirmed_at is null
    where i.company_id = next_to_invite.company and i.id = import and i.status = 'done'
    order by r.line limit size;
end;

create or replace function private.note_invited(company uuid, import uuid, people uuid[],
  up_to integer)
  returns void
language sql
begin atomic
  update profiles set invited_at = now()
    where id = any (array(select p.id from profiles p where p.id = any (people)
      order by p.id for no key update));
  update imports set invited_line = greatest(invited_line, coalesce(up_to, 2147483647)),
    touched_at = now()
    where company_id = note_invited.company and id = import and status = 'done';
end;

-- Imports that stopped because their server was killed, or their company suspended, go on;
-- half-read files are deleted.
create or replace function private.resume_imports() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.queue_import(i.company_id, i.id) from imports i
    join companies c on c.id = i.company_id and c.status <> 'suspended'
    where i.status in ('importing', 'undoing') and i.touched_at < now() - interval '1 minute';
  perform private.invite_for(i.company_id, i.id) from imports i
    join companies c on c.id = i.company_id and c.status <> 'suspended'
    where i.status = 'done' and i.invited_line < 2147483647
      and i.touched_at < now() - interval '1 minute' and i.finished_at > now() - interval '7 days';
  delete from imports where status = 'reading' and touched_at < now() - interval '1 hour';
end $$;

-- A company that is back invites whom it added, however long it was suspended.
create or replace function private.invite_when_back() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.invite_for(i.company_id, i.id) from imports i
    where i.company_id = new.id and i.status = 'done' and i.invited_line < 2147483647;
  return null;
end $$;
create or replace trigger invite_when_back after update of status on companies
  for each row when (new.status = 'active' and old.status = 'suspended')
  execute function private.invite_when_back();
