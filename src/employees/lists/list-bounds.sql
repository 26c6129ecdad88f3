-- How a company's files are read, and how many people may leave by one admin's decision.

create policy your_companys on people_lists for select using (
  company_id = (select actor_company()) and (select actor_has('people')));
grant select on people_lists to healthfund_request;
create or replace trigger audit after insert or update or delete on people_lists
  for each row execute function audited();

create or replace function match_columns(columns jsonb, encoding text, date_order text)
  returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('people');
  insert into people_lists as l (company_id, columns, encoding, date_order)
    values (actor_company(), match_columns.columns, match_columns.encoding,
      match_columns.date_order)
    on conflict (company_id) do update set columns = excluded.columns,
      encoding = excluded.encoding, date_order = excluded.date_order;
  -- The same file is read differently now, so it is to be fetched again.
  update people_sources s set last_hash = null where s.company_id = actor_company();
end $$;

-- How a company's files are read and what it allows, with defaults. A raised share counts a day
-- later, so that nobody raises it for one file.
create or replace function people_list_of(company uuid)
returns table (columns jsonb, encoding text, date_order text, leave_percent integer,
  leave_percent_now integer)
language sql stable
begin atomic
  select coalesce(l.columns, '{}'), l.encoding, coalesce(l.date_order, 'dmy'), s.percent,
      case when l.raised_at > now() - settling_time() then least(l.percent_before, s.percent)
        else s.percent end
    from (select) one left join people_lists l on l.company_id = company
      cross join lateral (select coalesce(l.leave_percent, 5) as percent) s;
end;

create or replace function set_leaver_limit(percent integer) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := actor_company();
  now_is constant integer := (select l.leave_percent_now from people_list_of(actor_company()) l);
begin
  perform private.require_right('owner'), publish('admins:' || company),
    private.refuse(case when percent is null then 'invalid_input' end);
  if percent > now_is then perform private.refuse_unless_fresh(); end if;
  insert into people_lists as l (company_id, leave_percent, percent_before, raised_at)
    values (company, percent, now_is, case when percent > now_is then now() end)
    on conflict (company_id) do update set leave_percent = excluded.leave_percent,
      percent_before = excluded.percent_before, raised_at = excluded.raised_at;
  if percent > now_is then
    perform notify_right_holders(company, 'leaver_limit_raised',
      jsonb_build_object('percent', percent));
  end if;
end $$;

create or replace function private.leavers_of(i imports, leaves boolean) returns integer
language sql stable
return (select count(*) from import_rows r where r.company_id = i.company_id
  and r.import_id = i.id and private.is_leaver(r.finding, r.becomes, leaves))::integer;

-- Leavers by other files within a day count, too: twenty small files are one large one.
create or replace function private.leavers_by_file(company uuid) returns integer
language sql stable
return (select count(*) from imports i join import_rows r on r.company_id = i.company_id
    and r.import_id = i.id
  where i.company_id = company and i.full_list and i.status in ('importing', 'done')
    and i.touched_at > now() - settling_time() and i.approved_by is null
    and private.is_leaver(r.finding, r.becomes, i.leaves))::integer;

create or replace function private.needs_second_admin(i imports, leaves boolean) returns boolean
language sql stable
return (select private.leavers_of(i, leaves) > 0
    and (private.leavers_of(i, leaves) + private.leavers_by_file(i.company_id)) * 100
      > (select l.leave_percent_now from people_list_of(i.company_id) l)
        * coalesce((select private.employees_of(h)
          from headcounts h where h.company_id = i.company_id), 0));

-- Why so many people may not leave by one admin's decision. A definer: it reads the rights of
-- others, which a key's login can't.
create or replace function leavers_refusal(i imports, leaves boolean, me uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when i.full_list and actor_has('people') and private.may_know(i.company_id)
    and private.needs_second_admin(i, leaves)
    and not has_second_person('people', i.company_id, me, i.uploaded_by)
  then 'leaves_need_second_admin' end;

create or replace function start_import(import uuid, leaves boolean default false,
  left_on date default null) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  i imports := private.lock_import(import, 'start');
  go constant boolean := i.full_list and start_import.leaves;
  waits boolean;
begin
  -- Files of a company wait for each other here: two at once would not count each other's leavers.
  perform pg_advisory_xact_lock(hashtextextended('people of ' || i.company_id, 0));
  perform private.refuse(
    import_refusal(case when go then 'leave' else 'start' end, i, actor_id()));
  perform private.count_added(i.company_id, i.fresh);
  waits := i.full_list and private.needs_second_admin(i, go);
  update imports x set status = case when waits then 'waiting' else 'importing' end,
      touched_at = now(), started_by = actor_id(), started_by_key = private.acting_key(),
      leaves = go,
      left_on = case when go
        then coalesce(start_import.left_on, private.today_at(i.company_id)) end,
      requested_at = case when waits then now() end
    where x.company_id = i.company_id and x.id = i.id;
  if waits then
    perform private.notify_of_work('import_waits', i.company_id);
  else
    perform private.queue_import(i.company_id, i.id);
  end if;
end $$;

-- Why an act may not be done to an import as it is now; null where it may. Missing people leave
-- only if each row identifies its person: a row without an address may be that of somebody who
-- seems to be missing. A list of new people can be undone until one of them has joined. Nobody
-- approves a file that they, a key of theirs or somebody who counts as one with them sent or
-- started. Keys approve none, and their login can't read who counts as one.
create or replace function import_refusal(act text, i imports, me uuid) returns text
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if act = 'approve' and not has_function_privilege('approve_import(uuid)', 'execute') then
    return 'forbidden';
  elsif i.status <> all (case act when 'read' then '{reading}' when 'approve' then '{waiting}'
      when 'undo' then '{done}' when 'discard' then '{reading,checked,waiting}'
      else '{checked}' end::text[]) then
    return 'import_not_ready';
  elsif act = 'undo' then
    return case when not i.full_list and exists (select from import_rows r
        join profiles p on p.company_id = r.company_id and p.id = r.person_id
      where r.company_id = i.company_id and r.import_id = i.id and r.finding = 'taken'
        and p.confirmed_at is not null) then 'import_in_use' end;
  elsif act = 'start' then
    return leavers_refusal(i, false, me);
  elsif act = 'leave' then
    return case when exists (select from import_rows r where r.company_id = i.company_id
      and r.import_id = i.id and r.finding in ('invalid', 'skipped') and r.person_id is null
      and (r.finding = 'invalid' or num_nonnulls(r.full_name, r.email, r.personnel_number) > 0))
      then 'file_not_read_whole' else leavers_refusal(i, true, me) end;
  end if;
  return case
    when act <> 'approve' then null
    when me = i.uploaded_by and i.uploaded_by_key is null
      or me = i.started_by and i.started_by_key is null then 'import_started_by_you'
    when me in (i.uploaded_by, i.started_by) then 'import_by_your_key'
    when counts_as_one('people', me, i.uploaded_by) or counts_as_one('people', me, i.started_by)
      then 'admin_too_new' end;
end $$;

create or replace function approve_import(import uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare i imports;
begin
  perform private.refuse_unless_fresh();
  i := private.lock_import(import, 'approve');
  update imports x set status = 'importing', touched_at = now(), approved_by = actor_id()
    where x.company_id = i.company_id and x.id = i.id;
  perform private.queue_import(i.company_id, i.id);
end $$;

-- The money of each missing person: what is left, what waits for a decision or a payment, and until
-- when they can file; the rest goes back to the pools after that. The sums include claims that HR
-- may not see.
create or replace function import_leavers(import uuid, after integer, most integer)
returns table (line integer, person_id uuid, full_name text, email text, department text,
  available_cents bigint, open_cents bigint, open_claims integer)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select r.line, r.person_id, r.full_name, r.email, r.department,
      coalesce(a.available_cents, 0)::bigint, coalesce(a.open_cents, 0)::bigint,
      (select count(*) from claims c where c.company_id = r.company_id
        and c.person_id = r.person_id and c.status = 'pending')::integer
    from import_rows r
    left join lateral (select
        sum(a.balance_cents) filter (where a.kind = 'available') as available_cents,
        sum(a.balance_cents) filter (where a.kind in ('held', 'payable')) as open_cents
      from accounts a where a.company_id = r.company_id and a.person_id = r.person_id) a on true
    where r.company_id = actor_company() and actor_has('people')
      and r.import_id = import and r.line > after
      and private.is_leaver(r.finding, r.becomes, true)
    order by r.line limit most;
end;

grant execute on function match_columns, people_list_of, set_leaver_limit, start_import,
  leavers_refusal, import_refusal, approve_import, import_leavers to healthfund_request;
