-- The source of a company's list of employees: set by its admins, fetched by a job.

create policy your_companys on people_sources for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select (company_id, url, login, secret_kind, host_key, host_key_met, hour, applies, set_by,
  set_at, next_at, fetching_at, failing_since) on people_sources to healthfund_request;
create or replace trigger audit after insert or update or delete on people_sources
  for each row execute function audited('sealed', 'next_at', 'fetching_at', 'last_hash',
    'failing_since', 'host_key_met');

create policy your_companys on people_fetches for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select on people_fetches to healthfund_request;

-- The next time it is this hour where the company is.
create or replace function private.next_fetch(company uuid, hour integer) returns timestamptz
language sql stable
return (select min(d.at) from companies c
  cross join lateral (select (date_trunc('day', now() at time zone c.time_zone)
      + make_interval(days => n, hours => hour)) at time zone c.time_zone as at
    from generate_series(0, 2) n) d
  where c.id = company and d.at > now());

-- Fetches run one after the other: slow servers hold up each other, and no other job.
create or replace function private.fetch_now(company uuid) returns void
language sql
begin atomic
  update people_sources s set fetching_at = now() where s.company_id = company;
  select add_job('people:fetch', json_build_object('company_id', company),
    key => 'people:fetch ' || company, queue => 'people:fetch');
end;

-- The same host over SSH and over https counts as two servers.
create or replace function private.same_server(one text, other text) returns boolean
language sql immutable
return split_part(one, ':', 1) = split_part(other, ':', 1)
  and private.host_of(one) = private.host_of(other);

-- A different server must show its key again, and gets no secret that was entered for another.
create or replace function set_people_source(input jsonb, sealed bytea) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company constant uuid := actor_company();
  n people_sources := jsonb_populate_record(null::people_sources, input);
begin
  perform private.require_right('owner'), private.refuse_unless_fresh(),
    private.lock_active_company(), publish('admins:' || company);
  insert into people_sources as s (company_id, url, login, secret_kind, sealed, hour, applies,
      set_by)
    values (company, n.url, n.login, n.secret_kind, set_people_source.sealed, n.hour, n.applies,
      actor_id())
    on conflict (company_id) do update set url = n.url, login = n.login,
      secret_kind = n.secret_kind, sealed = coalesce(set_people_source.sealed,
        case when n.secret_kind = s.secret_kind and private.same_server(n.url, s.url)
          then s.sealed end),
      host_key = case when private.same_server(n.url, s.url) then s.host_key end,
      host_key_met = null, hour = n.hour, applies = n.applies, set_by = actor_id(), set_at = now(),
      next_at = null, failing_since = null, last_hash = null;
  perform private.refuse('source_secret_needed') from people_sources s
    where s.company_id = company and s.secret_kind <> 'none' and s.sealed is null;
  update people_sources s set next_at = private.next_fetch(company, s.hour)
    where s.company_id = company and (s.url like 'http%' or s.host_key is not null);
  perform private.fetch_now(company),
    notify_right_holders(company, 'people_source_set',
      jsonb_build_object('host', private.host_of(n.url)));
end $$;

-- Trusts the key that the server showed, and only if it is still the one that the admin saw.
create or replace function trust_host_key(host_key text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare company constant uuid := actor_company();
begin
  perform private.require_right('owner'), private.refuse_unless_fresh(),
    publish('admins:' || company);
  update people_sources s set host_key = s.host_key_met, host_key_met = null,
      next_at = private.next_fetch(company, s.hour)
    where s.company_id = company and s.host_key_met = trust_host_key.host_key;
  if not found then perform private.refuse('host_key_changed'); end if;
  perform private.fetch_now(company);
end $$;

-- Fetches again at an owner's request, though the file may be the same. The daily fetch skips an
-- unchanged file, or a discarded one would come back each day.
create or replace function fetch_people() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare company constant uuid := actor_company();
begin
  perform private.require_right('owner'), publish('admins:' || company);
  update people_sources s set last_hash = case when exists (select from people_fetches f
      join imports i on i.company_id = f.company_id and i.id = f.import_id
      where f.company_id = company
        and i.status in ('checked', 'waiting', 'importing', 'undoing')) then s.last_hash end
    where s.company_id = company;
  if not found then perform private.refuse('not_found'); end if;
  perform private.fetch_now(company);
end $$;

create or replace function remove_people_source() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  delete from people_sources s where s.company_id = actor_company();
end $$;

-- Fetches those whose hour has come, and those whose worker was killed meanwhile. A job runs it.
-- The list of a suspended company is fetched once the company is back.
create or replace function private.fetch_due() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare due constant uuid[] := array(select s.company_id from people_sources s
  join companies c on c.id = s.company_id and c.status = 'active'
  where s.next_at <= now() or s.fetching_at < now() - interval '10 minutes');
begin
  perform private.fetch_now(d) from unnest(due) d;
  update people_sources s set next_at = private.next_fetch(s.company_id, s.hour)
    where s.company_id = any (due) and s.next_at <= now();
end $$;

-- Makes the transaction that of the admin who set the source, as they are now; false if they are no
-- admin any more, and nothing is done in their name.
create or replace function private.act_for_source(company uuid) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare admin uuid;
begin
  select p.id into admin from people_sources s
    join profiles p on p.id = s.set_by and p.company_id = s.company_id
      and p.id in (select private.holders(s.company_id, 'owner')) and p.account_state = 'active'
    join companies c on c.id = s.company_id and c.status = 'active'
    where s.company_id = company;
  if not found then return false; end if;
  perform private.set_actor('company_admin', admin, company, 'people');
  return true;
end $$;

-- Records the result of a fetch. A failure is notified once, until a fetch works again.
create or replace function private.note_fetch(company uuid, fetched jsonb) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  n people_fetches := jsonb_populate_record(null::people_fetches, fetched);
  s people_sources;
begin
  update people_sources x set fetching_at = null,
      host_key_met = coalesce(fetched ->> 'host_key_met',
        case when n.outcome <> 'failed' then null else x.host_key_met end),
      last_hash = case when n.outcome <> 'failed' then decode(fetched ->> 'hash', 'hex')
        else x.last_hash end
    where x.company_id = company returning * into s;
  if not found then return; end if;
  insert into people_fetches (company_id, outcome, fault, bytes, import_id)
    values (company, n.outcome, n.fault, n.bytes, n.import_id);
  delete from people_fetches f where f.company_id = company and f.id < (
    select min(l.id) from (select id from people_fetches where company_id = company
      order by id desc limit 60) l);
  if n.outcome <> 'failed' then
    update people_sources x set failing_since = null where x.company_id = company;
  elsif s.failing_since is null and s.next_at is not null then
    update people_sources x set failing_since = now() where x.company_id = company;
    perform notify_right_holders(company, 'people_fetch_failed',
      jsonb_build_object('host', private.host_of(s.url)));
  end if;
  if n.outcome in ('compared', 'waiting') then
    perform notify_right_holders(company, 'people_fetched');
  end if;
  perform private.publish_now('admins:' || company);
end $$;

grant execute on function set_people_source, trust_host_key, fetch_people, remove_people_source
  to healthfund_request;
