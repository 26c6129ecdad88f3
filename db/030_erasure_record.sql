-- Erasure and the record of changes: each erasure of an entry is an entry itself, for a request that was granted.

-- Which entries are about a person or their family, at any size of the record.
create index audit_about on audit_log (row_id) where table_name in ('profiles', 'dependents');

alter table audit_erasures drop constraint audit_erasures_pkey;
alter table audit_erasures add column id bigint generated always as identity, add column erasure_id uuid,
  add primary key (company_id, id);
comment on table audit_erasures is 'Entries of the record from which something was erased, for which request, with a hash of what each says since. Its rows are entries of the same chain, and those are believed.';

-- From these entries goes what they said, or, where they are somebody's own acts, only from where they were done.
create function wall.erase_entries(ids bigint[], erasure uuid, whole boolean) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare erased integer;
begin
  with gone as (
    update audit_log l set before = case when not whole then l.before end,
        after = case when not whole then l.after end, address = null, erased_at = now()
      where l.id = any (ids) and (l.address <> '' or whole and num_nonnulls(l.before, l.after) > 0)
      returning l as entry)
  insert into audit_erasures (company_id, audit_id, content, erasure_id)
    select wall.chain_of((g.entry).company_id), (g.entry).id, wall.content(g.entry), erasure from gone g;
  get diagnostics erased = row_count;
  return erased;
end $$;

-- The entries that say something of a person: of their profile, and of their family.
create function wall.entries_about(person uuid) returns setof bigint
language sql stable set search_path = public, pg_catalog, pg_temp
begin atomic
  select l.id from audit_log l
    where l.table_name in ('profiles', 'dependents') and num_nonnulls(l.before, l.after, l.address) > 0
      and l.row_id in (select person::text union all
        select d.id::text from dependents d where d.person_id = person);
end;

-- One chain, as 017 checks it; the platform's has the entries of no company, however that was written.
create or replace function wall.check_seals(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  done audit_check;
  sealed_to bigint := (select s.sealed from wall.audit_sweep s);
  theirs text := wall.entries_of_chain(chain);
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

create function wall.entries_of_chain(chain uuid) returns text
language sql immutable set search_path = pg_catalog, pg_temp
return case when chain = wall.chain_of(null)
  then format('(l.company_id is null or l.company_id = %L)', chain) else format('l.company_id = %L', chain) end;

-- And what was erased says since what a sealed entry of the same chain tells, for a request that was granted.
create or replace function wall.check_chain(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  done audit_check := wall.check_seals(chain);
  wrong record;
begin
  execute format($check$
    with told as (
      select distinct on ((l.after ->> 'audit_id')::bigint) (l.after ->> 'audit_id')::bigint as audit_id,
          l.after ->> 'content' as content,
          not l.after ? 'erasure_id' or exists (select from erasures e
            where e.id = (l.after ->> 'erasure_id')::uuid and e.status in ('under_way', 'done')) as asked
        from audit_log l where %s and l.table_name = 'audit_erasures' and l.act = 'insert'
        order by 1, l.id desc)
    select l.id, case when t.audit_id is null or t.content <> wall.content(l)::text then 'entry_changed'
        else 'erasure_unasked' end as fault
      from audit_log l left join told t on t.audit_id = l.id
      where %1$s and l.erased_at is not null
        and (t.audit_id is null or not t.asked or t.content <> wall.content(l)::text)
      order by l.id limit 1$check$, wall.entries_of_chain(chain)) into wrong;
  if wrong.id is not null and (done.fault is null or wrong.id < done.audit_id) then
    done.fault := wrong.fault;
    done.audit_id := wrong.id;
    done.company_id := nullif(chain, wall.chain_of(null));
  end if;
  return done;
end $$;

revoke execute on function wall.erase_entries(bigint[], uuid, boolean), wall.entries_about(uuid),
  wall.check_seals(uuid), wall.entries_of_chain(uuid), wall.check_chain(uuid) from public;
