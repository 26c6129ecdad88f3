-- Payments that the bank sent back, or payroll could not make.

-- Why an act may not be done to one person's payment of a run; null where it may. A bank pays on
-- the pay day: if a payment were marked as returned before it by mistake, the next payout would pay
-- it a second time. Payroll may say earlier whom it can't pay.
create or replace function private.item_refusal(act text, company uuid, run bigint, person uuid,
  me uuid) returns text
language sql stable
return (select coalesce(run_refusal(act, r, me), case
    when act = 'return_item' and i.paid_cents = 0 then 'nothing_was_paid'
    when act = 'return_item' and i.returned_at is not null then 'already_returned'
    when act = 'return_item' then coalesce(own_benefit_refusal('finance', company, person, me),
      case when i.by_bank and r.pay_on > company_today(company) then 'before_pay_day' end) end)
  from pay_runs r join pay_items i on i.company_id = company and i.run_id = run
    and i.person_id = person
  where r.company_id = company and r.id = run);

create or replace function item_refusals(company uuid, run bigint, person uuid) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) and actor_has('finance', 'auditor')
  then json_build_object('return_item',
    private.item_refusal('return_item', company, run, person, actor_id()),
    'block', own_money_refusal('finance', person, actor_id())) end;

-- Locks a person's claims in a run, then all of their accounts: acts on a claim lock the claim
-- first, and everything that moves money locks accounts by year, then by id.
create or replace function private.lock_paid(company uuid, run bigint, person uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select from pay_claims p join claims x on x.company_id = company and x.id = p.claim_id
    where p.company_id = company and p.run_id = run and p.person_id = person
    order by x.plan_year, x.category, x.id for no key update of x;
  select from accounts a where a.company_id = company and a.person_id = person
    order by a.plan_year, a.id for no key update;
$$;

-- Returns one person's payment: their claims are approved and unpaid again. A claim that was
-- reversed meanwhile is no overpayment any more, so what another run withheld for it, or is about
-- to, is owed to the person.
create or replace function return_payment_of(run bigint, person uuid, reason text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  me uuid := actor_id();
  i pay_items;
  c claims;
  overpaid bigint;
  forgiven bigint;
  origin private.origin;
  credit bigint := 0;
begin
  perform private.lock_pay_run('return_item', run);
  select * into i from pay_items x
    where x.company_id = company and x.run_id = run and x.person_id = person for update;
  perform private.refuse(case when not found then 'not_found'
    else private.item_refusal('return_item', company, run, person, me) end);
  -- An erased person gets no reason: banks name people in it.
  reason := (select return_payment_of.reason from profiles p where p.id = person
    and p.erased_at is null);
  perform private.lock_paid(company, run, person);
  for c in select x.* from pay_claims p join claims x on x.company_id = company
    and x.id = p.claim_id
    where p.company_id = company and p.run_id = run and p.person_id = person
    order by x.plan_year, x.category, x.id
  loop
    if c.payment = 'paid' and c.run_id = run then
      update claims x set payment = 'returned', paid_on = null, run_id = null,
        version = x.version + 1
        where x.company_id = company and x.id = c.id returning * into c;
      perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
        'return', c.approved_cents, private.origin(concat_ws(' ', 'claim', c.id, 'run', run),
          claim => c.id, run => run), me),
        private.note_event(c, 'payment_returned', me, reason,
          jsonb_build_object('amount_cents', c.approved_cents));
    elsif c.payment = 'reversed' and c.run_id = run then
      overpaid := least(c.approved_cents, greatest(0, coalesce((select o.cents
        from private.amounts_to_withhold(company, array[person]) o
        where o.plan_year = c.plan_year and o.category = c.category), 0)));
      forgiven := least(c.approved_cents - overpaid,
        private.written_off_cents((company, c.plan_year, person, c.category)::private.purse));
      origin := private.origin(concat_ws(' ', 'returned claim', c.id, 'run', run), claim => c.id,
        run => run);
      credit := credit + c.approved_cents - overpaid - forgiven;
      if forgiven > 0 then -- the company has it back after all
        perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
          'return_written_off', forgiven, origin, me);
      end if;
      if overpaid > 0 then
        perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
          'recover', overpaid, origin, me);
      end if;
      update claims x set version = x.version + 1
        where x.company_id = company and x.id = c.id returning * into c;
      perform private.note_event(c, 'payment_returned', me, reason,
        jsonb_build_object('amount_cents', c.approved_cents));
    end if;
  end loop;
  update pay_items x set returned_at = now(), returned_because = reason, credit_cents = credit
    where x.company_id = company and x.run_id = run and x.person_id = i.person_id;
  update pay_runs x set version = x.version + 1 where x.company_id = company and x.id = run;
  perform notify_person(person, 'payment_returned',
    jsonb_build_object('by', case when i.by_bank then 'bank' else 'payroll' end)),
    publish('admins:' || company);
end $$;

grant execute on function item_refusals, return_payment_of to healthfund_request;
