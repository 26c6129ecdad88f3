-- The balance of one person, adjusted beside what the plan grants: one with Finance proposes it,
-- another confirms it.

create policy your_companys on balance_adjustments for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on balance_adjustments to healthfund_request;
create or replace trigger audit after insert or update or delete on balance_adjustments
  for each row execute function audited();

-- Why a year can't be adjusted any more: it is closed, or about to be.
create or replace function adjustment_year_refusal(company uuid, year date) returns text
language sql stable
return (select filing_refusal(y, filing_ends_on(y.ends_on, y.filing_days, null, null),
    company_today(company))
  from plan_years y where y.company_id = company and y.starts_on = year);

-- Why there is no money for an adjustment; null if there is.
create or replace function adjustment_money_refusal(a balance_adjustments) returns text
language sql stable
return (select case
    when not exists (select from grants g where g.company_id = a.company_id
      and g.plan_year = a.plan_year and g.person_id = a.person_id and g.category = a.category)
      then 'no_fund_in_year'
    when not exists (select from accounts x where x.company_id = a.company_id
      and x.plan_year = a.plan_year and x.category = a.category
      and case when a.cents > 0 then x.kind = 'pool' and x.person_id is null
        else x.kind = 'available' and x.person_id = a.person_id end
      and x.balance_cents >= abs(a.cents))
      then case when a.cents > 0 then 'pool_exhausted' else 'less_available' end end);

-- Why an act may not be done to a proposal as it is now; null where it may. It takes two people, if
-- there are two besides the person it is about.
create or replace function adjustment_refusal(act text, a balance_adjustments, me uuid)
returns text
language sql stable
return case
  when a.status <> 'waiting' then 'adjustment_decided'
  when act = 'withdraw' then case when a.proposed_by <> me then 'adjustment_of_another' end
  when own_money_refusal('finance', a.person_id, me) is not null
    then own_money_refusal('finance', a.person_id, me)
  when a.proposed_by = me and (act = 'decline'
    or has_second_person('finance', a.company_id, me, variadic array[a.person_id]))
    then 'adjustment_needs_another'
  when act = 'confirm' and counts_as_one('finance', a.proposed_by, me) then 'admin_too_new'
  when act = 'confirm' then coalesce(adjustment_year_refusal(a.company_id, a.plan_year),
    adjustment_money_refusal(a)) end;

create or replace function adjustment_refusals(a balance_adjustments, me uuid) returns json
language sql stable
return json_build_object('confirm', adjustment_refusal('confirm', a, me),
  'decline', adjustment_refusal('decline', a, me),
  'withdraw', adjustment_refusal('withdraw', a, me));

-- Names of those who can confirm it now; for those who are away, their deputies.
create or replace function adjustment_confirmers(company uuid, target uuid) returns text[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return array(select p.full_name from balance_adjustments a
    cross join lateral private.deciders('finance', a.company_id, null) d (id)
    join profiles p on p.id = d.id
  where private.may_know(company) and actor_has('finance', 'auditor') and a.company_id = company
    and a.id = target and adjustment_refusal('confirm', a, p.id) is null
  order by p.sort_name, p.id);

-- Why nothing can be proposed for somebody; null where it can. The reason would outlive their
-- erasure.
create or replace function proposal_refusal(person uuid, me uuid) returns text
language sql stable
return case when exists (select from profiles p where p.id = person and p.erased_at is not null)
  then 'person_erased' else own_money_refusal('finance', person, me) end;

-- Proposes `input`: {person_id, category, cents, reason, plan_year}.
create or replace function propose_adjustment(input jsonb) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  me uuid := private.money_mover(company);
  a balance_adjustments := jsonb_populate_record(null::balance_adjustments, input);
begin
  perform from profiles p where p.company_id = company and p.id = a.person_id for key share;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(proposal_refusal(a.person_id, me));
  a.company_id := company;
  perform private.lock_pools(company, a.plan_year);
  perform private.refuse(adjustment_year_refusal(company, a.plan_year));
  perform private.refuse(adjustment_money_refusal(a));
  insert into balance_adjustments (company_id, plan_year, person_id, category, cents, reason,
      proposed_by)
    values (company, a.plan_year, a.person_id, a.category, a.cents, a.reason, me)
    returning id into a.id;
  perform private.notify_of_work('adjustment_waits', company, null, a.person_id),
    publish('admins:' || company);
  return a.id;
end $$;

-- Confirms, declines or withdraws. Pools are locked first, as by everything that grants.
create or replace function decide_adjustment(target uuid, act text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  me uuid := private.money_mover(company);
  a balance_adjustments;
begin
  perform private.refuse(case when act in ('confirm', 'decline', 'withdraw') is not true
    then 'forbidden' end);
  select * into a from balance_adjustments x where x.company_id = company and x.id = target;
  if not found then perform private.refuse('not_found'); end if;
  perform private.lock_pools(company, a.plan_year);
  select * into a from balance_adjustments x
    where x.company_id = company and x.id = target for update;
  perform private.refuse(adjustment_refusal(act, a, me));
  update balance_adjustments x set decided_by = me, decided_at = now(), status = case act
      when 'confirm' then 'confirmed' when 'decline' then 'declined' else 'withdrawn' end
    where x.company_id = company and x.id = target;
  if act = 'confirm' then perform private.adjust_balance(a, me); end if;
  perform publish('admins:' || company);
end $$;

-- Posts one transfer between the company's pool and the person's available money; the grant stays
-- as the plan made it. Only their own page shows the reason, and no mail: it may be about health.
create or replace function private.adjust_balance(a balance_adjustments, me uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  pool bigint := account(a.company_id, a.plan_year, 'pool', a.category);
  own bigint := account(a.company_id, a.plan_year, 'available', a.category, a.person_id);
begin
  update grants g set adjusted_cents = g.adjusted_cents + a.cents
    where g.company_id = a.company_id and g.plan_year = a.plan_year
      and g.person_id = a.person_id and g.category = a.category;
  perform transfer_all(a.company_id, a.plan_year,
    case when a.cents > 0 then 'adjusted_up' else 'adjusted_down' end,
    array[(case when a.cents > 0 then pool else own end,
      case when a.cents > 0 then own else pool end, abs(a.cents),
      private.origin('adjustment ' || a.id, source => a.id), a.person_id)::private.posting],
    (me, null, null)::private.author);
  if a.cents < 0 then perform private.grant_soon(a.company_id, a.plan_year); end if;
  perform notify_person(a.person_id, 'balance_adjusted',
      jsonb_build_object('cents', a.cents, 'category', a.category, 'currency',
        (select o.currency from companies o where o.id = a.company_id))),
    publish('person:' || a.person_id);
end $$;

grant execute on function adjustment_year_refusal, adjustment_money_refusal, adjustment_refusal,
  adjustment_refusals, adjustment_confirmers, proposal_refusal, propose_adjustment,
  decide_adjustment to healthfund_request;
