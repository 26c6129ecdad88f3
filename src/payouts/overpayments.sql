-- Overpayments: money paid for claims that were reversed since. It is withheld from the next
-- payouts, or settled by hand if there will be none.

-- The overpayment of each year and category, less what open runs are about to withhold.
create or replace function private.overpayments_of(company uuid, person uuid)
returns table (plan_year date, category text, cents bigint)
language sql stable
begin atomic
  select o.plan_year, o.category, o.cents from private.amounts_to_withhold(company, array[person]) o
    where o.plan_year is not null and o.cents > 0;
end;

-- No row rule lets anybody read it: the statement shows the reason beside the transfers.
create or replace trigger audit after insert or update or delete on settled_overpayments
  for each row execute function audited();

create or replace function overpayments() returns table (person_id uuid, person_name text,
  has_left boolean, cents bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := actor_company();
begin
  perform private.require_right('finance', 'auditor');
  return query
    select p.id, p.full_name, p.has_left, sum(d.cents)::bigint
      from (select distinct a.person_id from accounts a
        where a.company_id = company and a.kind = 'overpaid' and a.balance_cents > 0) o
      join profiles p on p.company_id = company and p.id = o.person_id
      cross join lateral private.overpayments_of(company, o.person_id) d
      group by p.id;
end $$;

create or replace function my_overpayment() returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select coalesce(sum(a.balance_cents), 0)::bigint from accounts a
  where a.company_id = actor_company() and a.person_id = actor_id() and a.kind = 'overpaid');

-- One's own payments: the next, the last and later ones, each with the part that is overpaid (it
-- comes in full, though a claim was reversed); and the sums that wait for a run, are withheld, are
-- withheld again after a returned payment, and are blocked.
create or replace function my_payouts() returns table (next json, last json, later json,
  waiting_cents bigint, withheld_cents bigint, withheld_again_cents bigint, blocked_cents bigint)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with item as (
    select i.run_id, i.paid_cents as cents, r.status = 'released' as released,
        pays_on(r.company_id, r.status, r.pay_on) as pay_on,
        case when r.status = 'released' then i.iban_end else right(b.iban, 4) end as iban_end,
        r.status = 'released' and r.pay_on < company_today(r.company_id) as past,
        least(i.paid_cents, (select coalesce(sum(c.approved_cents), 0)
          from claims c where c.company_id = i.company_id and c.run_id = i.run_id
            and c.person_id = i.person_id and c.payment = 'reversed'))::bigint as reversed_cents
      from pay_items i
      join pay_runs r on r.company_id = i.company_id and r.id = i.run_id
      left join bank_accounts b on b.company_id = i.company_id and b.person_id = i.person_id
      where i.company_id = actor_company() and i.person_id = actor_id() and i.returned_at is null
        and r.status in ('made', 'released') and i.paid_cents > 0),
  due as materialized (
    select c.person_id, c.claim_id, c.cents, c.blocked
      from private.payable_claims(actor_company()) c where c.person_id = actor_id()),
  due_cents as (
    select coalesce(sum(d.cents) filter (where not d.blocked), 0)::bigint as cents,
        coalesce(sum(d.cents) filter (where d.blocked), 0)::bigint as blocked from due d),
  withheld as (
    -- Counted although the account waits. Below zero, it is owed to the person, and waits as well.
    select coalesce(sum(p.withheld_cents), 0)::bigint as cents, (select coalesce(sum(o.cents), 0)
        from private.overpayments_of(actor_company(), actor_id()) o)::bigint as overpaid
      from private.payable_parts(actor_company(), array(
        select (d.person_id, d.claim_id, d.cents)::private.payable_claim from due d
          where not d.blocked
        union all select (actor_id(), null, 0)::private.payable_claim
          where actor_id() not in (select private.blocked_people(actor_company())))) p
      where p.person_id = actor_id()),
  coming as (
    -- Each overpaid cent counts for one payment: the earlier payment takes its part, the later one
    -- the rest.
    select n.pay_on, n.cents, n.iban_end, n.released, least(n.reversed_cents, greatest(0,
          my_overpayment() - coalesce(sum(n.reversed_cents) over (order by n.pay_on, n.run_id
            rows between unbounded preceding and 1 preceding), 0)))::bigint as overpaid_cents,
        row_number() over (order by n.pay_on, n.run_id) as place
      from item n where not n.past)
  select
    (select to_jsonb(n) - 'place' from coming n where n.place = 1)::json,
    (select json_build_object('pay_on', l.pay_on, 'cents', l.cents, 'iban_end', l.iban_end)
      from item l where l.past order by l.pay_on desc limit 1),
    (select coalesce(jsonb_agg(to_jsonb(n) - 'place' order by n.place), '[]') from coming n
      where n.place > 1)::json,
    d.cents - o.cents, least(greatest(o.cents, 0), o.overpaid),
    greatest(o.cents - o.overpaid, 0), d.blocked from due_cents d cross join withheld o;
end;

-- Moves what is withheld from `overpaid` to `available`.
create or replace function private.recover_for_run(r pay_runs, me uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  year date;
  person uuid;
begin
  for year in select distinct o.plan_year from pay_withholdings o where o.company_id = r.company_id
    and o.run_id = r.id and o.plan_year is not null order by 1
  loop
    perform transfer_all(r.company_id, year, 'overpaid_recovered', array(
      select (account(r.company_id, year, 'overpaid', o.category, o.person_id),
          account(r.company_id, year, 'available', o.category, o.person_id), o.cents,
          private.origin(concat_ws(' ', 'overpaid_recovered run', r.id, o.person_id, o.category,
            year), run => r.id),
          o.person_id)::private.posting
        from pay_withholdings o where o.company_id = r.company_id and o.run_id = r.id
          and o.plan_year = year order by o.person_id, o.category),
            (me, null, null)::private.author);
    for person in select distinct o.person_id from pay_withholdings o
      where o.company_id = r.company_id and o.run_id = r.id and o.plan_year = year
    loop
      perform private.lower_later(r.company_id, year, person);
    end loop;
  end loop;
end $$;

-- Settles an overpayment: paid back, it is available to the person again; written off, it stays
-- paid. What an open run is about to withhold is left to the run.
create or replace function settle_overpayment(person uuid, seen_cents bigint, how text, reason text)
  returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  me uuid := actor_id();
  settlement uuid;
  settled_cents bigint := 0;
  overpayment record;
begin
  perform private.lock_pay_runs(company);
  perform from profiles p where p.company_id = company and p.id = person;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(own_money_refusal('finance', person, me));
  insert into settled_overpayments (company_id, person_id, how, cents, reason, settled_by)
    values (company, person, settle_overpayment.how, seen_cents, settle_overpayment.reason, me)
    returning id into settlement;
  -- Read once, so that the compared amount is the posted one: a claim can be reversed meanwhile,
  -- without the lock on payouts.
  for overpayment in select d.plan_year, sum(d.cents) as cents, array_agg((
        account(company, d.plan_year, 'overpaid', d.category, person),
        account(company, d.plan_year, case how when 'paid_back' then 'available' else 'paid' end,
          d.category, person), d.cents,
        private.origin(concat_ws(' ', 'overpaid_' || how, settlement, d.plan_year, d.category),
          source => settlement), person)::private.posting order by d.category) as postings
      from private.overpayments_of(company, person) d group by d.plan_year order by d.plan_year
  loop
    settled_cents := settled_cents + overpayment.cents;
    perform transfer_all(company, overpayment.plan_year, 'overpaid_' || how, overpayment.postings,
      (me, null, null)::private.author), private.lower_later(company, overpayment.plan_year,
        person);
  end loop;
  if settled_cents <> seen_cents then perform private.refuse('overpayment_changed'); end if;
  perform notify_person(person, 'overpayment_settled',
      jsonb_build_object('cents', seen_cents, 'currency',
        (select o.currency from companies o where o.id = company))),
    publish('person:' || person), publish('admins:' || company);
end $$;

-- How much of a purse was written off, less what came back from the bank since.
create or replace function private.written_off_cents(of private.purse) returns bigint
language sql stable
return (select coalesce(sum(case t.event when 'overpaid_written_off' then t.amount_cents
      when 'written_off_returned' then -t.amount_cents end), 0)::bigint
  from accounts a join transfers t on t.company_id = of.company_id and t.from_account = a.id
    and t.event in ('overpaid_written_off', 'written_off_returned')
  where a.company_id = of.company_id and a.plan_year = of.plan_year and a.person_id = of.person_id
    and a.category = of.category and a.kind in ('overpaid', 'paid'));

grant execute on function overpayments, my_overpayment, my_payouts,
  settle_overpayment to healthfund_request;
