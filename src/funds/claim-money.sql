-- The money of a claim: held, approved, paid, returned, reversed.

-- Moves between two kinds of a person's accounts in a category.
create or replace function private.move_claim(company uuid, year date, person uuid, category text,
  from_kind text, to_kind text, amount_cents bigint, event text, cause text) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return private.move_funds(company, year, person, category, from_kind, to_kind, amount_cents, event, cause,
    actor_id());
end $$;

-- Submitted: available → held.
create or replace function hold_funds(company uuid, year date, person uuid, category text,
  amount_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company, person), private.open_claim_accounts(company, year, person, category);
  return private.move_claim(company, year, person, category, 'available', 'held', amount_cents,
    'claim_held', cause);
end $$;

-- Rejected or withdrawn: held → available of the same year.
create or replace function release_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company, person);
  return private.move_claim(company, year, person, category, 'held', 'available', amount_cents,
    'claim_released', cause);
end $$;

-- Approved: held → payable; of a part, the rest goes back to available.
create or replace function approve_funds(company uuid, year date, person uuid, category text,
  held_cents bigint, approved_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company);
  if approved_cents > held_cents then
    raise exception 'approved_more_than_held' using errcode = 'HF422';
  end if;
  perform private.open_claim_accounts(company, year, person, category);
  if approved_cents < held_cents then
    perform private.move_claim(company, year, person, category, 'held', 'available',
      held_cents - approved_cents, 'claim_released', cause);
  end if;
  return private.move_claim(company, year, person, category, 'held', 'payable', approved_cents,
    'claim_approved', cause);
end $$;

-- The steps that name these accounts in another order open them in this one, too.
create or replace function pay_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company), private.open_claim_accounts(company, year, person, category);
  return private.move_claim(company, year, person, category, 'payable', 'paid', amount_cents,
    'claim_paid', cause);
end $$;

-- The payment did not arrive: paid → payable, to be paid again.
create or replace function return_payment(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company), private.open_claim_accounts(company, year, person, category);
  return private.move_claim(company, year, person, category, 'paid', 'payable', amount_cents,
    'payment_returned', cause);
end $$;

-- Reversed. Before payment the money is available again; after it the person owes it: paid → overpaid.
create or replace function reverse_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text, was_paid boolean) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company), private.open_claim_accounts(company, year, person, category);
  return private.move_claim(company, year, person, category,
    case when was_paid then 'paid' else 'payable' end,
    case when was_paid then 'overpaid' else 'available' end, amount_cents, 'claim_reversed', cause);
end $$;

-- A later payout was that much smaller (or the person paid it back): overpaid → available.
create or replace function recover_overpaid(company uuid, year date, person uuid, category text,
  amount_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company);
  return private.move_claim(company, year, person, category, 'overpaid', 'available', amount_cents,
    'overpaid_recovered', cause);
end $$;

-- Moves a person's money between two of their accounts of a category. The accounts are locked in the order of
-- their opening whatever plan finds them: two moves at one moment never wait for each other in a ring.
create or replace function private.move_funds(company uuid, year date, person uuid, category text,
  from_kind text, to_kind text, amount_cents bigint, event text, cause text, actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  posted_id bigint;
  change bigint := amount_cents;
begin
  if amount_cents <= 0 then
    raise exception 'amount_must_be_positive' using errcode = 'HF422';
  end if;
  perform private.open_claim_accounts(company, year, person, category);
  if 'overpaid' in (from_kind, to_kind) then
    perform account(company, year, 'overpaid', category, person);
  end if;
  with locked as materialized (
    select a.id from accounts a
      where a.company_id = company and a.plan_year = year and a.person_id = person
        and a.category = move_funds.category and a.kind in (from_kind, to_kind)
      order by a.id for no key update),
  moved as (
    update accounts a
      set balance_cents = a.balance_cents + case when a.kind = to_kind then change else -change end
      where a.company_id = company and a.plan_year = year and a.id = any (array(select l.id from locked l))
      returning a.id, a.kind, a.balance_cents),
  posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on)
      select company, year, f.id, t.id, change, f.balance_cents, t.balance_cents, move_funds.event,
          move_funds.event || ' ' || move_funds.cause, person, actor, private.today_at(company)
        from moved f, moved t where f.kind = from_kind and t.kind = to_kind
      returning id)
  insert into unsealed_transfers (company_id, transfer_id) select company, id from posted
    returning transfer_id into posted_id;
  if posted_id is null then -- nobody was ever given anything here, so there is nothing to move
    raise exception '%', case when from_kind = 'available' then 'fund_exhausted' else 'amount_not_there' end
      using errcode = 'HF422';
  end if;
  return posted_id;
end $$;

-- The money of a claim's step, by whoever does it.
create or replace function private.move_money(c claims, from_kind text, to_kind text, amount_cents bigint, event text,
  actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return private.move_funds(c.company_id, c.plan_year, c.person_id, c.category, from_kind, to_kind,
    amount_cents, event, concat_ws(' ', 'claim', c.id, c.attempt), actor);
end $$;

-- A person's accounts of a category beyond the available one, all at their first claim: two who approve at one
-- moment would otherwise both open `payable`, each holding what the other waits for.
create or replace function private.open_claim_accounts(company uuid, year date, person uuid, category text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from accounts a where a.company_id = company and a.plan_year = year
      and a.person_id = person and a.kind = 'paid' and a.category = open_claim_accounts.category) then
    return;
  end if;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    select company, year, o.kind, open_claim_accounts.category, person
      from (values (1, 'held'), (2, 'payable'), (3, 'paid')) o (at, kind) order by o.at
    on conflict on constraint one_account_of_a_kind do nothing;
end $$;

grant execute on function hold_funds, release_funds, approve_funds, pay_funds, return_payment,
  reverse_funds, recover_overpaid to healthfund_request;
