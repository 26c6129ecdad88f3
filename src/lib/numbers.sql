-- Numbers that people see are counted by each company: a sequence for what and whose it is,
-- made when the first of them is needed. Two at the same moment wait for each other once, and never
-- again.
create or replace function private.next_number(kind text, company uuid) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := kind || '_of_' || translate(company::text, '-', '');
  numbers regclass := to_regclass('private.' || name);
begin
  if numbers is null then
    perform pg_advisory_xact_lock(hashtextextended(name, 0));
    execute format('create sequence if not exists private.%I', name);
    numbers := to_regclass('private.' || name);
  end if;
  return nextval(numbers);
end $$;

create or replace function private.set_number() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  new.id := coalesce(new.id, private.next_number(tg_table_name, new.company_id));
  return new;
end $$;
