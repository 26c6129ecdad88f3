-- A person's needs, read from the facts, oldest first, each with who waits, since when and until
-- when. One query feeds the page, the badge, the bell and the morning's mail, so they can't
-- disagree. At most a hundred of a kind are read. Needs of one feature are in its own folder; here
-- are those that several share, and all of them together.

-- People who are to be let in, covered or erased.
create or replace function private.people_needs(p profiles, rights text[])
returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select case a.role when 'employee' then 'join_requested' else 'admin_requested' end, 1,
      null::bigint, a.id, a.id, null::integer, null::bigint, a.requested_at,
      null::timestamptz, '/dashboard/employees'
    from (select * from profiles x where x.company_id = p.company_id
      and x.account_state = 'requested'
      order by x.requested_at limit 100) a
    where person_refusal('approve', a::profiles, p.id) is null
      and case a.role when 'employee' then 'people' else 'owner' end = any (rights)
  union all
  select 'dependent_waits', 1, null, d.person_id, d.id, null, null, d.added_at, null,
      '/dashboard/employees'
    from (select * from dependents x where x.company_id = p.company_id and x.status = 'requested'
      order by x.added_at, x.id limit 100) d
    where 'people' = any (rights) and dependent_refusal('approve', d::dependents, p.id) is null
  union all
  select 'erasure_waits', 1, null, e.person_id, e.id, null, null, e.requested_at,
      e.requested_at + interval '1 month', '/dashboard/erasures'
    from (select * from erasures x where x.of_company = p.company_id and x.status = 'requested'
      order by x.requested_at limit 100) e
    where 'people' = any (rights) and erasure_refusal('refuse', e::erasures, p.id) is null
$$;

-- Conditions that keep the company from working at all.
create or replace function private.company_needs(p profiles, rights text[])
returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'company_inactive', 1, null::bigint, null::uuid, null::uuid, null::integer, null::bigint,
      o.created_at, null::timestamptz, '/dashboard/company-admin'
    from companies o where o.id = p.company_id and o.status = 'pending'
      and 'owner' = any (rights)
  union all
  select 'people_missing', 1, null, null, null, null, null, o.created_at, null,
      '/dashboard/employees'
    from companies o left join headcounts h on h.company_id = o.id
    where o.id = p.company_id and 'people' = any (rights)
      and coalesce(h.pending + h.active + h.suspended + h.leavers, 0) = 0
  union all
  select 'group_empty', 1, null, null, null, null, null, null, null,
      '/dashboard/employees/groups'
    from employee_groups g where g.company_id = p.company_id and 'people' = any (rights)
      and private.empty_departments(p.company_id, g.departments) <> '{}'
  union all
  select 'import_waits', 1, null, null, i.id, null, null, i.requested_at, null,
      '/dashboard/employees/file'
    from imports i where i.company_id = p.company_id and i.status = 'waiting'
      and 'people' = any (rights) and import_refusal('approve', i, p.id) is null
$$;

-- The provider's own.
create or replace function private.provider_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  (select 'company_founded', 1, null::bigint, o.id, o.id, null::integer, null::bigint, o.created_at,
      null::timestamptz, '/dashboard/companies/' || o.id
    from companies o where o.status = 'pending' order by o.created_at limit 100)
  union all
  (select case a.role when 'super_admin' then 'super_requested' else 'admin_requested' end, 1,
      null, a.id, a.id, null, null, a.requested_at, null, '/dashboard/users?status=pending'
    from profiles a where a.account_state = 'requested' and a.role <> 'employee'
    order by a.requested_at limit 100)
  union all
  (select 'inquiry', 1, null, l.id, l.id, null, null, l.received_at, null,
      '/dashboard/inquiries?state=open'
    from inquiries l where l.answered_at is null and not l.suspect order by l.received_at limit 100)
  union all
  (select 'erasure_waits', 1, null, e.person_id, e.id, null, null,
      coalesce(e.hr_at, e.requested_at), e.requested_at + interval '1 month', '/dashboard/erasures'
    from erasures e
    where e.status = 'with_provider' and erasure_refusal('refuse', e, p.id) is null
    order by e.requested_at limit 100)
$$;

-- Needs of a person. If all of `notices` are about claims, only claims are looked at, and at most
-- `most` of them.
create or replace function private.needs_of(person uuid, notices notifications[] default null,
  most integer default 100)
returns setof private.need
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  rights text[];
begin
  select * into p from profiles where id = person and status = 'active';
  if p.role = 'super_admin' then return query select * from private.provider_needs(p);
  elsif p.has_rights then
    rights := string_to_array(private.rights_of(p.company_id, p.id), ',');
    if 'reviewer' = any (rights) then
      return query select * from private.claim_needs(p, most);
    end if;
    if 'claim' = all (select left(t.code, 5) from unnest(notices) t) and notices is not null then
      return;
    end if;
    if 'finance' = any (rights) then return query select * from private.pay_needs(p)
      union all select * from private.fund_needs(p); end if;
    if 'owner' = any (rights) then return query select * from private.policy_needs(p)
      union all select * from private.right_needs(p); end if;
    return query select * from private.people_needs(p, rights)
      union all select * from private.company_needs(p, rights);
  end if;
  if private.has_benefits(p.role, p.has_own) then
    return query select * from private.own_needs(p);
  end if;
  return query select 'data_ready', 1, null::bigint, null::uuid, x.id, null::integer,
      null::bigint, x.made_at, x.expires_at, '/dashboard/settings#data'
    from data_exports x where x.person_id = person and x.status = 'ready' and x.downloads = 0
      and x.expires_at > now();
end $$;

-- Needs as lines: a few of a kind are a line each, many are one line that leads to their list.
create or replace function private.need_lines(person uuid) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with numbered as (
    select n.*, row_number() over w as at, count(*) over k as together, sum(n.items) over k as all,
        sum(n.cents) over k as sum, min(n.due_at) over k as first_due
      from private.needs_of(person) n
      window k as (partition by n.kind), w as (partition by n.kind order by n.since, n.number))
  select n.kind, case when together > 3 then n.all::integer else n.items end,
      case when together <= 3 then n.number end, case when together <= 3 then n.about_id end,
      case when together <= 3 then n.subject_id end, case when together <= 3 then n.version end,
      case when together > 3 then n.sum::bigint else n.cents end, n.since,
      case when together > 3 then n.first_due else n.due_at end,
      case when together <= 3 then n.path end
    from numbered n where together <= 3 or n.at = 1
    order by n.since nulls last, n.kind, n.number
$$;

-- The asker's needs, with the names of people who wait, which no mail has.
create or replace function needs_you() returns table (kind text, items integer, number bigint,
  subject_id uuid, version integer, cents bigint, since timestamptz, due_at timestamptz,
  overdue boolean, path text, who text, rights json, given_by text[])
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select n.kind, n.items, n.number, n.subject_id, n.version, n.cents, n.since, n.due_at,
      coalesce(n.due_at < now(), false), n.path,
      -- Names are looked up one by one, as a join would read all people.
      coalesce((select case when actor_role() <> 'super_admin' or p.requested_at is null
            then p.full_name else concat_ws(', ', p.full_name, p.email, 'of '
              || (select o.name from companies o where o.id = p.company_id)) end
          from profiles p where p.id = n.about_id),
        (select o.name from companies o where o.id = n.about_id),
        (select l.company from inquiries l where l.id = n.about_id)), w.rights, w.given_by
    from private.need_lines(actor_id()) n
      left join lateral (
        select json_agg(json_build_object('id', r.id, 'kind', r.kind)) as rights,
            array_agg(distinct g.full_name) as given_by
          from private.rights_to_confirm(actor_company(), actor_id()) r
            left join profiles g on g.id = r.given_by
          where n.kind = 'right_waits' and r.person_id = n.subject_id) w on true
    where actor_role() <> 'waiting';
end;
grant execute on function needs_you to healthfund_request;
