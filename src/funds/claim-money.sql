-- The money of a claim: held, released, approved, returned, reversed, recovered.
-- src/payouts/runs.sql pays many claims at once.

-- Posts one step of a person's money in a category. Accounts are locked in the order of their
-- opening, whatever plan finds them, so two steps at one moment never wait for each other in a
-- ring.
create or replace function private.move_funds(of private.purse, step text, amount_cents bigint,
  origin private.origin,
  actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  -- the event in the ledger, the account it is taken from, and the one it goes to
  way constant text[] := case step
    when 'hold' then '{claim_held, available, held}'
    when 'appeal' then '{claim_appealed, available, held}'
    when 'hold_again' then '{release_undone, available, held}'
    when 'release' then '{claim_released, held, available}'
    when 'approve' then '{claim_approved, held, payable}'
    when 'undo' then '{claim_undone, payable, held}'
    when 'return' then '{payment_returned, paid, payable}'
    when 'reverse' then '{claim_reversed, payable, available}'
    when 'reverse_paid' then '{claim_reversed, paid, overpaid}'
    when 'recover' then '{overpaid_recovered, overpaid, available}'
    when 'return_written_off' then '{written_off_returned, paid, available}' end;
  change constant bigint := private.require_positive(amount_cents);
  source bigint;
  target bigint;
  source_cents bigint;
  target_cents bigint;
  touched bigint;
  cents bigint;
  posted_id bigint;
begin
  select max(a.id) filter (where a.kind = way[2]), max(a.id) filter (where a.kind = way[3])
    into source, target
    from accounts a
    where a.company_id = of.company_id and a.plan_year = of.plan_year
      and a.person_id = of.person_id and a.kind in (way[2], way[3]) and a.category = of.category;
  if source is null or target is null then
    perform private.open_claim_accounts(of);
    source := account(of.company_id, of.plan_year, way[2], of.category, of.person_id);
    target := account(of.company_id, of.plan_year, way[3], of.category, of.person_id);
  end if;
  foreach touched in array array[least(source, target), greatest(source, target)] loop
    update accounts a
      set balance_cents = a.balance_cents + case a.id when source then -change else change end
      where a.company_id = of.company_id and a.plan_year = of.plan_year and a.id = touched
      returning a.balance_cents into cents;
    if touched = source then source_cents := cents; else target_cents := cents; end if;
  end loop;
  insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
      from_balance_cents, to_balance_cents, event, cause, claim_id, run_id, undoes, person_id,
      actor_id, occurred_on)
    values (of.company_id, of.plan_year, source, target, change, source_cents, target_cents, way[1],
      way[1] || ' ' || origin.cause, origin.claim_id, origin.run_id, origin.undoes, of.person_id,
      actor, private.today_at(of.company_id))
    returning id into posted_id;
  insert into unsealed_transfers (company_id, transfer_id) values (of.company_id, posted_id);
  if way[3] = 'available' then
    perform private.lower_later(of.company_id, of.plan_year, of.person_id);
  end if;
  return posted_id;
end $$;

-- Posts the money of a claim's step. The same step may come again after an appeal or an undo, so
-- its cause has a count; an undo gives back what was moved at the count before.
create or replace function private.move_money(c claims, step text, amount_cents bigint, actor uuid)
  returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  undone constant text := case step when 'undo' then 'claim_approved'
    when 'hold_again' then 'claim_released' end;
  undoes bigint;
begin
  if undone is not null then
    select t.id into undoes from transfers t where t.company_id = c.company_id
      and t.cause = concat_ws(' ', undone, 'claim', c.id, c.attempt, nullif(c.undone - 1, 0));
  end if;
  return private.move_funds((c.company_id, c.plan_year, c.person_id, c.category)::private.purse,
    step, amount_cents, private.origin(concat_ws(' ', 'claim', c.id, c.attempt,
      nullif(c.undone, 0)), claim => c.id, undoes => undoes), actor);
end $$;

-- Opens all of a person's accounts of a category at their first claim: else two reviewers who
-- approve at one moment would both open `payable`, each holding what the other waits for.
create or replace function private.open_claim_accounts(of private.purse) returns void
language sql
begin atomic
  insert into accounts (company_id, plan_year, kind, category, person_id)
    select of.company_id, of.plan_year, o.kind, of.category, of.person_id
      from (values (1, 'held'), (2, 'payable'), (3, 'paid')) o (at, kind) order by o.at
    on conflict on constraint one_account_of_a_kind do nothing;
end;
