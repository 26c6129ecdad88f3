-- Claims' money, at the speed of claims: the same transfers as in 006 and 009, in fewer statements.

-- The account of a kind; one that has never been needed is opened. (As in 006, but `is not distinct from` knows
-- no index: a person's account is found by its key, the company's own among the few that name nobody.)
create or replace function account(company uuid, year date, kind text, category text default null,
  person uuid default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare found_id bigint;
begin
  if person is not null then
    select a.id into found_id from accounts a
      where a.company_id = company and a.plan_year = year and a.kind = account.kind
        and a.category = account.category and a.person_id = person;
  else
    select a.id into found_id from accounts a
      where a.company_id = company and a.plan_year = year and a.kind = account.kind
        and a.category is not distinct from account.category and a.person_id is null;
  end if;
  if found_id is not null then return found_id; end if;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    values (company, year, account.kind, account.category, person)
    on conflict on constraint one_account_of_a_kind do nothing
    returning id into found_id;
  if found_id is not null then return found_id; end if;
  return account(company, year, kind, category, person); -- somebody opened it meanwhile
end $$;

-- Moves between two kinds of a person's accounts in a category: both balances and the transfer in one statement.
-- The two rows are found, and locked, in the order of the accounts' key, as by every other claim's act.
create function wall.move_funds(company uuid, year date, person uuid, category text, from_kind text,
  to_kind text, amount_cents bigint, event text, cause text, actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  posted_id bigint;
  change bigint := amount_cents;
begin
  if amount_cents <= 0 then
    raise exception 'amount_must_be_positive' using errcode = 'HF422';
  end if;
  with moved as (
    update accounts a
      set balance_cents = a.balance_cents + case when a.kind = to_kind then change else -change end
      where a.company_id = company and a.plan_year = year and a.person_id = person
        and a.category = move_funds.category and a.kind in (from_kind, to_kind)
      returning a.id, a.kind, a.balance_cents),
  posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on)
      select company, year, f.id, t.id, change, f.balance_cents, t.balance_cents, move_funds.event,
          move_funds.event || ' ' || move_funds.cause, person, actor, current_date
        from moved f, moved t where f.kind = from_kind and t.kind = to_kind
      returning id)
  insert into unsealed_transfers (company_id, transfer_id) select company, id from posted
    returning transfer_id into posted_id;
  if posted_id is not null then return posted_id; end if;
  -- One of them was never needed before: it is opened, and what moved already moves again.
  update accounts a
    set balance_cents = a.balance_cents - case when a.kind = to_kind then change else -change end
    where a.company_id = company and a.plan_year = year and a.person_id = person
      and a.category = move_funds.category and a.kind in (from_kind, to_kind);
  perform account(company, year, from_kind, category, person),
    account(company, year, to_kind, category, person);
  return wall.move_funds(company, year, person, category, from_kind, to_kind, amount_cents, event, cause,
    actor);
end $$;

create or replace function wall.move_claim(company uuid, year date, person uuid, category text,
  from_kind text, to_kind text, amount_cents bigint, event text, cause text) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
begin
  return wall.move_funds(company, year, person, category, from_kind, to_kind, amount_cents, event, cause,
    actor_id());
end $$;

-- The money of a claim's step, by whoever does it.
create function wall.move_money(c claims, from_kind text, to_kind text, amount_cents bigint, event text,
  actor uuid) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
begin
  return wall.move_funds(c.company_id, c.plan_year, c.person_id, c.category, from_kind, to_kind,
    amount_cents, event, concat_ws(' ', 'claim', c.id, c.attempt), actor);
end $$;
revoke execute on function account(uuid, date, text, text, uuid),
  wall.move_funds(uuid, date, uuid, text, text, text, bigint, text, text, uuid),
  wall.move_claim(uuid, date, uuid, text, text, text, bigint, text, text),
  wall.move_money(claims, text, text, bigint, text, uuid) from public;
