-- The record's oldest entries are deleted when their time is over. The rest of a chain still proves
-- itself, from the cut on.

create or replace trigger audit after insert or update or delete on audit_cuts
  for each row execute function audited();
create or replace trigger audit after insert or update or delete on drops
  for each row execute function audited();

-- Deletes the oldest sealed entries of each chain up to the first that is still to be kept, at most
-- `most` of each.
create or replace function private.delete_old_entries(until timestamptz, most integer)
returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  chain uuid;
  last audit_seals;
  dropped bigint := 0;
begin
  for chain in select h.company_id from audit_heads h loop
    select s.* into last from (
        select s.number, s.audit_id, bool_and(coalesce(l.at < until,
          false)) over (order by s.number) as is_over
          from (select x.* from audit_seals x where x.company_id = chain order by x.number
            limit most) s
          left join audit_log l on l.id = s.audit_id) o
      join audit_seals s on s.company_id = chain and s.number = o.number
      where o.is_over order by o.number desc limit 1;
    continue when not found;
    with gone as (delete from audit_seals s where s.company_id = chain and s.number <= last.number
        returning s.audit_id),
    forgotten as (delete from audit_erasures e using gone g where e.company_id = chain
        and e.audit_id = g.audit_id),
    entries as (delete from audit_log l using gone g where l.id = g.audit_id returning 1)
    select dropped + count(*) into dropped from entries;
    insert into audit_cuts (company_id, number, hash) values (chain, last.number, last.hash);
  end loop;
  return dropped;
end $$;

-- The start of a chain, as the newest entry about a cut of it says.
create or replace function private.chain_start(chain uuid, out number bigint, out hash bytea)
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  execute format($cut$
    select (l.after ->> 'number')::bigint, (l.after ->> 'hash')::bytea from audit_log l
      where %s and l.table_name = 'audit_cuts' and l.act = 'insert' order by l.id desc limit 1$cut$,
    private.entries_of_chain(chain)) into number, hash;
  number := coalesce(number, 0);
  hash := coalesce(hash, '');
end $$;
