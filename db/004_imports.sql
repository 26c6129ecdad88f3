-- Files of people: read, looked through, taken in batches, and taken back.

create table imports (
  company_id   uuid not null references companies on delete cascade,
  id           uuid not null default gen_random_uuid(),
  file_name    text not null check (length(file_name) between 1 and 200),
  status       text not null default 'reading'
                 check (status in ('reading', 'checked', 'importing', 'done', 'undoing', 'undone')),
  started_by   uuid references profiles on delete set null,
  rows         integer not null default 0,
  fresh        integer not null default 0,
  here         integer not null default 0,
  twice        integer not null default 0,
  elsewhere    integer not null default 0,
  skipped      integer not null default 0,
  invalid      integer not null default 0,
  taken        integer not null default 0,
  kept         integer not null default 0,
  done         integer not null default 0,
  reached_line integer not null default 0,
  invited_line integer not null default 0,
  created_at   timestamptz not null default now(),
  touched_at   timestamptz not null default now(),
  finished_at  timestamptz,
  primary key (company_id, id)
);
comment on table imports is
  'A file of people on its way in: what was found in it, and how far the taking (or undoing) has come.';
create index imports_by_age on imports (company_id, created_at desc);
create index imports_under_way on imports (touched_at) where status in ('reading', 'importing', 'undoing');
alter table imports enable row level security;
create policy your_companys on imports for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on imports to healthfund_request;
create trigger audit after insert or update or delete on imports
  for each row execute function audited('rows', 'fresh', 'here', 'twice', 'elsewhere', 'skipped',
    'invalid', 'taken', 'kept', 'done', 'reached_line', 'invited_line', 'touched_at');

create table import_rows (
  company_id uuid not null,
  import_id  uuid not null,
  line       integer not null,
  full_name  text,
  email      text,
  phone      text,
  department text,
  finding    text not null default 'fresh' check (finding in ('fresh', 'here', 'twice', 'elsewhere',
               'skipped', 'invalid', 'taken', 'adopted', 'undone')),
  reason     text,
  person_id  uuid,
  primary key (company_id, import_id, line),
  foreign key (company_id, import_id) references imports on delete cascade
) with (fillfactor = 60);
comment on table import_rows is 'The rows of a file as they came, and what became of each.';
create index import_rows_by_finding on import_rows (company_id, import_id, finding, line)
  where finding not in ('fresh', 'taken');
alter table import_rows enable row level security;
create policy your_companys on import_rows for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on import_rows to healthfund_request;

create function wall.hold_import(import uuid, expected text) returns imports
language plpgsql set search_path = public, pg_catalog as $$
declare i imports;
begin
  select * into i from imports
    where company_id = actor_company() and id = import and actor_role() = 'company_admin' for update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if i.status <> expected then raise exception 'import_not_ready' using errcode = 'HF422'; end if;
  perform tell('admins:' || i.company_id);
  return i;
end $$;

create function open_import(file_name text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog as $$
declare opened uuid;
begin
  if actor_role() <> 'company_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  insert into imports (company_id, file_name, started_by)
    values (actor_company(), open_import.file_name, actor_id()) returning id into opened;
  return opened;
end $$;

create function stage_rows(import uuid, lines integer[], names text[], emails text[], phones text[],
  departments text[], findings text[], reasons text[]) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare i imports := wall.hold_import(import, 'reading');
begin
  insert into import_rows (company_id, import_id, line, full_name, email, phone, department, finding, reason)
    select i.company_id, i.id, r.*
      from unnest(lines, names, emails, phones, departments, findings, reasons) r;
  update imports set touched_at = now() where company_id = i.company_id and id = i.id;
end $$;

-- The rows have only just come and the planner knows nothing of them, so each step says how to join:
-- all rows with all rows by sorting, rows with accounts one by one through the accounts' index.
create function wall.mark_twice(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog set enable_nestloop = off as $$
  update import_rows r set finding = 'twice'
    from (select line, row_number() over (partition by email order by line) as nth from import_rows
            where company_id = company and import_id = import and finding = 'fresh') n
    where r.company_id = company and r.import_id = import and r.line = n.line and n.nth > 1
$$;

create function wall.mark_known(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  update import_rows r set finding = case when p.company_id = company then 'here' else 'elsewhere' end
    from auth.users u join profiles p on p.id = u.id
    where r.company_id = company and r.import_id = import and r.finding = 'fresh' and u.email = r.email
      and not (p.status = 'pending' and p.role <> 'super_admin'
        and (p.company_id is null or p.standing = 'asking' and p.company_id = company))
$$;

-- The dry run: what would become of each row.
create function check_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare i imports := wall.hold_import(import, 'reading');
begin
  perform wall.mark_twice(i.company_id, i.id);
  perform wall.mark_known(i.company_id, i.id);
  update imports set status = 'checked', touched_at = now(), (rows, fresh, here, twice, elsewhere,
      skipped, invalid) = (
        select count(*), count(*) filter (where finding = 'fresh'),
          count(*) filter (where finding = 'here'), count(*) filter (where finding = 'twice'),
          count(*) filter (where finding = 'elsewhere'), count(*) filter (where finding = 'skipped'),
          count(*) filter (where finding = 'invalid')
        from import_rows r where r.company_id = i.company_id and r.import_id = i.id)
    where company_id = i.company_id and id = i.id;
end $$;

create function discard_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform tell('admins:' || actor_company());
  delete from imports where company_id = actor_company() and id = import
    and actor_role() = 'company_admin' and status in ('reading', 'checked');
  if not found then raise exception 'import_not_ready' using errcode = 'HF422'; end if;
end $$;

create function start_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare i imports := wall.hold_import(import, 'checked');
begin
  update imports set status = 'importing', touched_at = now(), started_by = actor_id()
    where company_id = i.company_id and id = i.id;
  perform wall.work_on(i.company_id, i.id);
end $$;

create function wall.work_on(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select add_job('imports:work', json_build_object('company_id', company, 'id', import),
    key => 'import ' || import);
end;

create function wall.invite_for(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select add_job('imports:invite', json_build_object('company_id', company, 'id', import),
    key => 'invite ' || import);
end;

-- Batches are transactions of their own: whatever is killed, what is written is whole, and who comes next
-- goes on after the last line reached. Answers whether there is more.
create function wall.take_batch(company uuid, import uuid, size integer) returns boolean
language plpgsql set search_path = public, pg_catalog set enable_nestloop = off as $$
declare
  i imports;
  last_line integer;
  done_now integer;
  taken_now integer;
begin
  select * into i from imports where company_id = company and id = import for update;
  if i.status is distinct from 'importing' then return false; end if;
  perform wall.set_actor('company_admin', i.started_by, company);
  with batch as materialized (
      select r.line, r.email, r.full_name, r.phone, r.department from import_rows r
        where r.company_id = company and r.import_id = import and r.line > i.reached_line
          and r.finding = 'fresh' order by r.line limit size),
    made as materialized (
      select m.* from wall.add_people(company, 'employee',
        (select array_agg(row(email, full_name, phone, department)::wall.newcomer) from batch), null) m),
    noted as (
      update import_rows r set person_id = m.person_id,
          finding = case m.outcome when 'added' then 'taken' else m.outcome end
        from batch b join made m on m.email = b.email
        where r.company_id = company and r.import_id = import and r.line = b.line
          and r.line > i.reached_line and r.line <= (select max(line) from batch)
        returning r.finding)
    select (select max(line) from batch), count(*),
        count(*) filter (where finding in ('taken', 'adopted'))
      into last_line, done_now, taken_now from noted;
  update imports set touched_at = now(), done = done + done_now, taken = taken + taken_now,
      reached_line = coalesce(last_line, reached_line),
      status = case when last_line is null then 'done' else status end,
      finished_at = case when last_line is null then now() end
    where company_id = company and id = import;
  if last_line is null then
    perform wall.invite_for(company, import), wall.tell_now('supers');
  end if;
  if last_line is null or date_trunc('second', now()) <> date_trunc('second', i.touched_at) then
    perform wall.tell_now('admins:' || company); -- screens look again once a second, not at each batch
  end if;
  return last_line is not null;
end $$;

-- What a job did is told by itself: no request commits after it that would pass it on.
create function wall.tell_now(topic text) returns void language sql set search_path = pg_catalog
begin atomic
  select pg_notify('healthfund_told', 'a-job ' || topic);
end;

create function undo_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare i imports := wall.hold_import(import, 'done');
begin
  if exists (select from import_rows r join auth.users u on u.id = r.person_id
      where r.company_id = i.company_id and r.import_id = i.id and r.finding = 'taken'
        and (u.last_sign_in_at is not null or u.email_confirmed_at is not null)) then
    raise exception 'import_in_use' using errcode = 'HF422';
  end if;
  update imports set status = 'undoing', reached_line = 0, done = 0, touched_at = now()
    where company_id = i.company_id and id = i.id;
  perform wall.work_on(i.company_id, i.id);
end $$;

-- Whoever came in meanwhile stays, and so does whoever had an account before the file came.
create function wall.give_back_batch(company uuid, import uuid, size integer) returns boolean
language plpgsql set search_path = public, pg_catalog as $$
declare
  i imports;
  lines integer[];
  gone uuid[];
begin
  select * into i from imports where company_id = company and id = import for update;
  if i.status is distinct from 'undoing' then return false; end if;
  perform wall.set_actor('company_admin', i.started_by, company);
  lines := array(select line from import_rows where company_id = company and import_id = import
    and line > i.reached_line and person_id is not null order by line limit size);
  with back as (
    delete from auth.users u using import_rows r
      where r.company_id = company and r.import_id = import and r.line = any (lines)
        and r.finding = 'taken' and u.id = r.person_id
        and u.last_sign_in_at is null and u.email_confirmed_at is null
      returning u.id)
  select array(select id from back) into gone;
  update import_rows set finding = 'undone'
    where company_id = company and import_id = import and line = any (lines) and person_id = any (gone);
  update imports set touched_at = now(), done = done + cardinality(lines),
      kept = kept + cardinality(lines) - cardinality(gone),
      taken = taken - cardinality(gone), reached_line = coalesce(lines[cardinality(lines)], reached_line),
      status = case when cardinality(lines) = 0 then 'undone' else status end
    where company_id = company and id = import;
  perform wall.tell_now('admins:' || company);
  return cardinality(lines) > 0;
end $$;

-- Whom to write to next, a few at a time; asking marks them.
create function wall.next_to_invite(company uuid, import uuid, size integer) returns uuid[]
language plpgsql set search_path = public, pg_catalog as $$
declare
  i imports;
  people uuid[];
  last_line integer;
begin
  select * into i from imports where company_id = company and id = import for update;
  if i.status is distinct from 'done' then return '{}'; end if;
  select array_agg(person_id), max(line) into people, last_line from (
    select person_id, line from import_rows where company_id = company and import_id = import
      and line > i.invited_line and finding = 'taken' order by line limit size) next;
  update imports set invited_line = coalesce(last_line, 2147483647), touched_at = now()
    where company_id = company and id = import;
  return coalesce(people, '{}');
end $$;

-- What stands still, because its server was killed, goes on; half-read files go.
create function wall.resume_imports() returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform wall.work_on(company_id, id) from imports
    where status in ('importing', 'undoing') and touched_at < now() - interval '1 minute';
  perform wall.invite_for(company_id, id) from imports
    where status = 'done' and invited_line < 2147483647 and touched_at < now() - interval '1 minute'
      and finished_at > now() - interval '7 days';
  delete from imports where status = 'reading' and touched_at < now() - interval '1 hour';
end $$;

revoke execute on all functions in schema public from public;
grant execute on function open_import(text), stage_rows(uuid, integer[], text[], text[], text[], text[],
  text[], text[]), check_import(uuid), discard_import(uuid), start_import(uuid), undo_import(uuid)
  to healthfund_request;
