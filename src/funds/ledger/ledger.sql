-- The ledger: money moves by transfers only. Locks: everything that grants or takes back locks the
-- company's own accounts first, then people's accounts by their ids; missing accounts are opened
-- before any balance is locked. So nobody waits in a ring.

create policy your_own_and_your_companys on accounts for select to healthfund_request using (
  company_id = (select actor_company())
    and (person_id = (select actor_employee())
      or (select actor_has('finance', 'people', 'auditor')))
  or ((select actor_role()) = 'super_admin' and person_id is null));
grant select on accounts to healthfund_request;

create policy your_own_and_your_companys on transfers for select to healthfund_request using (
  company_id = (select actor_company())
    and (person_id = (select actor_employee())
      or (select actor_has('finance', 'people', 'auditor')))
  or ((select actor_role()) = 'super_admin' and person_id is null));
grant select on transfers to healthfund_request;

-- Used money is approved money, paid or not. The array is a constant to the planner, which looks
-- these kinds up in an index.
create or replace function used_kinds() returns text[]
language sql immutable return array['payable', 'paid'];
grant execute on function used_kinds to healthfund_request;

-- The account of a kind, opened at its first use. (`is not distinct from` uses no index: a person's
-- account is found by its key, the company's own among the few without a person.)
create or replace function account(company uuid, year date, kind text, category text default null,
  person uuid default null) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
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

create or replace function private.require_positive(cents bigint) returns bigint
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  if cents <= 0 then perform private.refuse('amount_must_be_positive'); end if;
  return cents;
end $$;

-- Has named parameters, as most transfers need one or two of these.
create or replace function private.origin(cause text, claim bigint default null,
  run bigint default null, undoes bigint default null, source uuid default null)
  returns private.origin
language sql immutable return row(cause, claim, run, undoes, source)::private.origin;

-- Why a person's money was moved by hand, from the row that it was moved for. A transfer is sealed,
-- so a reason in its note would outlive the person's erasure.
create or replace function reason_of(company uuid, person uuid, source uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company)
    and (person = actor_employee() or actor_has('finance', 'auditor'))
  then coalesce(
    (select a.reason from balance_adjustments a
      where a.company_id = company and a.person_id = person and a.id = source),
    (select s.reason from settled_overpayments s
      where s.company_id = company and s.person_id = person and s.id = source)) end;
grant execute on function reason_of to healthfund_request;

-- Posts thousands of transfers at once, in the order given; each has both balances after it.
create or replace function transfer_all(company uuid, year date, event text,
  postings private.posting[],
  author private.author default null) returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  posted_count bigint;
  day date := coalesce(author.occurred_on, private.today_at(company));
begin
  if coalesce(cardinality(postings), 0) = 0 then return 0; end if;
  perform private.require_positive(min(p.amount_cents)) from unnest(postings) p;
  perform from accounts a
    where a.company_id = company and a.plan_year = year and a.id = any (array(
      select p.from_account from unnest(postings) p union select p.to_account
        from unnest(postings) p))
    order by a.id for no key update;
  with posting as materialized (
    select p.* from unnest(postings) with ordinality
      as p (from_account, to_account, amount_cents, origin, person_id, at)),
  entry as (
    select at, from_account as account, -amount_cents as change from posting
    union all select at, to_account, amount_cents from posting),
  after as materialized (
    select e.at, e.account, a.balance_cents
        + sum(e.change) over (partition by e.account order by e.at)::bigint as balance_cents
      from entry e join accounts a
        on a.company_id = company and a.plan_year = year and a.id = e.account),
  moved as (
    update accounts a set balance_cents = a.balance_cents + m.change
      from (select account, sum(change)::bigint as change from entry group by account) m
      where a.company_id = company and a.plan_year = year and a.id = m.account),
  posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, claim_id, run_id, undoes, source_id,
        person_id, actor_id, occurred_on, note)
      select company, year, p.from_account, p.to_account, p.amount_cents, f.balance_cents,
          t.balance_cents, transfer_all.event, (p.origin).*, p.person_id, author.actor_id, day,
          author.note
        from posting p
        join after f on f.at = p.at and f.account = p.from_account
        join after t on t.at = p.at and t.account = p.to_account
        order by p.at
      returning id),
  queued as (
    insert into unsealed_transfers (company_id, transfer_id) select company, id from posted
      returning 1)
  select count(*) into posted_count from queued;
  return posted_count;
end $$;

-- A year has the company's own accounts from its first moment, so they come before people's in the
-- order of locks.
create or replace function private.open_accounts() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into accounts (company_id, plan_year, kind, category)
    select new.company_id, new.starts_on, o.kind, o.category
      from (values (1, 'funding', null), (2, 'unallocated', null), (3, 'pool', 'prevention'),
        (4, 'pool', 'treatment'), (5, 'pool', 'solidarity'), (6, 'forfeited', null)) o (at, kind,
          category)
      order by o.at;
  return null;
end $$;
create or replace trigger open_accounts after insert on plan_years
  for each row execute function private.open_accounts();

-- Refuses whoever may not move the company's money; answers the person, or null for the system.
create or replace function private.money_mover(company uuid) returns uuid
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if not private.is_request() then return null; end if;
  perform private.require_right_at(company, 'finance');
  return actor_id();
end $$;
