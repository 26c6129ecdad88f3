-- Gaps: steps of the policy in force that lack people. A claim is not approved by that: the step's
-- deputy is asked instead, or else any reviewer who has not approved it.

-- The highest number of approvals that a claim may need by these steps.
create or replace function private.most_approvals(steps approval_step[]) returns bigint
language sql stable
return (select coalesce(max(n.needed), 1) from (
  select sum(private.approvals_in(steps[i])) as needed
    from private.categories() k
      join generate_subscripts(steps, 1) i on (steps[i]).categories = '{}'
        or k.category = any ((steps[i]).categories)
    group by k.category) n);

-- People who are away today without a deputy who may do their work.
create or replace function private.away_without_deputy(company uuid, people uuid[]) returns uuid[]
language sql stable
return array(select a.person_id from absences a
  where a.company_id = company and a.person_id = any (people)
    and private.today_at(company) between a.from_on and a.to_on
    and private.stand_in('reviewer', company, a.person_id) is null);

-- The steps that lack people; with `gone`, those that would without that reviewer. `missing` are
-- named and can't decide, `instead` is the deputy who is asked for them. The gap `away`: they can
-- decide, but are away, and nobody stands in for them.
create or replace function private.step_gaps(company uuid, gone uuid default null)
returns table (number integer, gap text, missing uuid[], instead uuid)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with reviewer as materialized (select h.id from private.holders(company, 'reviewer') h (id)
      where h.id is distinct from gone),
  step as (select i as number, l.steps[i] as s,
      named_in_step(company, (l.steps[i]).who, (l.steps[i]).person_ids) as people
    from private.policy_in_force(company) l
      cross join lateral generate_subscripts(l.steps, 1) i),
  lack as (
    select t.number, t.s, t.people,
        (t.s).deputy_id = any (array(select r.id from reviewer r)) as deputy_can,
        array(select x.id from unnest(t.people) x (id)
          where x.id not in (select r.id from reviewer r)) as missing,
        case when (t.s).who = 'manager' then array(select distinct m.manager_id from profiles m
          where m.company_id = company and m.manager_id is not null and not m.has_left
            and m.manager_id not in (select r.id from reviewer r)
            and (gone is null or m.manager_id = gone)) end as managers,
        case when gone is null then private.away_without_deputy(company, case (t.s).who
          when 'manager' then array(select distinct m.manager_id from profiles m
            where m.company_id = company and m.manager_id is not null and not m.has_left)
          else t.people end) end as away
      from step t)
  select l.number, g.gap, g.missing, case when g.gap <> 'deputy' and l.deputy_can
      then (l.s).deputy_id end
    from lack l
      cross join lateral (values
        (case when cardinality(l.missing) = cardinality(l.people)
            then case (l.s).who when 'owners' then 'owners' else 'named' end
          when (l.s).together then 'together' end, l.missing),
        ('manager', l.managers),
        (case when not l.deputy_can then 'deputy' end, array[(l.s).deputy_id]),
        (case when ((l.s).together or (l.s).who = 'manager'
            or cardinality(l.away || l.missing) = cardinality(l.people))
          and private.stand_in('reviewer', company, (l.s).deputy_id) is null then 'away' end,
          l.away)) g (gap, missing)
    where g.gap is not null and g.missing <> '{}' and (gone is null or gone = any (g.missing))
    order by l.number
$$;

-- Departments and groups of the policy in force that nobody is in: their steps apply to no claim. A
-- department is a name, so a renamed one is another.
create or replace function private.empty_scopes(company uuid)
returns table (number integer, gap text, names text[])
language sql stable
begin atomic
  with step as (select i as number, l.steps[i] as s
    from private.policy_in_force(company) l
      cross join lateral generate_subscripts(l.steps, 1) i),
  scope as (
    select t.number, 'department' as gap,
        private.empty_departments(company, (t.s).departments) as names from step t
    union all
    select t.number, 'group', array(select g.name from employee_groups g
        where g.company_id = company and g.id = any ((t.s).group_ids)
          and private.is_empty_group(g) order by g.name) from step t)
  select c.number, c.gap, c.names from scope c where c.names <> '{}';
end;

-- How many reviewers there are, without this one, and how many the policy in force needs.
create or replace function private.reviewers_left(company uuid, gone uuid default null,
  out needed bigint, out reviewers bigint)
language sql stable
begin atomic
  select private.most_approvals((select p.steps from private.policy_in_force(company) p)),
    (select count(*) from private.holders(company, 'reviewer') h (id)
      where h.id is distinct from gone);
end;

-- Why a reviewer doesn't go unless an owner was warned and goes on: steps would lack people.
create or replace function private.policy_gap_refusal(company uuid, reviewer uuid) returns text
language sql stable
return case when reviewer in (select h.id from private.holders(company, 'reviewer') h (id))
    and (exists (select from private.step_gaps(company, reviewer))
      or exists (select from private.reviewers_left(company, reviewer) r
        where r.reviewers < r.needed))
  then 'policy_needs_them' end;

-- Owners ask for the gaps of the policy as it is, or as it would be without a reviewer.
create or replace function policy_gaps(without uuid default null) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select json_build_object('needed', r.needed, 'reviewers', r.reviewers,
      'not_yet', (select count(distinct h.person_id) from rights_now h
          join rights_lately l on l.person_id = h.person_id and l.kind in ('reviewer', 'owner')
        where h.company_id = actor_company() and h.kind = 'reviewer'
          and h.person_id is distinct from without
          and l.given_by in (select private.holders(actor_company(), 'reviewer'))),
      'next_second_person', next_second_person('reviewer', actor_company(), without),
      'steps', (select coalesce(json_agg(json_build_object('number', g.number, 'gap', g.gap,
          'names', g.names, 'instead', g.instead) order by g.number), '[]')
        from (select p.number, p.gap, array(select f.full_name from profiles f
              where f.company_id = actor_company() and f.id = any (p.missing)
              order by f.sort_name limit 20) as names,
            (select f.full_name from profiles f
              where f.company_id = actor_company() and f.id = p.instead) as instead
            from private.step_gaps(actor_company(), without) p
          union all
          select e.number, e.gap, e.names, null from private.empty_scopes(actor_company()) e
            where without is null) g),
      'refusals', json_build_object('end',
        private.policy_gap_refusal(actor_company(), without)))
    from private.reviewers_left(actor_company(), without) r
    where actor_has('owner');
end;

-- Gaps of a policy that an owner is to fix. An untouched default policy is not reported before a
-- claim waits for it.
create or replace function private.policy_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'step_unfilled', 1, null::bigint, g.missing[1], null::uuid, null::integer, null::bigint,
      null::timestamptz, null::timestamptz, '/dashboard/claims/policy'
    from private.step_gaps(p.company_id) g where g.gap not in ('manager', 'away')
  union all
  select 'step_away', 1, null, g.missing[1], null, null, null, null, null,
      '/dashboard/claims/policy'
    from private.step_gaps(p.company_id) g where g.gap = 'away'
  union all
  select 'step_empty', 1, null, null, null, null, null, null, null, '/dashboard/claims/policy'
    from private.empty_scopes(p.company_id)
  union all
  select 'reviewers_missing', 1, null, null, null, null, null, null, null,
      '/dashboard/settings#rights'
    from private.reviewers_left(p.company_id) r
    where r.reviewers < r.needed
      and (exists (select from claim_policies c where c.company_id = p.company_id and c.version > 1)
        or exists (select from company_rights x where x.company_id = p.company_id
          and x.kind = 'reviewer' and x.ended_at is not null))
      -- nobody decides on their own
      or r.reviewers = 1 and exists (select from claims c
        where c.company_id = p.company_id and c.status = 'pending'
          and c.person_id in (select private.holders(p.company_id, 'reviewer')))
$$;

grant execute on function policy_gaps to healthfund_request;
