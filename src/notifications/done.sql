-- Notifications of something that is done meanwhile.

-- Whether the work of a notice still waits for its person. With more than a hundred needs not all
-- were read.
create or replace function private.still_needs(notice notifications, needs private.need[])
returns boolean language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select case
      -- A notice to an owner who may not review: none of their needs is about it.
      when notice.code = 'claims_twice_overdue' then exists (select from profiles p
          join claims c on c.company_id = p.company_id and c.overdue and c.reminded = 2
            and (notice.facts ->> 'claims' <> '1' or c.id = n_of)
        where p.id = notice.person_id)
      when not private.is_work(notice.code) then true
      when notice.code = 'claims_half_way' then coalesce(bool_or(n.kind like 'claim%'), false)
      when notice.code = 'claims_overdue' then
        coalesce(bool_or(n.kind like 'claim%' and n.due_at < now()), false)
      -- A claim that was answered may wait as one that needs another approval.
      when notice.code like 'claim%' and n_of is not null then coalesce(bool_or(n.kind like 'claim%'
        and n.number = n_of), false) or count(*) filter (where n.kind like 'claim%') >= 100
      else coalesce(bool_or(n.kind = notice.code and (n_of is null or n.number = n_of)
          and (notice.about_id is null or n.about_id is null or notice.about_id = n.about_id
            or notice.code = 'company_founded' and exists (select from profiles f
              where f.id = notice.about_id and f.company_id = n.about_id))), false)
        or count(*) filter (where n.kind = notice.code) >= 100 end
    from (select coalesce(notice.facts ->> 'number', notice.facts ->> 'claim')::bigint as n_of) o
      left join unnest(needs) n on true group by o.n_of
$$;

-- Unread notices of work that somebody else has done, or withdrawn. The first few needs usually
-- show that all still wait; if not, all needs are read.
create or replace function done_notices() returns bigint[]
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me uuid := actor_id();
  notices notifications[] := array(select n from notifications n
    where n.person_id = me and n.read_at is null
      and (private.is_work(n.code) or n.code = 'claims_twice_overdue')
    order by n.id desc limit 200);
  needs private.need[];
  most integer;
  done bigint[] := '{}';
begin
  if cardinality(notices) = 0 then return done; end if;
  foreach most in array array[5, 100] loop
    needs := array(select n from private.needs_of(me, notices, most) n);
    done := array(select t.id from unnest(notices) t where not private.still_needs(t, needs));
    exit when done = '{}';
  end loop;
  return done;
end $$;

grant execute on function done_notices to healthfund_request;
