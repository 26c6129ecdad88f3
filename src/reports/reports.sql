-- Reports of the provider: asked for, made in the background, kept as files, sent each month by
-- schedule.

create policy the_providers on reports for select using ((select actor_role()) = 'super_admin');
grant select on reports to healthfund_request;
create or replace trigger audit after insert or delete on reports for each row
  execute function audited('percent', 'run', 'tries', 'pdf_bytes', 'xlsx_bytes', 'csv_bytes',
    'status', 'fault', 'made_at', 'as_of');

create policy the_providers on report_files for select using ((select actor_role())
  = 'super_admin');
grant select on report_files to healthfund_request;

create policy your_own on report_schedules using (
  (select actor_role()) = 'super_admin' and person_id = (select actor_id()));
grant select, delete, insert (person_id, kind) on report_schedules to healthfund_request;
create or replace trigger audit after insert or delete on report_schedules for each row
  execute function audited();

create or replace function private.begin_report_act() returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if private.is_request() then perform private.require_role('super_admin'); end if;
  perform publish('supers');
end $$;

create or replace function private.report_under_way(report_kind text, company uuid, first_day date,
  last_day date) returns uuid
language sql stable
return (select r.id from reports r where r.kind = report_kind
  and coalesce(r.of_company, '00000000-0000-0000-0000-000000000000')
    = coalesce(company, '00000000-0000-0000-0000-000000000000')
  and r.from_on = first_day and r.to_on = last_day and r.status in ('waiting', 'making'));

-- The report that was asked for: a new one, or the same one that is under way.
create or replace function request_report(input jsonb) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n reports := jsonb_populate_record(null::reports, input);
  scheduled boolean := coalesce(n.is_scheduled, false);
  made uuid;
begin
  perform private.begin_report_act(),
    -- The report of a month is mailed to all who want it, under its title.
    private.refuse(case when scheduled and private.is_request()
      then 'forbidden' end);
  if n.of_company is not null and not exists (select from companies c
    where c.id = n.of_company) then
    perform private.refuse('company_gone');
  end if;
  for attempt in 1..3 loop
    insert into reports (kind, of_company, from_on, to_on, title, is_scheduled, requested_by)
      values (n.kind, n.of_company, n.from_on, n.to_on,
        n.title, scheduled, actor_id())
      on conflict do nothing returning id into made;
    if made is not null then
      perform add_job('reports:make', json_build_object('id', made));
      return made;
    end if;
    made := coalesce(private.report_under_way(n.kind, n.of_company, n.from_on, n.to_on),
      (select r.id from reports r where scheduled and r.is_scheduled and r.kind = n.kind
        and r.from_on = n.from_on));
    exit when made is not null; -- else it was finished between the two looks
  end loop;
  return made;
end $$;

-- The report that is made again: this one, or the same one that is under way.
create or replace function retry_report(report uuid) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare n reports;
begin
  perform private.begin_report_act();
  select * into n from reports r where r.id = report for update;
  if not found then perform private.refuse('not_found'); end if;
  if n.status <> 'failed' then perform private.refuse('report_not_failed'); end if;
  update reports r set status = 'waiting', percent = 0, tries = 0, fault = null, run = null
    where r.id = report;
  perform add_job('reports:make', json_build_object('id', report));
  return report;
exception when unique_violation then
  return coalesce(private.report_under_way(n.kind, n.of_company, n.from_on, n.to_on), report);
end $$;

create or replace function delete_report(report uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.begin_report_act();
  delete from reports r where r.id = report;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- A worker takes it up; also where another one was killed over it. Nothing if it is done or gone.
create or replace function private.begin_report(report uuid, run uuid) returns setof reports
language sql
begin atomic
  update reports r set status = 'making', run = begin_report.run, tries = r.tries + 1, percent = 1
    where r.id = report and r.status in ('waiting', 'making') returning r.*;
end;

-- Each month that is over gets a report of every kind that somebody wants, and they are notified.
create or replace function private.request_monthly_reports(titles jsonb) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  month date := date_trunc('month', now() at time zone 'UTC' - interval '1 month')::date;
  report_kind text;
  requested integer := 0;
begin
  for report_kind in select distinct s.kind from report_schedules s
    join profiles p on p.id = s.person_id
    where p.role = 'super_admin' and p.status = 'active'
      and not exists (select from reports r
        where r.is_scheduled and r.kind = s.kind and r.from_on = month) order by 1
  loop
    perform request_report(jsonb_build_object('kind', report_kind, 'from_on', month,
      'to_on', (month + interval '1 month - 1 day')::date, 'title', titles ->> report_kind,
      'is_scheduled', true));
    requested := requested + 1;
  end loop;
  return requested;
end $$;

create or replace function private.notify_of_report(report uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform notify_person(s.person_id, 'report_ready', jsonb_build_object('title', r.title))
    from reports r join report_schedules s on s.kind = r.kind
      join profiles p on p.id = s.person_id and p.role = 'super_admin' and p.status = 'active'
    where r.id = report and r.is_scheduled;
end $$;

grant execute on function request_report, retry_report, delete_report to healthfund_request;
