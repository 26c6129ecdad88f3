-- Files of people: read, compared, applied in batches, and undone.

create policy your_companys on imports for select using (
  company_id = (select actor_company()) and (select actor_has('people')));
grant select on imports to healthfund_request;
create or replace trigger audit after insert or update or delete on imports
  for each row execute function audited('rows', 'fresh', 'here', 'duplicate', 'address_taken',
    'skipped', 'invalid', 'changes', 'same', 'missing', 'taken', 'kept', 'untouched', 'done',
    'reached_line', 'invited_line', 'touched_at');
create or replace trigger as_one_line before insert or update of file_name on imports
  for each row execute function private.keep_as_line('file_name');

create policy your_companys on import_rows for select using (
  company_id = (select actor_company()) and (select actor_has('people')));
grant select on import_rows to healthfund_request;

-- Locks the file that an act is about, if it is ready for it.
create or replace function private.lock_import(import uuid, act text) returns imports
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare i imports;
begin
  select * into i from imports
    where company_id = actor_company() and id = import and actor_has('people') for update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(import_refusal(act, i, actor_id()));
  perform publish('admins:' || i.company_id);
  return i;
end $$;

-- `chosen`: there is no file, people were selected in the list; those not selected are not missing.
create or replace function open_import(file_name text, full_list boolean default false,
  chosen boolean default false) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare opened uuid;
begin
  perform private.require_right('people');
  insert into imports (company_id, file_name, full_list, chosen, uploaded_by, uploaded_by_key,
      started_by, started_by_key)
    values (actor_company(), open_import.file_name, open_import.full_list, open_import.chosen,
      actor_id(), private.acting_key(), actor_id(), private.acting_key())
    returning id into opened;
  return opened;
end $$;

create or replace function stage_rows(import uuid, people jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i imports := private.lock_import(import, 'read');
begin
  insert into import_rows (company_id, import_id, line, full_name, email, phone, department,
    personnel_number, joined_on, left_on, finding, reason)
    select i.company_id, i.id, r.line, r.full_name, r.email, r.phone, r.department,
      r.personnel_number, r.joined_on, r.left_on, r.finding, r.reason
      from jsonb_populate_recordset(null::import_rows, people) r;
  update imports set touched_at = now() where company_id = i.company_id and id = i.id;
end $$;

-- The rows are new and the planner has no statistics of them, so each step says how to join: all
-- rows with all rows by sorting, rows with accounts one by one through the accounts' index.
create or replace function private.mark_duplicate_rows(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp set enable_nestloop = off as $$
  update import_rows r set finding = 'duplicate'
    from (select line, row_number() over (partition by email order by line) as nth,
          row_number() over (partition by coalesce(personnel_number, line::text || ' '),
            personnel_number is null order by line) as nth_number
        from import_rows where company_id = company and import_id = import
          and finding = 'fresh') n
    where r.company_id = company and r.import_id = import and r.line = n.line
      and (n.nth > 1 or n.nth_number > 1)
$$;

create or replace function private.mark_known(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  update import_rows r set finding = case when p.company_id = company then 'here'
    else 'address_taken' end
    from auth.users u join profiles p on p.id = u.id
    where r.company_id = company and r.import_id = import and r.finding = 'fresh'
      and u.email = r.email and u.aud = 'authenticated'
      and not private.is_adoptable(p.role, p.account_state, p.company_id, company);
  -- A person with this personnel number is here already, under another address.
  update import_rows r set finding = 'here' from profiles p
    where r.company_id = company and r.import_id = import and r.finding = 'fresh'
      and p.company_id = company and p.personnel_number = r.personnel_number
$$;

-- People to whom a company that nobody has activated may not write.
create or replace function private.mark_outside(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update import_rows r set finding = 'invalid',
      reason = 'outside_own_domain'
    from companies c
    where c.id = company and c.status = 'pending' and r.company_id = company
      and r.import_id = import
      and r.finding = 'fresh' and not private.is_own_address(company, r.email)
$$;

-- Days that acts would refuse.
create or replace function private.mark_days(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update import_rows r set finding = 'invalid', reason = case
      when r.left_on < r.joined_on then 'ends_before_it_begins' else 'begins_too_late' end
    where r.company_id = company and r.import_id = import and r.finding in ('fresh', 'skipped')
      and (r.left_on < r.joined_on or private.joins_too_far_ahead(company, r.joined_on))
$$;

-- People who had left before they were added are skipped.
create or replace function private.mark_gone(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update import_rows r set finding = 'gone', reason = 'left_before'
    where r.company_id = company and r.import_id = import and r.finding = 'fresh'
      and r.left_on <= (select private.today_at(company))
$$;

-- The dry run: the outcome of each row.
create or replace function check_import(import uuid, encoding text default null) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i imports := private.lock_import(import, 'read');
begin
  perform private.mark_days(i.company_id, i.id);
  if i.full_list then perform private.compare_import(i); end if;
  perform private.mark_gone(i.company_id, i.id);
  perform private.mark_duplicate_rows(i.company_id, i.id);
  perform private.mark_outside(i.company_id, i.id);
  perform private.mark_known(i.company_id, i.id);
  perform private.count_rows(i.company_id, i.id);
  update imports set status = 'checked', touched_at = now(), encoding = check_import.encoding
    where company_id = i.company_id and id = i.id;
end $$;

create or replace function discard_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_import(import, 'discard');
  delete from imports where company_id = actor_company() and id = import;
end $$;

create or replace function private.queue_import(company uuid, import uuid) returns void
language sql
begin atomic
  select add_job('imports:work', json_build_object('company_id', company, 'id', import),
    key => 'import ' || import);
end;

-- Adds the new people of these rows, except those whose last day came while the file waited.
-- Answers how many rows are done, and how many people were added.
create or replace function private.add_lines(i imports, lines integer[],
  out dealt integer, out came integer)
language sql set search_path = public, pg_catalog, pg_temp set enable_nestloop = off as $$
  with late as (
      update import_rows r set finding = 'gone', reason = 'left_before'
        where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
          and r.finding = 'fresh' and r.left_on <= (select private.today_at(i.company_id))
        returning r.line, r.finding),
    batch as materialized (
      select r.line, r.email, r.full_name, r.phone, r.department, r.personnel_number, r.joined_on,
          r.left_on from import_rows r
        where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
          and r.finding = 'fresh' and not exists (select from late l where l.line = r.line)),
    made as materialized (
      select m.* from private.add_people(i.company_id, 'employee',
        (select array_agg(row(email, full_name, phone, department)::private.newcomer) from batch),
          null) m),
    noted as (
      update import_rows r set person_id = m.person_id,
          finding = case m.outcome when 'added' then 'taken' else m.outcome end
        from batch b join made m on m.email = b.email
        where r.company_id = i.company_id and r.import_id = i.id and r.line = b.line
          and r.line = any (lines)
        returning r.finding)
    select count(*), count(*) filter (where finding in ('taken', 'adopted'))
      from (select finding from noted union all select finding from late) dealt_with
$$;

-- Each batch is a transaction: if the server is killed, whole batches are written, and the next run
-- continues after the last line reached. A suspended company adds nobody until it is back
-- (`private.resume_imports`). Answers whether there is more.
create or replace function private.import_batch(company uuid, import uuid, size integer)
  returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  i imports;
  lines integer[];
  added record;
  applied record;
begin
  select * into i from imports where company_id = company and id = import for update;
  if i.status is distinct from 'importing' or exists (select from companies c
      where c.id = company and c.status = 'suspended') then return false; end if;
  perform private.set_actor('company_admin', i.started_by, company, 'people',
    i.started_by_key || ' people:write');
  lines := array(select r.line from import_rows r
    where r.company_id = company and r.import_id = import and r.line > i.reached_line
      and (r.finding in ('fresh', 'changes') or r.finding = 'missing' and i.leaves)
    order by r.line limit size);
  if cardinality(lines) > 0 then
    begin
      select * into added from private.add_lines(i, lines);
      perform private.describe_added(i, lines);
      select * into applied from private.apply_lines(i, lines);
    exception when integrity_constraint_violation then
      -- One row must not stop the file: a failing batch is halved until the row is alone, and the
      -- row is left out.
      if cardinality(lines) > 1 then
        return private.import_batch(company, import, cardinality(lines) / 2);
      end if;
      raise log 'line % of import % is left as it is: %', lines[1], import, sqlerrm;
      -- A new person is left out, like other rows to fix; an existing one stays unchanged.
      select 0 as dealt, 0 as came into added;
      update import_rows r set reason = 'not_applied',
          finding = case finding when 'fresh' then 'invalid' else 'untouched' end
        where r.company_id = company and r.import_id = import and r.line = lines[1]
        returning 1 as dealt, (finding = 'untouched')::integer as untouched into applied;
    end;
    update imports set touched_at = now(), done = done + added.dealt + applied.dealt,
        taken = taken + added.came, untouched = untouched + applied.untouched,
        reached_line = lines[cardinality(lines)]
      where company_id = company and id = import;
  else
    update imports set touched_at = now(), status = 'done', finished_at = now()
      where company_id = company and id = import;
    perform private.count_rows(company, import), private.invite_for(company, import),
      private.publish_now('supers');
  end if;
  if cardinality(lines) = 0 or date_trunc('second', now()) <> date_trunc('second', i.touched_at)
    then
    -- screens look again once a second, not at each batch
    perform private.publish_now('admins:' || company);
  end if;
  return cardinality(lines) > 0;
end $$;

create or replace function undo_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i imports := private.lock_import(import, 'undo');
begin
  update imports set status = 'undoing', reached_line = 0, done = 0, touched_at = now(),
      undone_by = actor_id(), undone_by_key = private.acting_key()
    where company_id = i.company_id and id = i.id;
  perform private.queue_import(i.company_id, i.id);
end $$;

-- People who have signed in meanwhile stay, and so do those who had an account before the file
-- came.
create or replace function private.undo_batch(company uuid, import uuid, size integer)
  returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  i imports;
  lines integer[];
  gone uuid[];
  returned integer;
begin
  select * into i from imports where company_id = company and id = import for update;
  if i.status is distinct from 'undoing' then return false; end if;
  perform private.set_actor('company_admin', i.undone_by, company, 'people',
    i.undone_by_key || ' people:write');
  lines := array(select line from import_rows where company_id = company and import_id = import
    and line > i.reached_line and person_id is not null
    and finding in ('taken', 'adopted', 'changed', 'left') order by line limit size);
  with back as (
    delete from auth.users u using import_rows r
      where r.company_id = company and r.import_id = import and r.line = any (lines)
        and r.finding = 'taken' and u.id = r.person_id
        and u.last_sign_in_at is null and u.email_confirmed_at is null
      returning u.id)
  select array(select id from back) into gone;
  update import_rows set finding = 'undone'
    where company_id = company and import_id = import and line = any (lines)
      and finding = 'taken' and person_id = any (gone);
  returned := private.return_lines(i, lines);
  update import_rows set finding = 'kept', reason = 'had_account'
    where company_id = company and import_id = import and line = any (lines)
      and finding in ('taken', 'adopted');
  update imports set touched_at = now(), done = done + cardinality(lines),
      kept = kept + cardinality(lines) - cardinality(gone) - returned,
      taken = taken - cardinality(gone), reached_line = coalesce(lines[cardinality(lines)],
        reached_line),
      status = case when cardinality(lines) = 0 then 'undone' else status end
    where company_id = company and id = import;
  perform private.publish_now('admins:' || company);
  return cardinality(lines) > 0;
end $$;

grant execute on function open_import, stage_rows, check_import, discard_import, undo_import
  to healthfund_request;
