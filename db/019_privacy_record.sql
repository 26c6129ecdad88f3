-- Erasure and the record of changes: values go, the entry and its place in the chain stay.

create table audit_erasures (
  company_id uuid not null,
  audit_id   bigint not null,
  content    bytea not null,
  at         timestamptz not null default now(),
  primary key (company_id, audit_id)
);
comment on table audit_erasures is 'Entries of the record whose values were erased, each with a hash of what it says since then. Being audited itself, each row is an entry of the same chain.';
alter table audit_erasures enable row level security;
create trigger audit after insert or update or delete on audit_erasures
  for each row execute function audited();

-- The entries of these numbers say no more who or what it was about.
create function wall.erase_entries(ids bigint[]) returns integer
language plpgsql set search_path = public, pg_catalog as $$
declare erased integer;
begin
  with gone as (
    update audit_log l set before = null, after = null, address = null, erased_at = now()
      where l.id = any (ids) and l.erased_at is null returning l as entry)
  insert into audit_erasures (company_id, audit_id, content)
    select wall.chain_of((g.entry).company_id), (g.entry).id, wall.content(g.entry) from gone g;
  get diagnostics erased = row_count;
  return erased;
end $$;

-- As 017 has it for profiles, now for the family, too, and hashed anew.
create or replace function wall.erase_audit(people uuid[]) returns integer
language sql set search_path = public, pg_catalog
begin atomic
  select wall.erase_entries(array(
    select l.id from audit_log l where l.erased_at is null
      and (l.table_name = 'profiles' and l.row_id = any (people::text[])
        or l.table_name = 'dependents' and l.row_id in
          (select d.id::text from dependents d where d.person_id = any (people)))));
end;

create function wall.forget_in_audit(company uuid, pattern text) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform wall.erase_entries(array(select l.id from audit_log l
    where (l.company_id = company or l.company_id is null) and l.erased_at is null
      and concat_ws(' ', l.before::text, l.after::text) ~* pattern));
end $$;

-- One chain, as 017 checks it; and what was erased says nothing else since.
alter function wall.check_chain(uuid) rename to check_seals;
create function wall.check_chain(chain uuid) returns audit_check
language plpgsql stable set search_path = public, pg_catalog as $$
declare
  done audit_check := wall.check_seals(chain);
  wrong bigint;
begin
  select min(l.id) into wrong from audit_log l
    left join audit_erasures e on e.company_id = chain and e.audit_id = l.id
    where l.company_id is not distinct from nullif(chain, wall.chain_of(null)) and l.erased_at is not null
      and (e.content is distinct from wall.content(l));
  if wrong is not null and (done.fault is null or wrong < done.audit_id) then
    done.fault := 'entry_changed';
    done.audit_id := wrong;
    done.company_id := nullif(chain, wall.chain_of(null));
  end if;
  return done;
end $$;
create index audit_erased on audit_log (company_id, id) where erased_at is not null;
revoke execute on function wall.erase_entries(bigint[]), wall.erase_audit(uuid[]),
  wall.forget_in_audit(uuid, text), wall.check_chain(uuid) from public;
