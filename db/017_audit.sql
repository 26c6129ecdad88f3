-- The record of changes: faster to write, quick to search at any size, sealed into a chain.

-- As in 001, but the actor is unsealed once, and the two sides of a change are picked in one pass.
create or replace function audited() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  who text[] := string_to_array(actor(), ' ');
  was jsonb;
  now_is jsonb;
  whole jsonb;
begin
  if tg_op = 'INSERT' then
    now_is := to_jsonb(new);
    if tg_nargs > 0 then now_is := now_is - tg_argv::text[]; end if;
    whole := now_is;
  elsif tg_op = 'DELETE' then
    was := to_jsonb(old);
    if tg_nargs > 0 then was := was - tg_argv::text[]; end if;
    whole := was;
  else
    if new is not distinct from old then return null; end if;
    was := to_jsonb(old);
    whole := to_jsonb(new);
    if tg_nargs > 0 then whole := whole - tg_argv::text[]; end if;
    select jsonb_object_agg(key, value), jsonb_object_agg(key, was -> key) into now_is, was
      from jsonb_each(whole) where value is distinct from was -> key;
    if now_is is null then return null; end if;
  end if;
  insert into audit_log (company_id, actor_id, actor_role, address, request_id, act, table_name,
      row_id, before, after)
    values (case when tg_table_name = 'companies' then whole ->> 'id' else whole ->> 'company_id' end::uuid,
      nullif(who[2], '')::uuid, coalesce(nullif(who[1], ''), 'system'),
      current_setting('app.address', true), current_setting('app.request', true),
      lower(tg_op), tg_table_name, coalesce(whole ->> 'id', ''), was, now_is);
  return null;
end $$;

-- The platform's own: what belongs to no company, the companies themselves, and what the provider's staff did.
alter table audit_log
  add column of_platform boolean not null generated always as
    (company_id is null or actor_role = 'super_admin' or table_name = 'companies') stored,
  -- The person asked to be forgotten: what the row said is gone, its place in the chain is not.
  add column erased_at timestamptz;

-- A list is read newest first, a page at a time; each filter has its index.
drop index audit_log_by_company, audit_log_by_row;
create index audit_by_time on audit_log (company_id, id desc);
create index audit_by_table on audit_log (company_id, table_name, id desc);
create index audit_by_actor on audit_log (actor_id, id desc) where actor_id is not null;
create index audit_of_platform on audit_log (id desc) where of_platform;
create index audit_of_platform_by_table on audit_log (table_name, id desc) where of_platform;
create index audit_of_deletions on audit_log (company_id, id desc) where act = 'delete';

drop policy your_companys_history on audit_log;
create policy your_companys_history on audit_log for select using (
  ((select actor_role()) = 'company_admin' and company_id = (select actor_company()))
  or ((select actor_role()) = 'super_admin' and of_platform));

-- Which entries a time of day lies between. An entry has the time its act began and the number of the moment it
-- was written; no act lasts longer than an hour, so that much is left on both sides.
create function audit_span(began timestamptz, ended timestamptz, out first_id bigint, out last_id bigint)
language plpgsql stable security definer set search_path = public, pg_catalog as $$
declare
  low bigint := coalesce((select min(id) from audit_log), 0);
  high bigint := coalesce((select max(id) from audit_log), 0) + 1;
begin
  first_id := case when began is null then low else wall.first_audit_since(low, high, began - interval '1 hour') end;
  last_id := case when ended is null then high
    else wall.first_audit_since(low, high, ended + interval '1 hour') end;
end $$;

-- The first entry of about that time, by halving: twenty looks at the key for a million entries.
create function wall.first_audit_since(low bigint, high bigint, moment timestamptz) returns bigint
language plpgsql stable set search_path = public, pg_catalog as $$
declare
  middle bigint;
  found_id bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := low + (high - low) / 2;
    select id, at into found_id, found_at from audit_log where id >= middle order by id limit 1;
    if found_id is null or found_at >= moment then high := middle; else low := found_id + 1; end if;
  end loop;
  return low;
end $$;

-- The chain -----------------------------------------------------------------------------------------------

create table audit_seals (
  company_id uuid not null,
  number     bigint not null,
  audit_id   bigint not null,
  content    bytea not null,
  hash       bytea not null,
  primary key (company_id, number),
  unique (company_id, audit_id)
);
comment on table audit_seals is 'The chain over each company''s record of changes, and the platform''s (all zeros): the entry''s number in it, a hash of its content, and one over that and the seal before.';
alter table audit_seals enable row level security;

create table audit_heads (
  company_id uuid primary key,
  number     bigint not null default 0,
  hash       bytea not null default ''
);
comment on table audit_heads is 'The last seal of each chain over the record of changes.';
alter table audit_heads enable row level security;

-- How far it is sealed, and up to where it may be next: an entry with a lower number may still be on its way in
-- an act that has not ended. `settled` is the act after which none of them can be.
create table wall.audit_sweep (
  one     boolean primary key default true check (one),
  sealed  bigint not null default 0,
  high    bigint not null default 0,
  settled bigint not null default 0
);
comment on table wall.audit_sweep is 'Up to which entry the record of changes is sealed, and up to which it will be next. One row.';
alter table wall.audit_sweep enable row level security;
insert into wall.audit_sweep default values;

create function wall.chain_of(company uuid) returns uuid
language sql immutable return coalesce(company, '00000000-0000-0000-0000-000000000000');

-- Every field of an entry in one text that has one reading.
create function wall.content(l audit_log) returns bytea
language sql stable set search_path = pg_catalog
return sha256(convert_to(json_build_array(l.id, l.company_id, extract(epoch from l.at), l.actor_id,
  l.actor_role, l.address, l.request_id, l.act, l.table_name, l.row_id, l.before, l.after)::text, 'UTF8'));

-- The oldest act of this database that has written and not ended: each holds a lock on its own number. (A
-- snapshot's xmin would wait for the acts of every other database of the cluster, too.) Prepared ones have no pid.
create function wall.oldest_act(newest bigint) returns bigint
language sql stable set search_path = public, pg_catalog
begin atomic
  select coalesce(min(newest + mod(l.transactionid::text::bigint - mod(newest, 4294967296) + 6442450944, 4294967296)
        - 2147483648), newest)
    from pg_locks l left join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
      and (l.pid is null or a.datname = current_database()) and l.pid is distinct from pg_backend_pid();
end;

-- Seals up to `most` entries whose acts have all ended; answers how many. One session at a time.
create function seal_audit(most integer) returns integer
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  sweep wall.audit_sweep;
  newest bigint := pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
  oldest bigint;
  sealed_to bigint;
  done integer := 0;
begin
  select * into sweep from wall.audit_sweep for update skip locked;
  if not found then return 0; end if;
  oldest := wall.oldest_act(newest);
  -- A database that was restored elsewhere counts its acts anew.
  if sweep.settled <= oldest or sweep.settled > newest then
    sealed_to := coalesce((select max(id) from (select id from audit_log
      where id > sweep.sealed and id <= sweep.high order by id limit most) next), sweep.high);
    done := wall.seal_entries(sweep.sealed, sealed_to);
    if done < most then
      update wall.audit_sweep set sealed = sweep.high, settled = newest,
        high = greatest(sweep.high, (select coalesce(max(id), 0) from audit_log),
          (select coalesce(last_value, 0) from pg_sequences
            where schemaname = 'public' and sequencename = 'audit_log_id_seq'));
    else
      update wall.audit_sweep set sealed = sealed_to;
    end if;
  end if;
  return done;
end $$;

create function wall.seal_entries(sealed bigint, sealed_to bigint) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare done integer;
begin
  with entry as materialized (
    select wall.chain_of(l.company_id) as chain, l.id, wall.content(l) as content,
        row_number() over (partition by wall.chain_of(l.company_id) order by l.id) as at
      from audit_log l where l.id > sealed and l.id <= sealed_to),
  linked as (
    select e.chain, e.id, e.content, coalesce(h.number, 0) + e.at as number,
        wall.chain(case when e.at = 1 then coalesce(h.hash, '') || e.content else e.content end)
          over (partition by e.chain order by e.at) as hash
      from entry e left join audit_heads h on h.company_id = e.chain),
  made as (
    insert into audit_seals (company_id, number, audit_id, content, hash)
      select chain, number, id, content, hash from linked returning company_id, number, hash),
  headed as (
    insert into audit_heads as h (company_id, number, hash)
      select distinct on (company_id) company_id, number, hash from made order by company_id, number desc
      on conflict (company_id) do update set number = excluded.number, hash = excluded.hash)
  select count(*) into done from made;
  return done;
end $$;

create type audit_check as (entries bigint, waiting bigint, erased bigint, fault text, audit_id bigint,
  company_id uuid);
comment on type audit_check is 'What verify_audit found: how much there is, and the first entry that is wrong, or null.';

-- Recomputes the chain of one company, or of all and the platform's (null), in one snapshot.
create function verify_audit(company uuid) returns audit_check
language plpgsql stable security definer set search_path = public, pg_catalog as $$
declare
  sum audit_check := row(0, 0, 0, null, null, null);
  found audit_check;
  who text := actor_role();
  chain uuid;
begin
  if session_user = 'healthfund_request' and who <> 'super_admin'
      and not (who = 'company_admin' and company = actor_company()) then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  for chain in select company where company is not null
    union all select wall.chain_of(null) where company is null
    union all select id from companies where company is null
  loop
    found := wall.check_chain(chain);
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

-- One chain: what each seal says against the entry as it is, then what has no seal.
create function wall.check_chain(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog as $$
declare
  done audit_check;
  sealed_to bigint := (select s.sealed from wall.audit_sweep s);
  theirs text := case when chain = wall.chain_of(null) then 'l.company_id is null'
    else format('l.company_id = %L', chain) end;
begin
  execute format($check$
    select count(*), count(*) filter (where l.id > %1$s), count(*) filter (where l.erased_at is not null)
      from audit_log l where %2$s$check$, sealed_to, theirs)
    into done.entries, done.waiting, done.erased;
  execute format($check$
    with link as (
      select s.number, s.audit_id, s.hash, l.id is null as gone,
          l.erased_at is null and wall.content(l) <> s.content as changed,
          lag(s.number, 1, 0::bigint) over w as before,
          wall.link(lag(s.hash, 1, ''::bytea) over w, s.content) as should
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
        where l.number <> l.before + 1 or l.gone or l.changed or l.hash is distinct from l.should
      union all
      select null::bigint, 'seal_missing' from audit_heads h
        where h.company_id = %3$L and not exists (select from audit_seals s
          where s.company_id = h.company_id and s.number = h.number and s.hash = h.hash)
      union all
      select l.id, 'entry_inserted' from audit_log l
        where %2$s and l.id <= %1$s and not exists (select from audit_seals s
          where s.company_id = %3$L and s.audit_id = l.id)) f
      order by f.audit_id nulls last limit 1$check$, sealed_to, theirs, chain)
    into done.fault, done.audit_id;
  done.company_id := nullif(chain, wall.chain_of(null));
  return done;
end $$;

-- Where somebody's right to be forgotten is granted: what the entries say of these people goes.
create function wall.erase_audit(people uuid[]) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare erased integer;
begin
  update audit_log set before = null, after = null, address = null, erased_at = now()
    where table_name = 'profiles' and row_id = any (people::text[]) and erased_at is null;
  get diagnostics erased = row_count;
  return erased;
end $$;

revoke execute on function audit_span(timestamptz, timestamptz),
  wall.first_audit_since(bigint, bigint, timestamptz), wall.chain_of(uuid), wall.content(audit_log),
  wall.oldest_act(bigint), seal_audit(integer), wall.seal_entries(bigint, bigint), verify_audit(uuid),
  wall.check_chain(uuid), wall.erase_audit(uuid[]) from public;
grant execute on function audit_span(timestamptz, timestamptz), verify_audit(uuid) to healthfund_request;
