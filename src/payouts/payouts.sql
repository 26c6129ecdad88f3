-- The amounts that the next payout can pay and withhold, and the files of one that was released.

-- Amounts to withhold from a person's next payout, oldest year first: what the ledger has as
-- overpaid and no open run withholds yet, and what was withheld from payments that the bank
-- returned (else their claims would be paid in full again). The row without a year is below zero if
-- money was withheld for a payment that never arrived: it is given back.
create or replace function private.amounts_to_withhold(company uuid, people uuid[])
returns table (person_id uuid, plan_year date, category text, cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select a.person_id, a.plan_year, a.category, a.balance_cents - coalesce((
      select sum(o.cents) from pay_withholdings o
        join pay_runs r on r.company_id = o.company_id and r.id = o.run_id and r.status = 'made'
        where o.company_id = company and o.person_id = a.person_id and o.plan_year = a.plan_year
          and o.category = a.category), 0)::bigint
    from unnest(people) p (id) join accounts a on a.company_id = company and a.person_id = p.id
      and a.kind = 'overpaid' and a.balance_cents > 0
  union all
  select p.id, null, null, (
      select coalesce(sum(i.withheld_cents - i.credit_cents)
          filter (where i.returned_at is not null), 0)
          - coalesce((select sum(o.cents) from pay_withholdings o
            join pay_runs r on r.company_id = o.company_id and r.id = o.run_id
              and r.status <> 'cancelled'
            where o.company_id = company and o.person_id = p.id and o.plan_year is null), 0)
        from pay_items i where i.company_id = company and i.person_id = p.id)::bigint
    from unnest(people) p (id)
$$;

-- People all of whose payments are blocked.
create or replace function private.blocked_people(company uuid) returns setof uuid
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select b.person_id from payment_blocks b
    where b.company_id = company and b.removed_at is null and b.claim_id is null
$$;

-- Claims that are approved and not paid, all of them or those up to a day of the company: since
-- when, whether their account waits or they are blocked, so that the next run leaves them out, and
-- the last run whose payment for them came back.
create or replace function private.payable_claims(company uuid, cut_off date default null)
returns table (person_id uuid, claim_id bigint, cents bigint, reviewed_at timestamptz,
  waits_since timestamptz, waits boolean, blocked boolean, left_out boolean, returned_in bigint)
language sql stable
begin atomic
  select c.person_id, c.id, c.approved_cents, c.reviewed_at, coalesce(b.returned_at, c.reviewed_at),
      f.waits, f.blocked, f.waits or f.blocked, b.run_id
    from claims c join companies o on o.id = c.company_id
    cross join lateral (
      select c.person_id in (select w.person_id from private.accounts_waiting(company) w) as waits,
        c.person_id in (select private.blocked_people(company))
          or c.id in (select b.claim_id from payment_blocks b where b.company_id = company
            and b.removed_at is null and b.claim_id is not null) as blocked) f
    left join (select k.claim_id, max(k.run_id) as run_id, max(i.returned_at) as returned_at
      from pay_items i join pay_claims k on k.company_id = company and k.run_id = i.run_id
        and k.person_id = i.person_id
      where i.company_id = company and i.returned_at is not null group by 1) b on b.claim_id = c.id
    where c.company_id = company and private.awaits_payout(c.payment)
      and (cut_off is null or (c.reviewed_at at time zone o.time_zone)::date <= cut_off);
end;

-- Each person's part of a payout, and how much of it is withheld.
create or replace function private.payable_parts(company uuid, claims private.payable_claim[])
returns table (person_id uuid, claims integer, claims_cents bigint, withheld_cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with part as materialized (
    select t.person_id, count(t.claim_id)::integer as claims,
      coalesce(sum(t.cents), 0)::bigint as cents
      from (select * from unnest(claims) union all
        select distinct i.person_id, null::bigint, 0::bigint from pay_items i
          where i.company_id = company and i.credit_cents > 0
            and i.person_id not in (select w.person_id from private.accounts_waiting(company) w)
            and i.person_id not in (select private.blocked_people(company))) t
      group by t.person_id),
  withheld as (
    select o.person_id, sum(o.cents)::bigint as cents
      from private.amounts_to_withhold(company, array(select p.person_id from part p)) o
      where o.cents > 0 or o.plan_year is null
      group by o.person_id)
  select p.person_id, p.claims, p.cents, least(p.cents, coalesce(o.cents, 0))
    from part p left join withheld o on o.person_id = p.person_id
    where p.claims > 0 or o.cents < 0
$$;

-- People to whom withheld money would be given back if their account didn't wait.
create or replace function private.owed_while_waiting(company uuid) returns setof uuid
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with waiting as materialized (
    select distinct i.person_id from pay_items i
      join private.accounts_waiting(company) w on w.person_id = i.person_id
      where i.company_id = company and i.credit_cents > 0
        and i.person_id not in (select private.blocked_people(company)))
  select p.person_id from private.payable_parts(company, array(
      select (w.person_id, null, 0)::private.payable_claim from waiting w)) p
    join waiting w on w.person_id = p.person_id
$$;

-- Names of the admins who made and released a run. A definer, as they may have left since.
create or replace function pay_run_people(run bigint) returns table (made_by_name text,
  released_by_name text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select m.full_name, l.full_name from pay_runs r
    left join profiles m on m.id = r.made_by left join profiles l on l.id = r.released_by
    where r.company_id = actor_company() and r.id = run and actor_has('finance', 'auditor');
end;

-- Rows of a released run's files, in the order of people's ids.
create or replace function pay_run_file(run bigint) returns table (person_id uuid, person_name text,
  email text, department text, claim_ids bigint[], claims_cents bigint, withheld_cents bigint,
  paid_cents bigint, holder text, iban text, by_bank boolean, returned boolean)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := private.paying_company();
begin
  perform private.refuse(run_refusal('payroll_file', r, null)) from pay_runs r
    where r.company_id = company and r.id = run;
  return query
    select i.person_id, p.full_name, p.email, p.department, array(select c.claim_id
      from pay_claims c
          where c.company_id = company and c.run_id = run and c.person_id = i.person_id
          order by c.claim_id),
        i.claims_cents, i.withheld_cents, i.paid_cents, i.holder, i.iban,
        i.by_bank, i.returned_at is not null
      from pay_items i join profiles p on p.company_id = company and p.id = i.person_id
      where i.company_id = company and i.run_id = run order by p.sort_name, i.person_id;
end $$;

grant execute on function pay_run_people, pay_run_file to healthfund_request;
