-- What a claim does to money: each step one call. `cause` names the claim and its attempt ('claim <id> 1'); a
-- step happens once for it. All accounts of a claim are one person's, so claims of a company never queue.

-- Moves between two kinds of a person's accounts in a category.
create function wall.move_claim(company uuid, year date, person uuid, category text, from_kind text,
  to_kind text, amount_cents bigint, event text, cause text) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
begin
  return transfer(company, year, account(company, year, from_kind, category, person),
    account(company, year, to_kind, category, person), amount_cents, event, event || ' ' || cause,
    person, actor_id());
end $$;

-- Submitted: available → held.
create function hold_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company, person);
  return wall.move_claim(company, year, person, category, 'available', 'held', amount_cents,
    'claim_held', cause);
end $$;

-- Rejected or withdrawn: held → available of the same year.
create function release_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company, person);
  return wall.move_claim(company, year, person, category, 'held', 'available', amount_cents,
    'claim_released', cause);
end $$;

-- Approved: held → payable; of a part, the rest goes back to available.
create function approve_funds(company uuid, year date, person uuid, category text, held_cents bigint,
  approved_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  if approved_cents > held_cents then
    raise exception 'approved_more_than_held' using errcode = 'HF422';
  end if;
  if approved_cents < held_cents then
    perform wall.move_claim(company, year, person, category, 'held', 'available',
      held_cents - approved_cents, 'claim_released', cause);
  end if;
  return wall.move_claim(company, year, person, category, 'held', 'payable', approved_cents,
    'claim_approved', cause);
end $$;

-- Paid: payable → paid.
create function pay_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  return wall.move_claim(company, year, person, category, 'payable', 'paid', amount_cents,
    'claim_paid', cause);
end $$;

-- The payment did not arrive: paid → payable, to be paid again.
create function return_payment(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  return wall.move_claim(company, year, person, category, 'paid', 'payable', amount_cents,
    'payment_returned', cause);
end $$;

-- Reversed. Before payment the money is available again; after it the person owes it: paid → overpaid.
create function reverse_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text, was_paid boolean) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  return wall.move_claim(company, year, person, category,
    case when was_paid then 'paid' else 'payable' end,
    case when was_paid then 'overpaid' else 'available' end, amount_cents, 'claim_reversed', cause);
end $$;

-- A later payout was that much smaller (or the person paid it back): overpaid → available.
create function recover_overpaid(company uuid, year date, person uuid, category text,
  amount_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  return wall.move_claim(company, year, person, category, 'overpaid', 'available', amount_cents,
    'overpaid_recovered', cause);
end $$;

do $$
declare name text;
begin
  foreach name in array array[
    'hold_funds(uuid, date, uuid, text, bigint, text)', 'release_funds(uuid, date, uuid, text, bigint, text)',
    'approve_funds(uuid, date, uuid, text, bigint, bigint, text)',
    'pay_funds(uuid, date, uuid, text, bigint, text)', 'return_payment(uuid, date, uuid, text, bigint, text)',
    'reverse_funds(uuid, date, uuid, text, bigint, text, boolean)',
    'recover_overpaid(uuid, date, uuid, text, bigint, text)'] loop
    execute format('revoke execute on function %s from public', name);
    execute format('grant execute on function %s to healthfund_request', name);
  end loop;
end $$;
revoke execute on function
  wall.move_claim(uuid, date, uuid, text, text, text, bigint, text, text) from public;
