-- As 014 has it, but the accounts are locked in the order of their opening whatever plan finds them: two moves of a
-- person's money at one moment never wait for each other in a ring.
create or replace function wall.move_funds(company uuid, year date, person uuid, category text,
  from_kind text, to_kind text, amount_cents bigint, event text, cause text, actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  posted_id bigint;
  change bigint := amount_cents;
begin
  if amount_cents <= 0 then
    raise exception 'amount_must_be_positive' using errcode = 'HF422';
  end if;
  perform wall.open_claim_accounts(company, year, person, category);
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
          move_funds.event || ' ' || move_funds.cause, person, actor, wall.today_at(company)
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
