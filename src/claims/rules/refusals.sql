-- Why an act on a claim is refused: the one home of these rules. An act asks before it writes;
-- lists and details ask for buttons.

create or replace function approvals_needed(c claims) returns integer
language sql immutable
return greatest(1, cardinality(c.steps));

-- The last day for an appeal: within the time for claims of its year, and for a leaver while the
-- money is still there.
create or replace function appeal_ends_on(c claims) returns date
language sql stable
return (select least(filing_ends_on(y.ends_on, y.filing_days, p.left_on, y.leaver_filing_days),
    (c.reviewed_at at time zone o.time_zone)::date + 180)
  from companies o join plan_years y on y.company_id = o.id and y.starts_on = c.plan_year
    left join profiles p on p.company_id = o.id and p.id = c.person_id
  where o.id = c.company_id);

-- Why a bill of a year can't be claimed again by its person.
create or replace function claim_again_refusal(company uuid, year date, person uuid) returns text
language sql stable
return (select filing_refusal(y, filing_ends_on(y.ends_on, y.filing_days, p.left_on,
      y.leaver_filing_days), company_today(company))
  from plan_years y left join profiles p on p.company_id = company and p.id = person
  where y.company_id = company and y.starts_on = year);

create or replace function appeal_year_refusal(c claims) returns text
language sql stable
return (select case f.refusal when 'filing_days_over' then 'appeal_too_late' else f.refusal end
  from plan_years y
    cross join lateral filing_refusal(y, appeal_ends_on(c), company_today(c.company_id)) f (refusal)
  where y.company_id = c.company_id and y.starts_on = c.plan_year);

-- Why a reviewer who may approve a part of this claim can't approve all that is left of it.
create or replace function full_approval_refusal(c claims) returns text
language sql immutable
return limit_refusal(c, coalesce(c.passed_cents, c.amount_cents));

-- Why a claim can't be approved together with others.
create or replace function bulk_approval_refusal(c claims) returns text
language sql stable
return case when another_step_follows(c.steps, c.passed_by) then 'more_approvals_needed'
  else full_approval_refusal(c) end;

-- Whether the rest of a claim approved in part was appealed and still waits.
create or replace function rest_is_pending(company uuid, claim bigint) returns boolean
language sql stable
return exists (select from claims r
  where r.company_id = company and r.appeal_of = claim and r.status = 'pending');

-- A function without a query, so that PostgreSQL inlines it. Each comparison before an `and` is
-- true or false, never null: after a null PostgreSQL would evaluate the rest as well. `given` is
-- the company's `rights_given`, which a list reads once.
create or replace function claim_refusal_given(act text, c claims, me uuid, given uuid[])
returns text
language sql stable
return case
  when act = 'reverse' and c.status <> 'approved' then 'not_approved'
  when act = 'reverse' and c.payment = 'reversed' then 'already_reversed'
  when act in ('approve', 'approve_many', 'reject', 'ask', 'withdraw_question', 'reverse')
    and c.person_id = me then 'own_claim'
  when act in ('approve', 'approve_many', 'reject', 'ask', 'withdraw') and c.status <> 'pending'
    then 'claim_already_decided'
  when act in ('approve', 'approve_many', 'reject', 'ask') then case
    when me = any (c.passed_by) then 'decided_by_you'
    when c.of_manager and reports_to(me, c.person_id) then 'claim_of_your_manager'
    when c.rejected_by is not distinct from me and has_second_person('reviewer', c.company_id, me,
      variadic c.passed_by || c.person_id)
      then 'appeal_needs_another'
    when cardinality(c.passed_by) > 0 and counts_as_one_with_any('reviewer', c.passed_by, me)
      or counts_as_one_given('reviewer', c.rejected_by, me, given)
      or counts_as_one_given('reviewer', c.person_id, me, given) then 'admin_too_new'
    when c.stage = 'information_asked' then 'information_awaited'
    when c.by_name and step_refusal(c, me) is not null then step_refusal(c, me)
    when act = 'approve_many' then bulk_approval_refusal(c) end
  when act = 'reverse' and c.attempt > 1 and rest_is_pending(c.company_id, c.id)
    then 'rest_pending'
  when act in ('reverse', 'undo') and c.payment = 'in_run' then 'claim_in_run'
  when act in ('answer', 'withdraw_question') and c.stage is distinct from 'information_asked'
    then 'nothing_asked'
  when act in ('reverse', 'withdraw_question') then case
    when c.of_manager and reports_to(me, c.person_id) then 'claim_of_your_manager'
    when counts_as_one_given('reviewer', c.person_id, me, given) then 'admin_too_new' end
  when act = 'appeal' then case
    when c.status <> 'rejected' and (c.status <> 'approved' or c.payment = 'reversed'
      or c.approved_cents = c.amount_cents) then 'nothing_to_appeal'
    when c.attempt > 1 then 'already_appealed'
    when c.status = 'approved' and c.approved_cents >= most_in_steps(c.steps)
      then 'step_limit_used_up'
    else appeal_year_refusal(c) end
  end;

create or replace function claim_refusal(act text, c claims, me uuid) returns text
language sql stable
return claim_refusal_given(act, c, me, rights_given(c.company_id));

-- The refusals of the acts that its employee may do, and of claiming its bill again.
create or replace function own_claim_refusals(c claims, me uuid) returns json
language sql stable
return json_build_object('withdraw', claim_refusal('withdraw', c, me),
  'answer', claim_refusal('answer', c, me), 'appeal', claim_refusal('appeal', c, me),
  'again', claim_again_refusal(c.company_id, c.plan_year, c.person_id));

-- The reviewers that a pending claim waits for: those who may decide on it, and in place of those
-- who are away their deputies, if these may decide. Empty if there are none.
create or replace function claim_assignees(c claims) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  with assignee as (
    select distinct on (h.id) h.id, h.full_name, h.sort_name,
        case when a.id <> h.id then a.full_name end as for_name
      from profiles a
        join profiles h on h.company_id = a.company_id
          and h.id = private.stand_in('reviewer', a.company_id, a.id)
      where a.company_id = c.company_id and c.company_id = actor_company()
        and actor_has('reviewer') and a.id in (select private.holders(c.company_id, 'reviewer'))
        and claim_refusal('approve', c, a.id) is null and claim_refusal('approve', c, h.id) is null
      order by h.id, a.id <> h.id desc)
  select coalesce(json_agg(json_build_object('name', full_name, 'for_name', for_name)
    order by sort_name, id), '[]') from assignee
$$;

grant execute on function approvals_needed, appeal_ends_on, claim_again_refusal,
  appeal_year_refusal, rest_is_pending, full_approval_refusal, bulk_approval_refusal, claim_refusal,
  claim_refusal_given, own_claim_refusals, claim_assignees to healthfund_request;
