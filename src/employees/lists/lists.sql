-- A file that is the list of all employees: compared with who is here, applied, and undone.

-- Whether a row can't be imported: it is counted, listed, and put in the file to fix. Missing
-- people are no rows of the file.
create or replace function is_rejected(finding text, reason text) returns boolean
language sql immutable
return finding in ('here', 'duplicate', 'address_taken', 'skipped', 'invalid', 'conflict', 'admin',
    'gone')
  and reason is distinct from 'not_in_file';

-- Counts the outcomes of the rows, before and after the file is applied: a new person can still be
-- refused then.
create or replace function private.count_rows(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update imports set (fresh, here, duplicate, address_taken, skipped, invalid, changes, same,
      missing, rows) = (
      select n.fresh, n.here, n.duplicate, n.address_taken, n.skipped,
        n.rejected - n.here - n.duplicate - n.address_taken - n.skipped, n.changes, n.same,
        n.missing, n.fresh + n.changes + n.same + n.rejected
      from (select count(*) filter (where finding in ('fresh', 'taken', 'adopted')) as fresh,
          count(*) filter (where finding = 'here') as here,
          count(*) filter (where finding = 'duplicate') as duplicate,
          count(*) filter (where finding = 'address_taken') as address_taken,
          count(*) filter (where finding = 'skipped') as skipped,
          count(*) filter (where finding in ('changes', 'changed')
            or finding = 'untouched' and becomes is not null) as changes,
          count(*) filter (where finding = 'same') as same,
          count(*) filter (where finding in ('missing', 'left')
            or finding = 'untouched' and becomes is null) as missing,
          count(*) filter (where is_rejected(finding, reason)) as rejected
        from import_rows r where r.company_id = company and r.import_id = import) n)
    where company_id = company and id = import
$$;

-- Whether a row sets somebody's last day: that of a missing person, if the missing leave, or a day
-- in the file.
create or replace function private.is_leaver(finding text, becomes jsonb, leaves boolean)
returns boolean
language sql immutable
return finding = 'left' or finding = 'missing' and leaves
  or finding in ('changes', 'changed') and becomes ? 'left_on';
grant execute on function is_rejected to healthfund_request;

-- The fields of a person that a file may change, with their present values.
create or replace function private.list_fields(p profiles) returns jsonb
language sql stable
return jsonb_build_object('full_name', p.full_name, 'phone', p.phone, 'department', p.department,
  'personnel_number', p.personnel_number, 'joined_on', p.joined_on, 'left_on', p.left_on);

-- Matches each row by personnel number, else by address. A row that matches two people is a
-- conflict.
create or replace function private.find_their_people(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp set enable_nestloop = off as $$
  update import_rows r set person_id = m.person_id, finding = m.finding, reason = m.reason
    from (select x.line, coalesce(n.id, e.id) as person_id,
        case when x.finding = 'invalid' then x.finding
          when n.id <> e.id or n.id is null and e.personnel_number <> x.personnel_number
            then 'conflict'
          when coalesce(n.role, e.role) <> 'employee' or coalesce(n.has_rights, e.has_rights)
            then 'admin'
          when coalesce(n.has_left, e.has_left) then 'gone'
          else 'same' end as finding,
        case when x.finding = 'invalid' then x.reason
          when n.id <> e.id then 'number_of_another'
          when n.id is null and e.personnel_number <> x.personnel_number then 'number_differs'
          when x.left_on is not null and coalesce(n.status, e.status) = 'suspended'
            then 'suspended_stays'
          when x.email <> n.email then 'address_differs' end as reason
      from import_rows x
        left join profiles n on n.company_id = company
          and n.personnel_number = x.personnel_number
        left join profiles e on e.company_id = company and e.email = x.email
          and e.account_state <> 'requested'
      where x.company_id = company and x.import_id = import
        and (n.id is not null or e.id is not null)) m
    where r.company_id = company and r.import_id = import and r.line = m.line;
  -- A person in two rows is accepted if the rows agree; otherwise nobody can tell which one is
  -- right.
  update import_rows r set finding = 'duplicate',
      reason = case when m.differs then 'rows_differ' end
    from (select line, row_number() over w as nth,
        min(content) over p <> max(content) over p as differs
        from (select x.line, x.person_id, concat_ws('|', x.full_name, x.email, x.phone,
              x.department, x.personnel_number, x.joined_on, x.left_on) as content
            from import_rows x where x.company_id = company and x.import_id = import
              and x.finding = 'same') s
        window p as (partition by person_id), w as (partition by person_id order by line)) m
    where r.company_id = company and r.import_id = import and r.line = m.line
      and (m.nth > 1 or m.differs);
  -- Rows that give one number to two people are duplicates, too.
  update import_rows r set finding = 'duplicate', reason = 'number_of_two'
    from (select line, min(owner) over n <> max(owner) over n as differs
        from (select x.line, x.personnel_number, coalesce(x.person_id::text, x.email) as owner
            from import_rows x where x.company_id = company and x.import_id = import
              and x.finding in ('same', 'fresh') and x.personnel_number is not null) s
        window n as (partition by personnel_number)) m
    where r.company_id = company and r.import_id = import and r.line = m.line and m.differs
$$;

create or replace function private.find_changes(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  -- An empty cell changes nothing.
  with listed as materialized (
    select x.line, x.person_id, jsonb_strip_nulls(jsonb_build_object('full_name', x.full_name,
        'phone', x.phone, 'department', x.department, 'personnel_number', x.personnel_number,
        'joined_on', x.joined_on, 'left_on', case when x.reason is distinct from 'suspended_stays'
          then x.left_on end)) as fields
      from import_rows x
      where x.company_id = company and x.import_id = import and x.finding = 'same'),
  present as materialized (
    select p.id, private.list_fields(p) as fields from profiles p where p.company_id = company),
  differing as materialized (
    select s.line, s.fields as listed, h.fields as present from listed s
      join present h on h.id = s.person_id
      where not h.fields @> s.fields)
  update import_rows r set finding = 'changes', was = d.was, becomes = d.becomes
    from (select f.line, jsonb_object_agg(k.key, f.present -> k.key) as was,
          jsonb_object_agg(k.key, k.value) as becomes
        from differing f cross join lateral jsonb_each(f.listed) k
        where f.present -> k.key <> k.value group by f.line) d
    where r.company_id = company and r.import_id = import and r.line = d.line;
  update import_rows r set finding = 'invalid', reason = 'ends_before_it_begins'
    from profiles p
    where r.company_id = company and r.import_id = import and r.finding = 'changes'
      and p.id = r.person_id and coalesce((r.becomes ->> 'left_on')::date, p.left_on)
        < coalesce((r.becomes ->> 'joined_on')::date, p.joined_on)
$$;

-- Adds a line behind the file's last one for each missing person. People with a last day are
-- leaving already, and people who have yet to begin need not be in a file; admins and suspended
-- people are listed and stay.
create or replace function private.find_missing(company uuid, import uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp set enable_nestloop = off as $$
  insert into import_rows (company_id, import_id, line, full_name, email, department,
    personnel_number, person_id, finding, reason)
    select company, import,
        (select coalesce(max(x.line), 0) from import_rows x
          where x.company_id = company and x.import_id = import)
          + row_number() over (order by p.role <> 'employee' or p.has_rights,
            p.status = 'suspended', p.sort_name, p.id),
        p.full_name, p.email, p.department, p.personnel_number, p.id,
        case when p.role <> 'employee' or p.has_rights then 'admin'
          when p.status = 'suspended' then 'suspended' else 'missing' end,
        case when p.role <> 'employee' or p.has_rights or p.status = 'suspended'
          then 'not_in_file' end
      from profiles p
      where p.company_id = company and p.account_state in ('pending', 'active', 'suspended')
        and p.left_on is null and p.joined_on <= (select private.today_at(company))
        and not exists (select from import_rows x where x.company_id = company
          and x.import_id = import and x.email = p.email)
        and not exists (select from import_rows x where x.company_id = company
          and x.import_id = import and x.personnel_number = p.personnel_number)
$$;

create or replace function private.compare_import(i imports) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.find_their_people(i.company_id, i.id);
  perform private.find_changes(i.company_id, i.id);
  if not i.chosen then perform private.find_missing(i.company_id, i.id); end if;
end $$;

-- Sets the other fields of people whom the file added. The last day is the file's, also for an
-- account that had one.
create or replace function private.describe_added(i imports, lines integer[]) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update profiles p set joined_on = coalesce(r.joined_on, p.joined_on),
      left_on = r.left_on,
      personnel_number = case when exists (select from profiles x where x.company_id = p.company_id
        and x.personnel_number = r.personnel_number) then p.personnel_number
        else coalesce(r.personnel_number, p.personnel_number) end
    from import_rows r
    where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
      and r.finding in ('taken', 'adopted') and p.id = r.person_id
      and num_nonnulls(r.joined_on, r.left_on, r.personnel_number) > 0
$$;

-- A person changed since the file was compared is left alone, and the row says so. Locks people in
-- the order of their ids, so that two bulk changes can't deadlock.
create or replace function private.apply_lines(i imports, lines integer[],
  out dealt integer, out untouched integer)
language sql set search_path = public, pg_catalog, pg_temp as $$
  with locked as materialized (
    select p.id from import_rows r join profiles p on p.id = r.person_id
      where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
        and r.finding in ('changes', 'missing')
      order by p.id for no key update of p),
  changed as (
    update profiles p set full_name = coalesce(r.becomes ->> 'full_name', p.full_name),
        phone = coalesce(r.becomes ->> 'phone', p.phone),
        department = coalesce(r.becomes ->> 'department', p.department),
        personnel_number = coalesce(r.becomes ->> 'personnel_number', p.personnel_number),
        joined_on = coalesce((r.becomes ->> 'joined_on')::date, p.joined_on),
        left_on = coalesce((r.becomes ->> 'left_on')::date, p.left_on,
          case when r.finding = 'missing' then i.left_on end)
      from import_rows r
      where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
        and p.id = r.person_id and p.id = any (array(select h.id from locked h))
        and p.company_id = i.company_id and p.role = 'employee' and not p.has_rights
        and p.erased_at is null and not p.has_left
        and case r.finding
          when 'missing' then i.leaves and p.left_on is null and p.status <> 'suspended'
            and p.joined_on <= i.left_on
          when 'changes' then private.list_fields(p) @> r.was
            and not (r.becomes ? 'left_on' and p.status = 'suspended')
            and coalesce(coalesce((r.becomes ->> 'left_on')::date, p.left_on)
              >= coalesce((r.becomes ->> 'joined_on')::date, p.joined_on), true)
            and not exists (select from profiles x where x.company_id = i.company_id
              and x.id <> p.id and x.personnel_number = r.becomes ->> 'personnel_number')
          else false end
      returning r.line),
  noted as (
    update import_rows r set
        reason = case when c.line is not null then r.reason
          when exists (select from profiles x where x.company_id = i.company_id
            and x.id <> r.person_id and x.personnel_number = r.becomes ->> 'personnel_number')
            then 'personnel_number_taken'
          when r.finding = 'missing' and exists (select from profiles x
            where x.id = r.person_id and x.left_on is null and x.joined_on > i.left_on)
            then 'ends_before_it_begins'
          else 'changed_since' end,
        finding = case when c.line is null then 'untouched' when r.finding = 'missing' then 'left'
          else 'changed' end
      from unnest(lines) l (line) left join changed c on c.line = l.line
      where r.company_id = i.company_id and r.import_id = i.id and r.line = l.line
        and r.finding in ('changes', 'missing')
      returning r.finding)
  select count(*), count(*) filter (where finding = 'untouched') from noted
$$;

-- Puts back all that is still as the file made it. Later changes stay and are reported, and so do
-- people who have rights by now, as no file changes those. Answers how many rows are undone
-- completely.
create or replace function private.return_lines(i imports, lines integer[]) returns integer
language sql set search_path = public, pg_catalog, pg_temp as $$
  with theirs as materialized (
    select r.line, p.id,
        case when r.finding = 'left' then '{"left_on": null}' else r.was end as was,
        case when r.finding = 'left' then jsonb_build_object('left_on', i.left_on)
          else r.becomes end as becomes,
        private.list_fields(p) as present, p.status = 'suspended' as suspended
      from import_rows r join profiles p on p.id = r.person_id
      where r.company_id = i.company_id and r.import_id = i.id and r.line = any (lines)
        and r.finding in ('changed', 'left') and p.company_id = i.company_id
        and p.role = 'employee' and not p.has_rights and p.erased_at is null
      order by p.id for no key update of p),
  back as materialized (
    select t.line, t.id, t.becomes, jsonb_object_agg(k.key, t.was -> k.key) as fields
      from theirs t cross join lateral jsonb_each(t.becomes) k
        cross join lateral (select coalesce(
            (case when t.present -> 'left_on' = t.becomes -> 'left_on' and not t.suspended
              then t.was
              else t.present end ->> 'left_on')::date
            < (case when t.present -> 'joined_on' = t.becomes -> 'joined_on' then t.was
              else t.present end ->> 'joined_on')::date, false) as backwards) d
      where t.present -> k.key = k.value
        and not (k.key = 'left_on' and t.suspended)
        and not (k.key in ('joined_on', 'left_on') and d.backwards)
        and not (k.key = 'personnel_number' and exists (select from profiles x
          where x.company_id = i.company_id and x.personnel_number = t.was ->> k.key))
      group by t.line, t.id, t.becomes),
  returned as (
    update profiles p set full_name = coalesce(b.fields ->> 'full_name', p.full_name),
        phone = case when b.fields ? 'phone' then b.fields ->> 'phone' else p.phone end,
        department = case when b.fields ? 'department' then b.fields ->> 'department'
          else p.department end,
        personnel_number = case when b.fields ? 'personnel_number'
          then b.fields ->> 'personnel_number' else p.personnel_number end,
        joined_on = coalesce((b.fields ->> 'joined_on')::date, p.joined_on),
        left_on = case when b.fields ? 'left_on' then (b.fields ->> 'left_on')::date
          else p.left_on end
      from back b where p.id = b.id),
  noted as (
    update import_rows r set finding = case when w.line is null then 'kept' else 'undone' end,
        reason = case when w.line is null then 'changed_since' end
      from unnest(lines) l (line)
        left join back w on w.line = l.line
          and (select count(*) from jsonb_object_keys(w.fields))
            = (select count(*) from jsonb_object_keys(w.becomes))
      where r.company_id = i.company_id and r.import_id = i.id and r.line = l.line
        and r.finding in ('changed', 'left')
      returning r.finding)
  select (count(*) filter (where finding = 'undone'))::integer from noted
$$;
