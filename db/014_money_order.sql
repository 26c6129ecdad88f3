-- Money in order: one order of locks, the company's own day, and nothing lost between two years.

-- Locks. Whoever grants or takes back holds the company's own accounts first, then people's accounts by their
-- ids; accounts that are missing are opened before any balance is held. So nobody waits in a ring.

-- A person's accounts of a category beyond the available one, all at their first claim: two who approve at one
-- moment would otherwise both open `payable`, each holding what the other waits for.
create function wall.open_claim_accounts(company uuid, year date, person uuid, category text) returns void
language plpgsql set search_path = public, pg_catalog as $$
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

create or replace function hold_funds(company uuid, year date, person uuid, category text,
  amount_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company, person), wall.open_claim_accounts(company, year, person, category);
  return wall.move_claim(company, year, person, category, 'available', 'held', amount_cents,
    'claim_held', cause);
end $$;

create or replace function approve_funds(company uuid, year date, person uuid, category text,
  held_cents bigint, approved_cents bigint, cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company);
  if approved_cents > held_cents then
    raise exception 'approved_more_than_held' using errcode = 'HF422';
  end if;
  perform wall.open_claim_accounts(company, year, person, category);
  if approved_cents < held_cents then
    perform wall.move_claim(company, year, person, category, 'held', 'available',
      held_cents - approved_cents, 'claim_released', cause);
  end if;
  return wall.move_claim(company, year, person, category, 'held', 'payable', approved_cents,
    'claim_approved', cause);
end $$;

-- The steps that name these accounts in another order open them in this one, too.
create or replace function pay_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company), wall.open_claim_accounts(company, year, person, category);
  return wall.move_claim(company, year, person, category, 'payable', 'paid', amount_cents,
    'claim_paid', cause);
end $$;

create or replace function return_payment(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company), wall.open_claim_accounts(company, year, person, category);
  return wall.move_claim(company, year, person, category, 'paid', 'payable', amount_cents,
    'payment_returned', cause);
end $$;

create or replace function reverse_funds(company uuid, year date, person uuid, category text, amount_cents bigint,
  cause text, was_paid boolean) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.mover(company), wall.open_claim_accounts(company, year, person, category);
  return wall.move_claim(company, year, person, category,
    case when was_paid then 'paid' else 'payable' end,
    case when was_paid then 'overpaid' else 'available' end, amount_cents, 'claim_reversed', cause);
end $$;

-- Two batches that enroll the same people hold the company's accounts one after the other.
create or replace function wall.enroll(company uuid, year date, people uuid[]) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform wall.lock_pools(company, year);
  insert into grants (company_id, plan_year, person_id, category, covered_from, covered_to, due_cents)
    select company, year, p.id, c.category, greatest(p.joined_on, year), p.left_on,
        grant_due(y, c.category, greatest(p.joined_on, year), 0)
      from unnest(people) given (id)
      cross join lateral (select * from profiles x where x.id = given.id
        and x.company_id = company offset 0) p
      cross join plan_years y
      cross join (values ('prevention'), ('treatment'), ('solidarity')) c (category)
      where y.company_id = company and y.starts_on = year and p.joined_on <= y.ends_on
        and (p.left_on is null or p.left_on >= y.starts_on)
    on conflict do nothing;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    select company, year, 'available', g.category, g.person_id
      from unnest(people) given (id)
      cross join lateral (select * from grants x where x.company_id = company and x.plan_year = year
        and x.person_id = given.id offset 0) g
    on conflict do nothing;
end $$;

-- A day in the books is the company's, wherever the server stands.
create or replace function transfer(company uuid, year date, from_account bigint, to_account bigint,
  amount_cents bigint, event text, cause text, person uuid default null, actor uuid default null,
  occurred_on date default null, note text default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  first bigint := least(from_account, to_account);
  first_change bigint := case when first = from_account then -amount_cents else amount_cents end;
  first_after bigint;
  second_after bigint;
  posted_id bigint;
begin
  if amount_cents <= 0 then
    raise exception 'amount_must_be_positive' using errcode = 'HF422';
  end if;
  update accounts a set balance_cents = a.balance_cents + first_change
    where a.company_id = company and a.plan_year = year and a.id = first
    returning a.balance_cents into first_after;
  update accounts a set balance_cents = a.balance_cents - first_change
    where a.company_id = company and a.plan_year = year
      and a.id = greatest(from_account, to_account)
    returning a.balance_cents into second_after;
  with posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on, note)
      values (company, year, transfer.from_account, transfer.to_account, transfer.amount_cents,
        case when first = transfer.from_account then first_after else second_after end,
        case when first = transfer.from_account then second_after else first_after end,
        transfer.event, transfer.cause, person, actor,
        coalesce(transfer.occurred_on, wall.today_at(company)), transfer.note)
      returning id)
  insert into unsealed_transfers (company_id, transfer_id) select company, id from posted
    returning transfer_id into posted_id;
  return posted_id;
end $$;

create or replace function transfer_all(company uuid, year date, event text, postings wall.posting[],
  actor uuid default null, note text default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  posted_count bigint;
  today date := wall.today_at(company);
begin
  if coalesce(cardinality(postings), 0) = 0 then return 0; end if;
  perform from accounts a
    where a.company_id = company and a.plan_year = year and a.id = any (array(
      select p.from_account from unnest(postings) p union select p.to_account from unnest(postings) p))
    order by a.id for no key update;
  with posting as materialized (
    select p.* from unnest(postings) with ordinality
      as p (from_account, to_account, amount_cents, cause, person_id, at)),
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
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on, note)
      select company, year, p.from_account, p.to_account, p.amount_cents, f.balance_cents,
          t.balance_cents, transfer_all.event, p.cause, p.person_id, actor, today,
          transfer_all.note
        from posting p
        join after f on f.at = p.at and f.account = p.from_account
        join after t on t.at = p.at and t.account = p.to_account
        order by p.at
      returning id),
  queued as (
    insert into unsealed_transfers (company_id, transfer_id) select company, id from posted returning 1)
  select count(*) into posted_count from queued;
  return posted_count;
end $$;

-- What comes along into the next year finds its place there, even where that year's own grants are still being
-- made; and who leaves later in that year takes it along like everybody.
create or replace function wall.close_some(company uuid, year date, after uuid, people_max integer) returns uuid
language plpgsql set search_path = public, pg_catalog as $$
declare
  next date := (select y.starts_on from plan_years y
    where y.company_id = company and y.starts_on > year order by y.starts_on limit 1);
  people uuid[] := array(select distinct g.person_id from grants g
    where g.company_id = company and g.plan_year = year
      and g.person_id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    order by g.person_id limit people_max);
begin
  if cardinality(people) > 0 then
    if next is not null then perform wall.enroll(company, next, people); end if;
    perform wall.take_back(company, year, people, 'year_closed', next);
    update grants g set due_cents = g.granted_cents where g.company_id = company and g.plan_year = year
      and g.person_id = any (people) and g.due_cents > g.granted_cents;
    return people[cardinality(people)];
  end if;
  perform wall.lock_pools(company, year), wall.lock_pools(company, next);
  if next is not null then perform wall.bring_along(company, year, next); end if;
  update plan_years set closed_at = now()
    where company_id = company and starts_on = year and closed_at is null;
  return null;
end $$;

create or replace function wall.take_back(company uuid, year date, people uuid[], event text, next date)
returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  plan plan_years;
  expired wall.posting[];
  carried_out wall.posting[];
  carried_in wall.posting[];
  returned wall.posting[];
begin
  perform wall.lock_pools(company, year), wall.lock_pools(company, next);
  select * into plan from plan_years where company_id = company and starts_on = year;
  with unspent as materialized (
    select g.person_id, g.category, a.id as account, a.balance_cents as cents, n.carried_cents as carried_before,
        -- spent is granted + carried - balance; of what was carried that much is gone
        case when event = 'left' then 0
          else greatest(a.balance_cents - g.granted_cents, 0) end as lost,
        least(a.balance_cents, g.granted_cents) as own,
        concat_ws(' ', year, g.person_id, g.category, g.changes) as cause
      from grants g
      join accounts a on a.company_id = company and a.plan_year = year and a.person_id = g.person_id
        and a.kind = 'available' and a.category = g.category
      left join grants n on n.company_id = company and n.plan_year = next
        and n.person_id = g.person_id and n.category = g.category
        and (n.covered_to is null or n.covered_to >= wall.today_at(company))
      where g.company_id = company and g.plan_year = year and g.person_id = any (people)
        and a.balance_cents > 0
      order by a.id for no key update of a),
  split as materialized (
    select u.*, case when carried_before is null then 0
        else case plan.carry_over when 'all' then cents - lost
          when 'up_to' then least(cents - lost,
            greatest(plan.carry_over_max_cents - carried_before, 0)) else 0 end end as along
      from unspent u),
  noted as (
    update grants g set carried_cents = g.carried_cents - (s.cents - s.own), changes = g.changes + 1,
        granted_cents = g.granted_cents - s.own, due_cents = g.granted_cents - s.own
      from split s where g.company_id = company and g.plan_year = year
        and g.person_id = s.person_id and g.category = s.category),
  brought as (
    update grants g set carried_cents = g.carried_cents + s.along from split s
      where s.along > 0 and g.company_id = company and g.plan_year = next
        and g.person_id = s.person_id and g.category = s.category)
  select
      array_agg((s.account, account(company, year, 'forfeited'), s.lost, 'expired ' || s.cause,
        s.person_id)::wall.posting order by s.account) filter (where s.lost > 0),
      array_agg((s.account, account(company, year, 'funding'), s.along, 'carried out ' || s.cause,
        s.person_id)::wall.posting order by s.account) filter (where s.along > 0),
      array_agg((account(company, next, 'funding'), account(company, next, 'available', s.category,
        s.person_id), s.along, 'carried in ' || s.cause, s.person_id)::wall.posting order by s.account)
        filter (where s.along > 0),
      array_agg((s.account, account(company, year, 'pool', s.category), s.cents - s.lost - s.along,
        event || ' ' || s.cause, s.person_id)::wall.posting order by s.account)
        filter (where s.cents > s.lost + s.along)
    into expired, carried_out, carried_in, returned from split s;
  return transfer_all(company, year, 'expired', expired)
    + transfer_all(company, year, 'carried_over', carried_out)
    + transfer_all(company, next, 'carried_over', carried_in)
    + transfer_all(company, year, event, returned);
end $$;

revoke execute on function wall.open_claim_accounts(uuid, date, uuid, text) from public;
