-- Lists at size: what a page is looked for by is in the index itself, so that going past those who do not fit
-- reads no row of theirs.

-- Common words are looked for along the list's own order.
drop index people_by_name;
create index people_by_name on profiles (company_id, sort_name, id)
  include (sought, role, standing, department);

-- The queue's runs are merged by their keys; only the claims of the page are read. (`person_id` and `overdue` are
-- asked of each: by the wall, and by words.)
drop index claims_in_queue;
create index claims_in_queue on claims (company_id, status, category, id) include (person_id, overdue);
drop index claims_by_amount;
create index claims_by_amount on claims (company_id, status, category, amount_cents, id)
  include (person_id, overdue);

-- Whom a file brought in and who has no letter yet, a few at a time. They are marked when their letters are on
-- their way: whoever is killed in between writes to a few of them twice, and leaves nobody without.
drop function wall.next_to_invite(uuid, uuid, integer);
create function wall.next_to_invite(company uuid, import uuid, size integer)
returns table (person_id uuid, line integer)
language sql stable set search_path = public, pg_catalog
begin atomic
  select p.id, r.line from imports i
    join import_rows r on r.company_id = i.company_id and r.import_id = i.id and r.line > i.invited_line
      and r.finding = 'taken'
    join profiles p on p.id = r.person_id and p.confirmed_at is null
    where i.company_id = next_to_invite.company and i.id = import and i.status = 'done'
    order by r.line limit size;
end;

create function wall.invited(company uuid, import uuid, people uuid[], up_to integer) returns void
language sql set search_path = public, pg_catalog
begin atomic
  update profiles set invited_at = now() where id = any (people);
  update imports set invited_line = greatest(invited_line, coalesce(up_to, 2147483647)), touched_at = now()
    where company_id = invited.company and id = import and status = 'done';
end;
revoke execute on function wall.next_to_invite(uuid, uuid, integer),
  wall.invited(uuid, uuid, uuid[], integer) from public;
