-- How much goes with a person, for whoever decides on their erasure before it is done.

-- Counts by kind; no kind is empty.
create or replace function private.count_items_to_erase(person uuid)
returns table (kind text, items bigint)
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  theirs text[] := private.addresses_of(person);
  company uuid := (select p.company_id from profiles p where p.id = person);
begin
  return query select w.kind, w.items from (values
    (1, 'record', (select count(*) from private.entries_about(person) e (id)
      join audit_log l on l.id = e.id where num_nonnulls(l.before, l.after, l.address) > 0)),
    (2, 'own_acts', (select count(*) from audit_log l where l.actor_id = person
      and l.address <> '')),
    (3, 'family', (select count(*) from dependents d where d.company_id = company
      and d.person_id = person)),
    (4, 'claims', (select count(*) from claims c where c.company_id = company
      and c.person_id = person)),
    (5, 'receipts', (select count(*) from receipts r where r.company_id = company
      and r.person_id = person)),
    (6, 'bookings', (select count(*) from check_bookings b
      where b.company_id = company and b.person_id = person)),
    (7, 'notifications', (select count(*) from notifications n where n.person_id = person)),
    (8, 'mails', (select count(*) from mails m where m.person_id = person or m.recipient
      = any (theirs))),
    (9, 'file_rows', (select count(*) from import_rows r
      where r.company_id = company and (r.person_id = person or lower(r.email) = any (theirs)))),
    (10, 'inquiries', (select count(*) from inquiries l where lower(l.email) = any (theirs)))
  ) w (place, kind, items) where w.items > 0 order by w.place;
end $$;

create or replace function items_to_erase(person uuid) returns table (kind text, items bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from erasures e where e.person_id = person
      and (actor_has('people') and e.of_company = actor_company()
        or actor_role() = 'super_admin' and e.status <> 'requested')) then
    return query select * from private.count_items_to_erase(person);
  end if;
end $$;

-- A person has a few hundred rows here; more than five thousand are to be checked before they are
-- erased. (Takes the counts, as counting reads all mails.)
create or replace function too_wide_refusal(going json) returns text
language sql immutable
return (select case when sum(g.items) > 5000 then 'erasure_too_wide' end
  from json_to_recordset(going) g (kind text, items bigint)
  where g.kind in ('record', 'mails', 'file_rows', 'inquiries'));

grant execute on function items_to_erase, too_wide_refusal to healthfund_request;
