-- The policy by which a company decides on claims, and what can be claimed.

create policy your_companys on claim_policies for select using (
  company_id = (select actor_company()) and (select actor_has('owner', 'reviewer', 'auditor')));
grant select on claim_policies to healthfund_request;
create or replace trigger audit after insert or update or delete on claim_policies
  for each row execute function audited();

create policy your_companys on claim_types for select using (company_id = (select actor_company()));
create policy its_admin_adds on claim_types for insert with check (
  company_id = (select actor_company()) and (select actor_has('owner')));
create policy its_admin_edits on claim_types for update using (
  company_id = (select actor_company()) and (select actor_has('owner')));
grant select, insert (company_id, category, name), update (name, active) on claim_types
  to healthfund_request;
create or replace trigger audit after insert or update or delete on claim_types
  for each row execute function audited();
create or replace trigger as_one_line before insert or update of name on claim_types
  for each row execute function private.keep_as_line('name');

-- The terms that a claimant is shown before claiming.
create or replace function my_claim_terms()
returns table (receipt_above_cents bigint, auto_approve_cents bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('employee');
  return query select p.receipt_above_cents, p.auto_approve_cents
    from private.policy_in_force(actor_company()) p;
end $$;

-- Whether a newer policy is in force than this version. A definer, as only those who work on
-- policies may read them.
create or replace function policy_is_superseded(company uuid, policy integer) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) then exists (select from claim_policies p
  where p.company_id = company and p.version > policy) end;

create or replace function private.add_first_policy(company uuid) returns void
language sql
begin atomic
  insert into claim_policies (company_id, version) values (company, 1);
  insert into claim_types (company_id, category, name)
    select company, t.category, t.name from (values
      ('prevention', 'Annual health check'), ('prevention', 'Vaccination'),
        ('prevention', 'Dental check'),
      ('prevention', 'Eye test'), ('prevention', 'Fitness'), ('prevention', 'Screening'),
      ('treatment', 'GP visit'), ('treatment', 'Specialist'), ('treatment', 'Hospital'),
      ('treatment', 'Medicine'), ('treatment', 'Physiotherapy'), ('treatment', 'Mental health'),
      ('treatment', 'Dental treatment'), ('treatment', 'Glasses and lenses'),
      ('solidarity', 'Family doctor'), ('solidarity', 'Child vaccination'),
        ('solidarity', 'Elder care'),
      ('solidarity', 'Medicine for family'), ('solidarity', 'Specialist for family')) t (category,
        name);
end;

create or replace function private.give_first_policy() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.add_first_policy(new.id);
  return null;
end $$;
create or replace trigger first_policy after insert on companies
  for each row execute function private.give_first_policy();

-- Why a company can't have these steps; null where it can. A claim must not need more approvals
-- than there are reviewers. A reviewer who leaves later changes nothing: claims then wait for
-- another. The number that the policy in force needs may stay, or nothing else of it could be
-- changed.
create or replace function private.steps_refusal(company uuid, steps approval_step[]) returns text
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with reviewer as (select * from private.holders(company, 'reviewer') r (id)),
  step as (select * from unnest(steps))
  select case
    when exists (select from step s, unnest(s.person_ids || s.deputy_id) p (id)
        where p.id is not null and p.id not in (select r.id from reviewer r)) then 'not_a_reviewer'
    when exists (select from step s, unnest(s.type_ids) t (id)
        where not exists (select from claim_types k where k.company_id = company and k.id = t.id))
      or exists (select from step s, unnest(s.group_ids) g (id)
        where not exists (select from employee_groups k
          where k.company_id = company and k.id = g.id))
      then 'not_found'
    when private.most_approvals(steps) > greatest((select count(*) from reviewer),
        (select private.most_approvals(p.steps) from private.policy_in_force(company) p))
      then 'steps_need_reviewers' end
$$;

create or replace function change_claim_policy(expected_version integer, terms jsonb, note text)
returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  n claim_policies := jsonb_populate_record(null::claim_policies, terms);
begin
  perform private.require_right('owner'),
    private.refuse(private.steps_refusal(company, n.steps));
  if expected_version is distinct from
      (select max(version) from claim_policies where company_id = company) then
    perform private.refuse('changed_meanwhile');
  end if;
  insert into claim_policies (company_id, version, auto_approve_cents, auto_approve_per_month,
      spot_check_percent, receipt_above_cents, steps, review_days, account_wait_days, by_id, note)
    values (company, expected_version + 1, n.auto_approve_cents, n.auto_approve_per_month,
      n.spot_check_percent,
      n.receipt_above_cents, n.steps, n.review_days, n.account_wait_days, actor_id(),
      change_claim_policy.note);
  perform publish('admins:' || company);
  return expected_version + 1;
exception when unique_violation then
  perform private.refuse('changed_meanwhile');
end $$;

-- Names of the people and types in a version's steps, also of those that have left since.
create or replace function private.names_in(p claim_policies) returns json
language sql stable
return (select coalesce(json_object_agg(n.id, n.name), '{}') from (
  select f.id, f.full_name as name from profiles f where f.company_id = p.company_id
    and f.id in (select i from unnest(p.steps) s, unnest(s.person_ids || s.deputy_id) i)
  union all
  select t.id, t.name from claim_types t where t.company_id = p.company_id
    and t.id in (select i from unnest(p.steps) s, unnest(s.type_ids) i)
  union all
  select g.id, g.name from employee_groups g where g.company_id = p.company_id
    and g.id in (select i from unnest(p.steps) s, unnest(s.group_ids) i)) n);

-- All versions, and who made them. A definer, as some of those have left.
create or replace function claim_policy_history() returns table (version integer,
  auto_approve_cents bigint, auto_approve_per_month smallint, spot_check_percent smallint,
  receipt_above_cents bigint, steps json, names json, review_days smallint,
  account_wait_days smallint, since timestamptz, by_name text, note text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select p.version, p.auto_approve_cents, p.auto_approve_per_month, p.spot_check_percent,
      p.receipt_above_cents, to_json(p.steps), private.names_in(p), p.review_days,
      p.account_wait_days, p.since, f.full_name, p.note
    from claim_policies p left join profiles f on f.id = p.by_id
    where p.company_id = actor_company() and actor_has('owner', 'reviewer', 'auditor')
    order by p.version desc limit 200;
end;

-- People that a step can name, and the departments of those who claim.
create or replace function step_choices() returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select json_build_object(
    'people', (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.full_name)
        order by f.sort_name, f.id), '[]')
      from profiles f where f.company_id = actor_company()
        and f.id in (select h.id from private.holders(actor_company(), 'reviewer') h (id))),
    'groups', (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name)
        order by lower(g.name)), '[]')
      from employee_groups g where g.company_id = actor_company()),
    'departments', (select coalesce(json_agg(d.department order by lower(d.department)), '[]')
      from departments d where d.company_id = actor_company() and d.people > 0
        and d.department <> ''))
    where actor_has('owner');
end;

-- Whether these terms let a claim through without a person, as it was when it was submitted.
-- Callers count how many pass in a month. rules.ts finds the same, and says why.
create or replace function private.terms_approve(receipt_agrees boolean, amount_cents bigint,
  draw smallint, auto_approve_cents bigint, spot_check_percent smallint) returns boolean
language sql immutable
return receipt_agrees and amount_cents <= auto_approve_cents and draw >= spot_check_percent;

-- The month in which a claim counts, in its company's calendar.
create or replace function private.month_of(at timestamptz, zone text) returns date
language sql immutable
return date_trunc('month', month_of.at at time zone month_of.zone)::date;

-- Whether a claim counts among those that the policy approved in a month.
create or replace function private.is_automatic_in(month date, zone text, automatic boolean,
  submitted_at timestamptz) returns boolean
language sql immutable
return automatic and private.month_of(submitted_at, zone) = month;

-- The claims of the last twelve months (the newest hundred thousand) under these terms, each with
-- its own draw and what was read. `would`: it would be approved automatically. Appealed rests are
-- left out: they pass the steps of the bill that they belong to. A provider is known from an
-- approval until its reversal, which is read once, and only if a step depends on it.
create or replace function private.evaluated_claims(company uuid, n claim_policies)
returns table (c claims, would boolean, steps integer[])
language sql stable
begin atomic
  with past as materialized (
    select x as c, private.terms_approve(x.receipt_agrees, x.amount_cents, x.spot_check_draw,
          n.auto_approve_cents, n.spot_check_percent)
          and x.person_id is distinct from n.by_id as could,
        private.month_of(x.submitted_at, o.time_zone) as month,
        case when exists (select from unnest(n.steps) s where s.new_provider)
          then without_accents(x.provider) end collate "C" as provider
      from companies o
        cross join lateral (select y.id from claims y where y.company_id = o.id
          and y.submitted_at > now() - interval '12 months' and y.appeal_of is null
          order by y.id desc limit 100000) newest
        join claims x on x.company_id = o.id and x.id = newest.id
      where o.id = company),
  known as materialized (
    select k.provider, range_agg(tstzrange(k.since, k.until, '()')) as times
      from (select without_accents(x.provider) collate "C" as provider,
            min(x.reviewed_at) as since, null::timestamptz as until
          from claims x
          where x.company_id = company and private.makes_known(x.status, x.payment) group by 1
        union all
        select without_accents(x.provider) collate "C", x.reviewed_at, greatest(x.reviewed_at, e.at)
          from claims x join claim_events e on e.company_id = company and e.claim_id = x.id
            and e.event = 'reversed'
          where x.company_id = company and x.payment = 'reversed') k
      where exists (select from unnest(n.steps) s where s.new_provider)
      group by 1)
  select p.c, p.could and row_number() over (partition by (p.c).person_id, p.month, p.could
        order by (p.c).id) <= n.auto_approve_per_month,
      array(select i from generate_subscripts(n.steps, 1) i
        where private.step_applies(n.steps[i], p.c, f.department,
          coalesce(k.times @> (p.c).submitted_at, false)))
    from past p join profiles f on f.id = (p.c).person_id
      left join known k on k.provider = p.provider;
end;

-- The preview: what was and what would have been. For each step also how many claims it would have
-- decided, and how many days its people took for claims that one of them decided alone.
create or replace function preview_claim_policy(terms jsonb) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with n as (select p from jsonb_populate_record(null::claim_policies,
    terms || jsonb_build_object('by_id', actor_id())) p),
  evaluated as materialized (
    select (w.c).amount_cents, (w.c).automatic, approvals_needed(w.c) < 2 as by_one, w.would,
        w.steps, coalesce((select sum(private.approvals_in((n.p).steps[i]))
          from unnest(w.steps) i), 0) < 2 as would_by_one,
        case when (w.c).steps = '{}' and not (w.c).automatic then (w.c).reviewed_by end as by_id,
        extract(epoch from (w.c).reviewed_at - (w.c).submitted_at) / 86400 as days
      from n, private.evaluated_claims(actor_company(), n.p) w where actor_has('owner'))
  select json_build_object('claims', count(*),
      'refusal', (select private.steps_refusal(actor_company(), (n.p).steps) from n),
      'now', json_build_object('automatic', count(*) filter (where automatic),
        'one_review', count(*) filter (where not automatic and by_one),
        'more_reviews', count(*) filter (where not automatic and not by_one)),
      'instead', json_build_object('automatic', count(*) filter (where would),
        'one_review', count(*) filter (where not would and would_by_one),
        'more_reviews', count(*) filter (where not would and not would_by_one)),
      'automatic_cents_now', coalesce(sum(amount_cents) filter (where automatic), 0),
      'automatic_cents_then', coalesce(sum(amount_cents) filter (where would), 0),
      'steps', (select coalesce(json_agg(json_build_object('number', i,
          'claims', coalesce(t.claims, 0),
          'amount_cents', coalesce(t.amount_cents, 0), 'days', (
            select percentile_cont(0.5) within group (order by d.days) from evaluated d
              where d.by_id is not null and d.steps[1] = i and ((n.p).steps[i]).who <> 'manager'
                and (((n.p).steps[i]).who = 'reviewers'
                  or d.by_id = any (named_in_step(actor_company(), ((n.p).steps[i]).who,
                    ((n.p).steps[i]).person_ids))))) order by i), '[]')
        from n cross join lateral generate_subscripts((n.p).steps, 1) i
          left join (select s as step, count(*) as claims, sum(x.amount_cents) as amount_cents
            from evaluated x, unnest(x.steps) s where not x.would group by s) t on t.step = i))
    from evaluated;
end;

grant execute on function my_claim_terms, change_claim_policy, claim_policy_history,
  policy_is_superseded, preview_claim_policy, step_choices to healthfund_request;
