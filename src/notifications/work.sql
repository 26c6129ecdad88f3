-- Who is told of work: a line for each thing that comes to wait for somebody. `admins` are those of
-- the company, `supers` the provider's; who did it is not told, nor who has the same unread.
create or replace function private.work(what text, number bigint)
returns table (whose text, kind text, path text)
language sql immutable set search_path = pg_catalog, pg_temp
begin atomic
  select w.whose, w.kind, w.path from (values
    ('claim_submitted', 'admins', 'claims', '/dashboard/claims'),
    ('claim_answered', 'admins', 'claims', '/dashboard/claims/' || number),
    ('claim_appealed', 'admins', 'claims', '/dashboard/claims/' || number),
    ('claim_approved_first', 'admins', 'claims', '/dashboard/claims/' || number),
    ('pay_run_made', 'admins', 'claims', '/dashboard/claims/payouts?payout=' || number),
    ('join_requested', 'admins', 'account', '/dashboard/employees'),
    ('admin_requested', 'admins', 'account', '/dashboard/employees'),
    ('company_founded', 'supers', 'account', '/dashboard/companies?status=pending'),
    ('super_requested', 'supers', 'account', '/dashboard/users?status=pending')
  ) w (what, whose, kind, path) where w.what = work.what;
end;

create or replace function private.tell_of_work(what text, company uuid, number bigint default null,
  about uuid default null, name text default null) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  with told as (
    insert into notifications (person_id, about_id, kind, code, facts, path)
      select p.id, tell_of_work.about, w.kind, what,
          jsonb_strip_nulls(jsonb_build_object('number', number, 'company', name)), w.path
        from private.work(what, number) w
          join profiles p on p.status = 'active' and case w.whose
            when 'admins' then p.role = 'company_admin' and p.company_id = company
            else p.role = 'super_admin' end
        where p.id is distinct from (select actor_id()) and not exists (select from notifications n
          where n.person_id = p.id and n.read_at is null and n.code = what and n.path = w.path
            and n.about_id is not distinct from tell_of_work.about)
      returning person_id)
  select tell('person:' || person_id) from told
$$;
