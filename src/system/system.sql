-- The state of the system: each server and worker reports its own, and one query reads all.

create or replace function private.record_heartbeat(process uuid, kind text, locks text[],
  storage jsonb, mail jsonb) returns void
language sql
begin atomic
  insert into private.processes as p (id, kind, locks, storage, mail)
    values (process, record_heartbeat.kind, record_heartbeat.locks, record_heartbeat.storage,
      record_heartbeat.mail)
    on conflict (id) do update set locks = excluded.locks, storage = excluded.storage,
      mail = excluded.mail, heartbeat_at = now();
end;

-- The processes of a kind that run: a few heartbeats may be missing.
create or replace function private.running(kind text) returns setof private.processes
language sql stable
begin atomic
  select * from private.processes p
    where p.kind = running.kind and p.heartbeat_at > now() - interval '45 seconds';
end;

-- Frees jobs of a killed worker, which would stay locked for hours: a process without a heartbeat
-- for a minute counts as gone. Processes of yesterday are deleted.
create or replace function private.release_stale_jobs() returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare dead text[];
begin
  delete from private.processes where heartbeat_at < now() - interval '1 day';
  delete from private.response_minutes where minute < now() - interval '1 day';
  dead := array(select distinct j.locked_by from graphile_worker.jobs j
    where j.locked_at < now() - interval '1 minute' and not exists (
      select from private.processes p where p.heartbeat_at > now() - interval '1 minute'
        and j.locked_by = any (p.locks)));
  if cardinality(dead) > 0 then perform graphile_worker.force_unlock_workers(dead); end if;
  return cardinality(dead);
end $$;

-- Corrects times in the future after the clock was set back: schedules would count as done, jobs
-- and locks would wait, and dead processes would seem to live. Ten minutes may be two machines'
-- difference.
create or replace function private.correct_future_times() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare future timestamptz := now() + interval '10 minutes';
begin
  update graphile_worker._private_known_crontabs set last_execution = now()
    where last_execution > future;
  update graphile_worker._private_jobs set created_at = now(),
      run_at = now() + greatest(run_at - created_at, interval '0') where created_at > future;
  update graphile_worker._private_jobs set locked_at = now() where locked_at > future;
  delete from private.processes where heartbeat_at > future;
  delete from private.response_minutes where minute > future;
end $$;

-- The state of claim processing, for the provider's panel. Overdue claims have a kept count, and
-- the oldest is the first in an index.
create or replace function private.claims_under_way() returns jsonb
language sql stable
begin atomic
  with kept as (
    select claims, overdue from claim_totals where status = 'pending'
    union all select claims, overdue from claim_changes where status = 'pending')
  select jsonb_build_object(
    'waiting', (select coalesce(sum(claims), 0) from kept),
    'overdue', (select coalesce(sum(overdue), 0) from kept),
    -- Overdue claims came first; of the others, the next one due is nearly the oldest.
    'oldest_at', least((select min(submitted_at) from claims where overdue),
      (select min(submitted_at)
      from (select submitted_at from claims where due_at is not null and not overdue
        order by due_at limit 100) w)));
end;

create or replace function private.jobs_under_way() returns jsonb
language sql stable
begin atomic
  select jsonb_build_object(
      'queued', count(*) filter (where locked_at is null and last_error is null
        and run_at <= now()),
      'running', count(*) filter (where locked_at is not null),
      'failing', count(*) filter (where last_error is not null and attempts < max_attempts),
      'given_up', count(*) filter (where last_error is not null and attempts >= max_attempts),
      'oldest_at', min(run_at) filter
        (where locked_at is null and last_error is null and run_at <= now()),
      'failures', (select coalesce(jsonb_agg(to_jsonb(f) order by f.since), '[]') from (
        select task_identifier as task, count(*) as jobs, min(created_at) as since,
            (array_agg(left(split_part(last_error, E'\n', 1), 200)
              order by updated_at desc))[1] as reason
          from graphile_worker.jobs where last_error is not null
          group by task_identifier order by min(created_at) limit 20) f),
      'mail_waiting', count(*) filter (where task_identifier = 'mail:send'),
      'mail_failing_since', min(created_at)
        filter (where task_identifier = 'mail:send' and last_error is not null))
    from graphile_worker.jobs;
end;

-- All that is known, in one snapshot, for the provider's panel.
create or replace function system_health() returns jsonb
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare jobs jsonb := private.jobs_under_way();
begin
  perform private.require_role('super_admin');
  return jsonb_build_object(
    'at', now(),
    'servers', (select coalesce(jsonb_agg(jsonb_build_object('storage', storage, 'mail', mail)),
      '[]')
      from private.running('server')),
    'workers', (select count(*) from private.running('worker')),
    'worker_seen_at', (select max(heartbeat_at) from private.processes where kind = 'worker'),
    'minutes', (select coalesce(jsonb_agg(m order by m.minute), '[]') from (
      select minute, sum(faults) as faults, (select jsonb_agg(s.sum order by s.at) from (
          select u.at, sum(u.count) from private.response_minutes o,
            unnest(o.counts) with ordinality u (count, at)
            where o.minute = r.minute group by u.at) s) as counts
        from private.response_minutes r where minute > now() - interval '15 minutes'
          group by minute) m),
    'database', (select jsonb_build_object('hits', d.blks_hit, 'reads', d.blks_read,
        'connections', (select sum(numbackends) from pg_stat_database),
        'connections_max', current_setting('max_connections')::int,
        'size_bytes', pg_database_size(d.datid))
      from pg_stat_database d where d.datname = current_database()),
    'jobs', jobs,
    'mail_sent_at', (select at from private.mail_sent),
    'claims', private.claims_under_way(),
    'backups', (select jsonb_build_object('at', b.at, 'version', b.version, 'bytes', b.bytes,
        'late_after_hours', b.late_after_hours, 'since', a.since,
        'drill', case when d.at is not null
          then jsonb_build_object('at', d.at, 'good', d.good, 'sentence', d.sentence) end)
      from private.last_backup b, private.last_drill d, private.advisory_check a),
    'updates', (select to_jsonb(a) - 'one' from private.advisory_check a));
end $$;

-- Failed jobs are tried again now, as if for the first time.
create or replace function retry_failed_jobs() returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare failed bigint[];
begin
  perform private.require_role('super_admin');
  failed := array(select id from graphile_worker.jobs
    where last_error is not null and locked_at is null);
  if cardinality(failed) = 0 then return 0; end if;
  return (select count(*) from graphile_worker.reschedule_jobs(failed, run_at => now(),
    attempts => 0));
end $$;

create or replace function ask_for_advisories() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('super_admin');
  perform add_job('system:advisories', key => 'system:advisories');
end $$;

-- The mail goes to whoever asks, and to nobody else. Answers their address.
create or replace function post_test_mail(subject text, text text, html text, by_server boolean)
returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare their text;
begin
  perform private.require_role('super_admin');
  select p.email into their from profiles p where p.id = actor_id();
  perform post_mail(their, subject, text, html, by_server);
  return their;
end $$;

grant execute on function system_health, retry_failed_jobs, ask_for_advisories, post_test_mail
  to healthfund_request;
