-- Reports of the provider: asked for, made in the background, kept as files, sent for each month by schedule.

create table reports (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null check (kind in ('fund_allocation', 'claims_activity', 'company_performance',
                'utilization_trends')),
  -- Not `company_id`: the report is the provider's, only what it is about is the company.
  of_company  uuid references companies on delete cascade,
  from_on     date not null,
  to_on       date not null,
  title       text not null check (length(title) <= 300),
  status      text not null default 'waiting' check (status in ('waiting', 'making', 'ready', 'failed')),
  percent     smallint not null default 0 check (percent between 0 and 100),
  tries       smallint not null default 0,
  run         uuid,
  fault       text check (length(fault) <= 500),
  is_scheduled boolean not null default false,
  asked_by    uuid references profiles on delete set null,
  pdf_bytes   integer,
  xlsx_bytes  integer,
  csv_bytes   integer,
  created_at  timestamptz not null default now(),
  made_at     timestamptz,
  constraint period_backwards check (from_on <= to_on)
);
comment on table reports is 'A report of the provider over all companies or one: asked for, being made, ready or failed.';
create index reports_newest on reports (created_at desc, id desc);
create index reports_of_a_kind on reports (kind, created_at desc, id desc);
create index reports_of_company on reports (of_company) where of_company is not null;
-- Asked for twice while it waits or is being made, it is the same report.
create unique index report_under_way on reports (kind, coalesce(of_company, '00000000-0000-0000-0000-000000000000'),
  from_on, to_on) where status in ('waiting', 'making');
-- A month's report by schedule is made once, however many servers and clocks there are.
create unique index report_of_the_month on reports (kind, from_on) where is_scheduled;
alter table reports enable row level security;
create policy the_providers on reports for select using ((select actor_role()) = 'super_admin');
grant select on reports to healthfund_request;
create trigger audit after insert or delete on reports for each row
  execute function audited('percent', 'run', 'tries', 'pdf_bytes', 'xlsx_bytes', 'csv_bytes', 'status', 'fault', 'made_at');

create table report_files (
  report_id uuid not null references reports on delete cascade,
  format    text not null check (format in ('pdf', 'xlsx', 'csv')),
  part      integer not null,
  bytes     bytea not null,
  primary key (report_id, format, part)
);
comment on table report_files is 'A report''s files in parts, here and not on a disk: any server can hand them out.';
alter table report_files enable row level security;
create policy the_providers on report_files for select using ((select actor_role()) = 'super_admin');
grant select on report_files to healthfund_request;

create table report_schedules (
  id         uuid primary key default gen_random_uuid(),
  person_id  uuid not null references profiles on delete cascade,
  kind       text not null check (kind in ('fund_allocation', 'claims_activity', 'company_performance',
               'utilization_trends')),
  created_at timestamptz not null default now(),
  constraint scheduled_once unique (person_id, kind)
);
comment on table report_schedules is 'Whom of the provider''s staff each kind of report is sent to, on the first of each month.';
alter table report_schedules enable row level security;
create policy your_own on report_schedules using (
  (select actor_role()) = 'super_admin' and person_id = (select actor_id()));
grant select, delete, insert (person_id, kind) on report_schedules to healthfund_request;
create trigger audit after insert or delete on report_schedules for each row execute function audited();

-- Transfers come in the order of their time: a period is found without reading all of them.
create index transfers_by_time on transfers using brin (posted_at) with (autosummarize = on);

create function wall.for_the_provider() returns void
language plpgsql stable set search_path = public, pg_catalog as $$
begin
  if session_user = 'healthfund_request' and actor_role() <> 'super_admin' then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  perform tell('supers');
end $$;

-- The report that was asked for: a new one, or the same one that is under way.
create function ask_for_report(kind text, company uuid, from_on date, to_on date, title text,
  is_scheduled boolean default false) returns uuid
language plpgsql security definer set search_path = public, pg_catalog as $$
declare made uuid;
begin
  perform wall.for_the_provider();
  if company is not null and not exists (select from companies c where c.id = company) then
    raise exception 'company_gone' using errcode = 'HF422';
  end if;
  for attempt in 1..3 loop
    insert into reports (kind, of_company, from_on, to_on, title, is_scheduled, asked_by)
      values (ask_for_report.kind, company, ask_for_report.from_on, ask_for_report.to_on,
        ask_for_report.title, ask_for_report.is_scheduled, actor_id())
      on conflict do nothing returning id into made;
    if made is not null then
      perform add_job('reports:make', json_build_object('id', made));
      return made;
    end if;
    select r.id into made from reports r where r.kind = ask_for_report.kind
      and coalesce(r.of_company, '00000000-0000-0000-0000-000000000000')
        = coalesce(company, '00000000-0000-0000-0000-000000000000')
      and r.from_on = ask_for_report.from_on and r.to_on = ask_for_report.to_on
      and (r.status in ('waiting', 'making') or ask_for_report.is_scheduled and r.is_scheduled);
    exit when made is not null; -- else it was finished between the two looks
  end loop;
  return made;
end $$;

create function retry_report(report uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare status text;
begin
  perform wall.for_the_provider();
  select r.status into status from reports r where r.id = report for update;
  if status is null then raise exception 'not_found' using errcode = 'HF422'; end if;
  if status <> 'failed' then raise exception 'report_not_failed' using errcode = 'HF422'; end if;
  update reports r set status = 'waiting', percent = 0, tries = 0, fault = null, run = null
    where r.id = report;
  perform add_job('reports:make', json_build_object('id', report));
end $$;

create function delete_report(report uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.for_the_provider();
  delete from reports r where r.id = report;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
end $$;

-- A worker takes it up; also where another one was killed over it. Nothing if it is done or gone.
create function wall.begin_report(report uuid, run uuid) returns setof reports
language sql set search_path = public, pg_catalog
begin atomic
  update reports r set status = 'making', run = begin_report.run, tries = r.tries + 1, percent = 1
    where r.id = report and r.status in ('waiting', 'making') returning r.*;
end;

-- For each month that is over: once per kind that somebody wants, and word to those who do.
create function wall.monthly_reports(titles jsonb) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare
  month date := date_trunc('month', now() at time zone 'UTC' - interval '1 month')::date;
  wanted text;
  asked integer := 0;
begin
  for wanted in select distinct s.kind from report_schedules s join profiles p on p.id = s.person_id
    where p.role = 'super_admin' and p.status = 'active'
      and not exists (select from reports r
        where r.is_scheduled and r.kind = s.kind and r.from_on = month) order by 1
  loop
    perform ask_for_report(wanted, null, month, (month + interval '1 month - 1 day')::date,
      titles ->> wanted, true);
    asked := asked + 1;
  end loop;
  return asked;
end $$;

create function wall.report_is_ready(report uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform notify_person(s.person_id, 'account', r.title || ' is ready',
      'Your monthly report is ready to download.', '/dashboard/reports')
    from reports r join report_schedules s on s.kind = r.kind
      join profiles p on p.id = s.person_id and p.role = 'super_admin' and p.status = 'active'
    where r.id = report and r.is_scheduled;
end $$;

revoke execute on function wall.for_the_provider(), ask_for_report(text, uuid, date, date, text, boolean),
  retry_report(uuid), delete_report(uuid), wall.begin_report(uuid, uuid), wall.monthly_reports(jsonb),
  wall.report_is_ready(uuid) from public;
grant execute on function ask_for_report(text, uuid, date, date, text, boolean), retry_report(uuid),
  delete_report(uuid) to healthfund_request;
