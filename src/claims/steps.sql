-- Steps of approval: which steps of the policy a claim passes, and who may take the next one.

create or replace function private.is_in_any_group(company uuid, person uuid, groups uuid[])
returns boolean
language sql stable
return exists (select from unnest(groups) g (id) where private.is_in_group(company, person, g.id));

-- Whether a step applies to a claim of somebody in this department; `known`: the company knows its
-- provider.
create or replace function private.step_applies(s approval_step, c claims, department text,
  known boolean) returns boolean
language sql stable
return (s.above_cents is null or c.amount_cents > s.above_cents)
  and (s.categories = '{}' or c.category = any (s.categories))
  and (s.type_ids = '{}' or c.type_id = any (s.type_ids))
  and (s.departments = '{}' or coalesce(step_applies.department = any (s.departments), false))
  and (s.group_ids = '{}' or private.is_in_any_group(c.company_id, c.person_id, s.group_ids))
  and (not s.new_provider or not known);

-- How many approvals a step needs: one for each of those who approve together.
create or replace function private.approvals_in(s approval_step) returns integer
language sql immutable
return case when s.together then cardinality(s.person_ids) else 1 end;

-- Whether a claim makes its provider known: it was approved, and not reversed.
create or replace function private.makes_known(status text, payment text) returns boolean
language sql immutable
return status = 'approved' and private.still_counts(status, payment);

-- Whether the company approved a claim of this provider before.
create or replace function private.known_provider(company uuid, name text) returns boolean
language sql stable
return exists (select from claims x where x.company_id = company
  and private.makes_known(x.status, x.payment)
  and without_accents(x.provider) = without_accents(name));

-- Steps that a claim has to pass by this policy version; empty if one approval by any reviewer is
-- enough. A loop, not a query: most claims pass one or two steps, and a query costs many times as
-- much.
create or replace function private.steps_of(n claims, version integer) returns claim_step[]
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  steps approval_step[];
  s approval_step;
  step claim_step;
  claimant record;
  nth smallint := 0;
  passed claim_step[] := '{}';
begin
  select p.steps into steps from claim_policies p
    where p.company_id = n.company_id and p.version = steps_of.version;
  select f.department, f.manager_id into claimant from profiles f
    where f.company_id = n.company_id and f.id = n.person_id;
  foreach s in array coalesce(steps, '{}') loop
    nth := nth + 1;
    if private.step_applies(s, n, claimant.department,
        s.new_provider and private.known_provider(n.company_id, n.provider)) then
      step := (nth, s.who, case when s.who <> 'manager' then s.person_ids
        else array_remove(array[claimant.manager_id], null) end, s.deputy_id, s.most_cents, s.days);
      for approval in 1 .. private.approvals_in(s) loop passed := passed || step; end loop;
    end if;
  end loop;
  if cardinality(passed) = 1 and passed[1].who = 'reviewers'
      and coalesce(passed[1].most_cents, passed[1].days) is null then
    return '{}';
  end if;
  return passed;
end $$;

create or replace function private.has_named_steps(steps claim_step[]) returns boolean
language sql immutable
return exists (select from unnest(steps) s where s.who <> 'reviewers');

create or replace function private.is_manager(person uuid) returns boolean
language sql stable
return exists (select from profiles where manager_id = person and not has_left);

create or replace function reports_to(me uuid, manager uuid) returns boolean
language sql stable
return exists (select from profiles where id = me and manager_id = manager);

-- The approvals still to come, in order; empty after the last one, and for a claim without steps.
create or replace function steps_to_come(steps claim_step[], passed_by uuid[]) returns claim_step[]
language sql immutable
return steps[cardinality(passed_by) + 1:];

create or replace function next_step(c claims) returns claim_step
language sql immutable
return (steps_to_come(c.steps, c.passed_by))[1];

create or replace function another_step_follows(steps claim_step[], passed_by uuid[])
returns boolean
language sql immutable
return cardinality(steps_to_come(steps, passed_by)) > 1;

-- People who may approve this claim themselves: the reviewers among `people` who are not its person
-- and have not approved it.
create or replace function step_reviewers(c claims, people uuid[]) returns uuid[]
language sql stable
return array(select r.person_id from rights_now r
  where r.company_id = c.company_id and r.kind = 'reviewer' and r.person_id = any (people)
    and r.person_id <> c.person_id and r.person_id <> all (c.passed_by));

-- People who decide today: the named who are here, and for each who is away the deputy who may
-- decide, or that deputy's deputy. Absences entered by `besides`, or by somebody who counts as one
-- with them, are ignored.
create or replace function available_people(c claims, named uuid[], besides uuid default null)
returns uuid[]
language sql stable
return array(
  with recursive away as (
    select a.person_id, a.deputy_id from absences a where a.company_id = c.company_id
      and company_today(c.company_id) between a.from_on and a.to_on
      and (besides is null or a.by_id is null
        or a.by_id <> besides and not counts_as_one('reviewer', a.by_id, besides))),
  with_deputies as (
    select o.id from unnest(named) o (id)
    union
    select a.deputy_id from with_deputies t join away a on a.person_id = t.id
      where a.deputy_id = any (step_reviewers(c, array[a.deputy_id])))
  select t.id from with_deputies t where t.id not in (select a.person_id from away a));

-- The people that a step names: owners are those of this moment.
create or replace function named_in_step(company uuid, who text, people uuid[]) returns uuid[]
language sql stable
return case who when 'owners' then array(select r.person_id from rights_now r
  where r.company_id = named_in_step.company and r.kind = 'owner') else people end;

-- The people asked by name for the next approval; null: any reviewer. The step's deputy is asked,
-- too, if nobody it names is here (the deputy can't bring that about by entering an absence) or if
-- the step's days are over. Any reviewer is asked if none of the named is a reviewer any more.
create or replace function step_people(c claims) returns uuid[]
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  s constant claim_step := next_step(c);
  named uuid[];
begin
  if s.number is null or s.who = 'reviewers' then return null; end if;
  named := step_reviewers(c, named_in_step(c.company_id, s.who, s.person_ids));
  if available_people(c, named, s.deputy_id) = '{}' or s.days is not null and c.due_at < now() then
    named := named || step_reviewers(c, array[s.deputy_id]);
  end if;
  return nullif(named || available_people(c, named), '{}');
end $$;

-- Why this reviewer can't give the next approval. Nobody approves twice, so a reviewer is kept for
-- a later step that can't do without them: if step 2 names Ann alone, Ann doesn't give approval 1.
create or replace function step_refusal(c claims, me uuid) returns text
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare people constant uuid[] := step_people(c);
begin
  if people is not null then
    return case when me <> all (people) then 'step_of_others' end;
  end if;
  return (select 'asked_later'
    from unnest(steps_to_come(c.steps, c.passed_by)) with ordinality
        s (number, who, person_ids, deputy_id, most_cents, days, nth)
      cross join lateral (
        select named_in_step(c.company_id, s.who, s.person_ids) as people offset 0) n
    where s.nth > 1 and me = any (n.people)
    group by s.number, n.people
    having count(*) > cardinality(step_reviewers(c, array_remove(n.people, me)))
    limit 1);
end $$;

-- Why this amount can't be approved in the next step.
create or replace function limit_refusal(c claims, cents bigint) returns text
language sql immutable
return case when cents > (next_step(c)).most_cents then 'above_step_limit' end;

-- The most that all of these steps let pass; null if none has a limit.
create or replace function most_in_steps(steps claim_step[]) returns bigint
language sql immutable
return (select min(s.most_cents) from unnest(steps) s);

-- Steps for the rest of a claim: those of the claim, each with what is left of its limit.
create or replace function private.steps_for_rest(steps claim_step[], approved_cents bigint)
returns claim_step[]
language sql immutable
return array(select row(s.number, s.who, s.person_ids, s.deputy_id,
    s.most_cents - approved_cents, s.days)::claim_step
  from unnest(steps) with ordinality s (number, who, person_ids, deputy_id, most_cents, days, nth)
  order by s.nth);

-- The deadline of a step that begins now; null if it has no days of its own.
create or replace function private.step_due(company uuid, days double precision) returns timestamptz
language sql stable
return (select private.after_working_days(now(), step_due.days, o.time_zone,
    private.days_off(o.id))
  from companies o where o.id = company and step_due.days is not null);

-- Computes the deadlines of waiting claims again, by the calendar as it is now. A claim that is
-- being decided on at this moment is skipped: its deadline ends with the decision.
create or replace function private.renew_deadlines(company uuid) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare renewed integer;
begin
  with waiting as (
    select c.id, private.review_due(company, c.policy_version, c.submitted_at, c.awaited_days,
        null) as due_at
      from claims c
      where c.company_id = company and c.status = 'pending' and c.due_at is not null
        and not c.overdue and (next_step(c)).days is null
      order by c.id for no key update of c skip locked)
  update claims c set due_at = w.due_at from waiting w
    where c.company_id = company and c.id = w.id
      and abs(extract(epoch from c.due_at - w.due_at)) > 1;
  get diagnostics renewed = row_count;
  if renewed > 0 then perform private.publish_now('admins:' || company); end if;
  return renewed;
end $$;

grant execute on function reports_to, steps_to_come, next_step, another_step_follows, named_in_step,
  step_reviewers, available_people, step_people, step_refusal, limit_refusal, most_in_steps
  to healthfund_request;
