-- The money of a claim: held, released, approved, returned, reversed, recovered. (Paid it is by a
-- run, for many at once: src/payouts/runs.sql.)

-- One step of somebody's money of a category. The accounts are locked in the order of their opening
-- whatever plan finds them: two steps at one moment never wait for each other in a ring.
create or replace function private.move_funds(of private.purse, step text, amount_cents bigint,
  cause text,
  actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  -- what the ledger calls it, from where, to where
  way constant text[] := case step
    when 'hold' then '{claim_held, available, held}'
    when 'release' then '{claim_released, held, available}'
    when 'approve' then '{claim_approved, held, payable}'
    when 'undo' then '{claim_undone, payable, held}'
    when 'return' then '{payment_returned, paid, payable}'
    when 'reverse' then '{claim_reversed, payable, available}'
    when 'reverse_paid' then '{claim_reversed, paid, overpaid}'
    when 'recover' then '{overpaid_recovered, overpaid, available}'
    when 'return_written_off' then '{written_off_returned, paid, available}' end;
  change constant bigint := private.positive(amount_cents);
  posted_id bigint;
begin
  if step = 'hold' then perform private.open_claim_accounts(of); end if;
  if 'overpaid' = any (way) then
    perform account(of.company_id, of.plan_year, 'overpaid', of.category, of.person_id);
  end if;
  with locked as materialized (
    select a.id from accounts a
      where a.company_id = of.company_id and a.plan_year = of.plan_year
        and a.person_id = of.person_id
        and a.category = of.category and a.kind = any (way[2:3])
      order by a.id for no key update),
  moved as (
    update accounts a
      set balance_cents = a.balance_cents + case when a.kind = way[3] then change else -change end
      where a.company_id = of.company_id and a.plan_year = of.plan_year
        and a.id = any (array(select l.id from locked l)) and (select count(*) = 2 from locked)
      returning a.id, a.kind, a.balance_cents),
  posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on)
      select of.company_id, of.plan_year, f.id, t.id, change, f.balance_cents, t.balance_cents,
        way[1],
          way[1] || ' ' || move_funds.cause, of.person_id, actor, private.today_at(of.company_id)
        from moved f, moved t where f.kind = way[2] and t.kind = way[3]
      returning id)
  insert into unsealed_transfers (company_id, transfer_id) select of.company_id, id from posted
    returning transfer_id into posted_id;
  if posted_id is null then
    perform private.open_claim_accounts(of);
    if (select count(*) = 2 from accounts a where a.company_id = of.company_id
        and a.plan_year = of.plan_year and a.person_id = of.person_id
        and a.category = of.category and a.kind in (way[2], way[3])) then
      return private.move_funds(of, step, amount_cents, cause, actor);
    end if;
    -- Nobody was ever given anything here: the account itself says so.
    update accounts a set balance_cents = -change where a.id
      = account(of.company_id, of.plan_year, way[2], of.category, of.person_id);
  end if;
  return posted_id;
end $$;

-- The money of a claim's step, by whoever does it.
create or replace function private.move_money(c claims, step text, amount_cents bigint, actor uuid)
  returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  return private.move_funds((c.company_id, c.plan_year, c.person_id, c.category)::private.purse,
    step, amount_cents, concat_ws(' ', 'claim', c.id, c.attempt, nullif(c.undone, 0)), actor);
end $$;

-- A person's accounts of a category beyond the available one, all at their first claim: two who
-- approve at one moment would otherwise both open `payable`, each holding what the other waits for.
create or replace function private.open_claim_accounts(of private.purse) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from accounts a where a.company_id = of.company_id
      and a.plan_year = of.plan_year and a.person_id = of.person_id and a.kind = 'paid'
      and a.category = of.category) then
    return;
  end if;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    select of.company_id, of.plan_year, o.kind, of.category, of.person_id
      from (values (1, 'held'), (2, 'payable'), (3, 'paid')) o (at, kind) order by o.at
    on conflict on constraint one_account_of_a_kind do nothing;
end $$;
