-- The chain over the record of changes: sealing, and proving it.

create or replace function private.chain_of(company uuid) returns uuid
language sql immutable return coalesce(company, '00000000-0000-0000-0000-000000000000');

-- The oldest act of this database that has written and not ended: each holds a lock on its own
-- number. A snapshot's xmin would also wait for acts of other databases of the server. Prepared
-- transactions have no pid.
create or replace function private.oldest_act(newest bigint) returns bigint
language sql stable
begin atomic
  select coalesce(min(newest + mod(l.transactionid::text::bigint - mod(newest,
    4294967296) + 6442450944, 4294967296)
        - 2147483648), newest)
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
      and (l.pid is null or a.datname = current_database()) and l.pid is distinct
        from pg_backend_pid();
end;

-- Seals up to `most` entries whose acts have all ended; answers how many. One session at a time.
create or replace function seal_audit(most integer) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  sweep private.audit_sweep;
  newest bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  oldest bigint;
  sealed_to bigint;
  done integer := 0;
begin
  select * into sweep from private.audit_sweep for update skip locked;
  if not found then return 0; end if;
  oldest := private.oldest_act(newest);
  -- A database that was restored elsewhere counts its transactions from the start again.
  if sweep.settled <= oldest or sweep.settled > newest then
    sealed_to := coalesce((select max(id) from (select id from audit_log
      where id > sweep.sealed and id <= sweep.high order by id limit most) next), sweep.high);
    done := private.seal_entries(sweep.sealed, sealed_to);
    if done < most then
      update private.audit_sweep set sealed = sweep.high, settled = newest,
        high = greatest(sweep.high, (select coalesce(max(id), 0) from audit_log),
          (select coalesce(last_value, 0) from pg_sequences
            where schemaname = 'public' and sequencename = 'audit_log_id_seq'));
    else
      update private.audit_sweep set sealed = sealed_to;
    end if;
  end if;
  return done;
end $$;

create or replace function private.seal_entries(sealed bigint, sealed_to bigint) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare done integer;
begin
  with entry as materialized (
    select private.chain_of(l.company_id) as chain, l.id, private.entry_content(l) as content,
        row_number() over (partition by private.chain_of(l.company_id) order by l.id) as at
      from audit_log l where l.id > sealed and l.id <= sealed_to),
  linked as (
    select e.chain, e.id, e.content, coalesce(h.number, 0) + e.at as number,
        private.chain(case when e.at = 1 then coalesce(h.hash, '') || e.content else e.content end)
          over (partition by e.chain order by e.at) as hash
      from entry e left join audit_heads h on h.company_id = e.chain),
  made as (
    insert into audit_seals (company_id, number, audit_id, content, hash)
      select chain, number, id, content, hash from linked returning company_id, number, hash),
  headed as (
    insert into audit_heads as h (company_id, number, hash)
      select distinct on (company_id) company_id, number, hash from made order by company_id,
        number desc
      on conflict (company_id) do update set number = excluded.number, hash = excluded.hash)
  select count(*) into done from made;
  return done;
end $$;

-- Recomputes the chain of one company, or of all and the platform's (null), in one snapshot.
create or replace function verify_audit(company uuid) returns audit_check
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  sum audit_check := row(0, 0, 0, null, null, null);
  found audit_check;
  who text := actor_role();
  chain uuid;
begin
  if private.is_request() and who <> 'super_admin'
      and (actor_has('owner', 'auditor') and company = actor_company()) is not true then
    perform private.refuse('forbidden');
  end if;
  for chain in select company where company is not null
    union all select private.chain_of(null) where company is null
    union all select id from companies where company is null
  loop
    found := private.check_chain(chain);
    sum.entries := sum.entries + found.entries;
    sum.waiting := sum.waiting + found.waiting;
    sum.erased := sum.erased + found.erased;
    if found.fault is not null and (sum.fault is null or found.audit_id < sum.audit_id) then
      sum.fault := found.fault;
      sum.audit_id := found.audit_id;
      sum.company_id := found.company_id;
    end if;
  end loop;
  return sum;
end $$;

-- Checks one chain: each seal against its entry as it is now, then that no old entry lacks a seal.
-- Entries of no company are in the platform's chain, whoever wrote them.
create or replace function private.check_seals(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  done audit_check;
  sealed_to bigint := (select s.sealed from private.audit_sweep s);
  theirs text := private.entries_of_chain(chain);
  cut record;
begin
  select * into cut from private.chain_start(chain);
  execute format($check$
    select count(*), count(*) filter (where l.id > %1$s), count(*) filter (where l.erased_at
      is not null)
      from audit_log l where %2$s$check$, sealed_to, theirs)
    into done.entries, done.waiting, done.erased;
  execute format($check$
    with link as (
      select s.number, s.audit_id, s.hash, l.id is null as gone,
          l.erased_at is null and private.entry_content(l) <> s.content as changed,
          lag(s.number, 1, %4$s::bigint) over w as before,
          s.audit_id <= lag(s.audit_id, 1, 0::bigint) over w as behind,
          private.chained_hash(lag(s.hash, 1, %5$L::bytea) over w, s.content) as should
        from audit_seals s left join audit_log l on l.id = s.audit_id and %2$s
        where s.company_id = %3$L
        window w as (order by s.number))
    select f.fault, f.audit_id from (
      select l.audit_id, case
          when l.number <> l.before + 1 then 'seal_missing'
          when l.gone then 'entry_deleted'
          when l.changed then 'entry_changed'
          else 'seal_changed' end as fault
        from link l
        where l.number <> l.before + 1 or l.gone or l.changed or l.behind
          or l.hash is distinct from l.should
      union all
      select null::bigint, 'seal_missing' from audit_heads h
        where h.company_id = %3$L and not exists (select from audit_seals s
          where s.company_id = h.company_id and s.number = h.number and s.hash = h.hash)
      union all
      select l.id, 'entry_inserted' from audit_log l
        where %2$s and l.id <= %1$s and not exists (select from audit_seals s
          where s.company_id = %3$L and s.audit_id = l.id)) f
      order by f.audit_id nulls last limit 1$check$, sealed_to, theirs, chain, cut.number, cut.hash)
    into done.fault, done.audit_id;
  done.company_id := nullif(chain, private.chain_of(null));
  return done;
end $$;

-- Checks one chain. An erased entry no longer matches its seal, so it is compared with the chain's
-- own entry about its erasure, which needs a granted request.
create or replace function private.check_chain(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  done audit_check := private.check_seals(chain);
  wrong record;
begin
  execute format($check$
    with erased as (
      select distinct on ((l.after ->> 'audit_id')::bigint)
          (l.after ->> 'audit_id')::bigint as audit_id,
          l.after ->> 'content' as content,
          exists (select from erasures e
            where e.id = (l.after ->> 'erasure_id')::uuid and e.status
              in ('under_way', 'done')) as erasing
        from audit_log l where %s and l.table_name = 'audit_erasures' and l.act = 'insert'
        order by 1, l.id desc)
    select l.id, case when t.audit_id is null or t.content <> private.entry_content(l)::text
      then 'entry_changed'
        else 'erasure_not_requested' end as fault
      from audit_log l left join erased t on t.audit_id = l.id
      where %1$s and l.erased_at is not null
        and (t.audit_id is null or not t.erasing or t.content <> private.entry_content(l)::text)
      order by l.id limit 1$check$, private.entries_of_chain(chain)) into wrong;
  if wrong.id is not null and (done.fault is null or wrong.id < done.audit_id) then
    done.fault := wrong.fault;
    done.audit_id := wrong.id;
    done.company_id := nullif(chain, private.chain_of(null));
  end if;
  return done;
end $$;

create or replace function private.entries_of_chain(chain uuid) returns text
language sql immutable
return case when chain = private.chain_of(null)
  then format('(l.company_id is null or l.company_id = %L)', chain)
    else format('l.company_id = %L', chain) end;

grant execute on function verify_audit to healthfund_request;
