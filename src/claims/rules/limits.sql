-- Limits of the policy: who writes them, and which claims they count.

create policy your_companys on claim_limits for select using (
  company_id = (select actor_company()) and (select actor_has('owner', 'auditor')));
grant select on claim_limits to healthfund_request;
create or replace trigger audit after insert or update or delete on claim_limits
  for each row execute function audited('version', 'since');

-- Saves a new limit, or one that was read as `expected_version`. Its category is that of its type.
create or replace function save_limit(input jsonb, expected_version integer) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare n claim_limits := jsonb_populate_record(null::claim_limits, input);
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  n.company_id := actor_company();
  if expected_version is not null then perform private.lock_limit(n.id, expected_version); end if;
  if n.type_id is not null then
    select t.category into n.category from claim_types t
      where t.company_id = n.company_id and t.id = n.type_id;
    if not found then perform private.refuse('not_found'); end if;
  end if;
  perform from employee_groups g where g.company_id = n.company_id and g.id = n.group_id
    for key share;
  if n.group_id is not null and not found then perform private.refuse('not_found'); end if;
  if n.kind = 'per_dependent' then n.category := coalesce(n.category, 'solidarity'); end if;
  if n.kind not in ('per_year', 'per_dependent') then n.cents := null; end if;
  if n.kind <> 'frequency' then n.claims := null; end if;
  if n.kind not in ('frequency', 'waiting') then n.months := null; end if;
  insert into claim_limits as l (company_id, id, kind, category, type_id, group_id, cents, claims,
      months)
    values (n.company_id, case when expected_version is null then gen_random_uuid() else n.id end,
      n.kind,
      n.category, n.type_id, n.group_id, n.cents, n.claims, n.months)
    on conflict (company_id, id) do update set kind = excluded.kind, category = excluded.category,
      type_id = excluded.type_id, group_id = excluded.group_id, cents = excluded.cents,
      claims = excluded.claims, months = excluded.months, version = l.version + 1, since = now()
    returning l.id into n.id;
  return n.id;
end $$;

create or replace function private.lock_limit(target uuid, expected_version integer) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare version integer;
begin
  select l.version into version from claim_limits l
    where l.company_id = actor_company() and l.id = target for update;
  if not found then perform private.refuse('not_found'); end if;
  if version <> expected_version then perform private.refuse('changed_meanwhile'); end if;
end $$;

create or replace function remove_limit(target uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  delete from claim_limits l where l.company_id = actor_company() and l.id = target;
  if not found then perform private.refuse('not_found'); end if;
end $$;

-- A person's claims that a limit counts: pending ones by the amount claimed, approved ones by the
-- amount approved. A limit for each of the family counts a claim with each entry of the one it was
-- for: whose cover ended and who was added again is nobody else.
create or replace function private.claims_of_limit(l claim_limits, person uuid) returns table (
  bill bigint, dependent_id uuid, plan_year date, service_on date, cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select coalesce(c.appeal_of, c.id), coalesce(d.id, c.dependent_id), c.plan_year, c.service_on,
      coalesce(c.approved_cents, c.amount_cents)
    from claims c
    left join lateral (select x.id from dependents o
      join dependents x on x.company_id = o.company_id and x.person_id = o.person_id
        and x.born_on = o.born_on and without_accents(x.full_name) = without_accents(o.full_name)
      where l.kind <> 'per_year' and o.company_id = c.company_id and o.id = c.dependent_id) d
      on true
    where c.company_id = l.company_id and c.person_id = person
      and private.still_counts(c.status, c.payment)
      and (l.category is null or c.category = l.category)
      and (l.type_id is null or c.type_id = l.type_id)
$$;

-- The limits of a person, each with the claims that it may count. The rules say which of them a
-- claim is under and how much is left (limits.ts). `but` is a bill that is looked at again: a
-- frequency does not count it twice. `as_of` leaves out newer limits.
create or replace function private.limits_of(company uuid, person uuid, but bigint default null,
  as_of timestamptz default 'infinity') returns json
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if not exists (select from claim_limits l where l.company_id = company) then
    return '[]';
  end if;
  return (select coalesce(json_agg(json_build_object('id', l.id, 'kind', l.kind, 'name', t.name,
        'category', l.category, 'type_id', l.type_id, 'cents', l.cents, 'claims', l.claims,
        'months', l.months, 'counted', c.counted) order by l.since, l.id), '[]')
    from claim_limits l
    left join claim_types t on t.company_id = l.company_id and t.id = l.type_id
    cross join lateral (select coalesce(json_agg(x), '[]') as counted
      from private.claims_of_limit(l, person) x where l.kind <> 'waiting'
        and (l.kind <> 'frequency' or x.bill is distinct from but)
        and x.service_on > private.today_at(company)
          - make_interval(months => coalesce(l.months, 12) + 24)) c
    where l.company_id = company and l.since <= as_of
      and (l.group_id is null or private.is_in_group(company, person, l.group_id)));
end $$;

-- The refusal that an appeal would meet by the limits of the claim's day: it asks for money again.
create or replace function appeal_limits(claim bigint) returns json
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  c claims;
  n claims;
begin
  perform private.require_role('employee'), private.lock_claimant(actor_id());
  select * into c from claims x where x.company_id = actor_company() and x.id = claim
    and x.person_id = actor_id();
  if not found then perform private.refuse('not_found'); end if;
  if not exists (select from claim_limits l where l.company_id = c.company_id) then
    return null;
  end if;
  n := c;
  n.id := null;
  n.amount_cents := c.amount_cents - coalesce(c.approved_cents, 0);
  return json_build_object('facts', private.claim_facts(n, '{}')::jsonb || jsonb_build_object(
      'limits', private.limits_of(c.company_id, c.person_id, coalesce(c.appeal_of, c.id),
        c.submitted_at)),
    'draft', n);
end $$;

-- The limits that the claim form shows to the person who fills it in.
create or replace function my_limits() returns json
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('employee');
  return private.limits_of(actor_company(), actor_id());
end $$;

-- Whether the company has limits, without counting claims, for pages that read limits only then.
create or replace function has_limits() returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  select actor_role() = 'employee' and exists (select from profiles p
    join claim_limits l on l.company_id = p.company_id
    where p.id = actor_id()
      and (l.group_id is null or private.is_in_group(p.company_id, p.id, l.group_id)))
$$;

grant execute on function save_limit, remove_limit, appeal_limits, my_limits, has_limits to
  healthfund_request;
