-- The company's own money: contributed, allocated, rebalanced.

-- Why no money can come in for a company; null while it can.
create or replace function contribution_refusal(status text) returns text
language sql immutable
return case when status <> 'active' then 'company_not_active' end;

create or replace function private.notify_of_contribution(company uuid, code text,
  amount_cents bigint, reference text) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select notify_right_holders(company, code, jsonb_build_object('cents', amount_cents,
      'currency', c.currency, 'reference', reference))
    from companies c where c.id = company
$$;

-- Records money that came in, by the provider. A reference is recorded once, and again only if its
-- contribution was reversed: the cause has a count before the reference, so that no other reference
-- reads the same.
create or replace function contribute(company uuid, year date, amount_cents bigint,
  occurred_on date, reference text)
returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  earlier bigint[] := array(select t.id from transfers t where t.company_id = company
    and t.event = 'contribution' and t.note = contribute.reference);
  named constant text := concat_ws(' ', 'contributed', cardinality(earlier) + 1, reference);
begin
  if private.is_request() then perform private.require_role('super_admin'); end if;
  perform private.refuse(contribution_refusal((select c.status from companies c
    where c.id = company for share)));
  perform private.lock_open_year(company, year), private.refuse(case
    when occurred_on > private.today_at(company) then 'day_to_come'
    when occurred_on < year - interval '1 year' then 'day_long_past' end);
  if exists (select from unnest(earlier) e (id) where not exists (select from transfers r
      where r.company_id = company and r.undoes = e.id)) then
    perform private.refuse('contribution_already_recorded');
  end if;
  perform publish('admins:' || company), publish('supers');
  perform transfer_all(company, year, 'contribution', array[(account(company, year, 'funding'),
      account(company, year, 'unallocated'), contribute.amount_cents, private.origin(named),
      null)::private.posting], (actor_id(), contribute.occurred_on, reference)::private.author);
  perform private.notify_of_contribution(company, 'contribution_recorded', amount_cents, reference);
  return (select t.id from transfers t where t.company_id = company and t.cause = named);
end $$;

-- Why a contribution can't be reversed; null while it can. Money allocated to a category has to be
-- moved back first, as the account can't go below zero.
create or replace function reversal_refusal(company uuid, contribution bigint) returns text
language sql stable
return (select case
    when exists (select from transfers r where r.company_id = company and r.undoes = t.id)
      then 'contribution_already_reversed'
    else coalesce(year_refusal(y), case
      when a.balance_cents < t.amount_cents then 'contribution_allocated' end) end
  from transfers t
    join plan_years y on y.company_id = t.company_id and y.starts_on = t.plan_year
    join accounts a on a.company_id = t.company_id and a.plan_year = t.plan_year
      and a.id = t.to_account
  where t.company_id = company and t.id = contribution and t.event = 'contribution');

-- A contribution recorded by mistake is reversed by a transfer of its own, with the reason.
create or replace function reverse_contribution(company uuid, contribution bigint, reason text)
  returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare done transfers;
begin
  perform private.require_role('super_admin');
  select * into done from transfers t
    where t.company_id = company and t.id = contribution and t.event = 'contribution';
  if done.id is null then perform private.refuse('not_found'); end if;
  perform private.lock_pools(company, done.plan_year);
  perform private.refuse(reversal_refusal(company, done.id));
  perform publish('admins:' || company), publish('supers');
  perform private.notify_of_contribution(company, 'contribution_reversed', done.amount_cents,
    done.note);
  return transfer_all(company, done.plan_year, 'contribution_reversed', array[(done.to_account,
      done.from_account, done.amount_cents,
      private.origin('contribution_reversed ' || done.id, undoes => done.id),
      null)::private.posting],
    (actor_id(), null, reason)::private.author);
end $$;

-- The largest contribution that still stands: ten times as much may be a typo.
create or replace function largest_contribution(company uuid) returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select max(t.amount_cents) from transfers t
  where actor_role() = 'super_admin' and t.company_id = company and t.event = 'contribution'
    and not exists (select from transfers r where r.company_id = company
      and r.undoes = t.id));

-- The record of changes has those transfers by people that no other row records.
create or replace trigger audit after insert on transfers for each row
  when (new.event in ('contribution', 'contribution_reversed', 'allocation', 'deallocation',
    'rebalance', 'rebalance_undone', 'overpaid_paid_back', 'overpaid_written_off'))
  execute function audited('from_account', 'to_account', 'from_balance_cents', 'to_balance_cents',
    'cause', 'run_id', 'undoes', 'source_id', 'person_id', 'actor_id');

-- Moves unallocated money into the pools, or back (`back`), and then grants people who wait, in
-- order. `input`: {prevention_cents, treatment_cents, solidarity_cents, act, note}.
create or replace function allocate(company uuid, year date, input jsonb, back boolean)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who uuid := private.money_mover(company);
  unallocated bigint := account(company, year, 'unallocated');
  pool record;
begin
  perform private.lock_open_year(company, year);
  for pool in
    select a.id, a.category, w.cents from accounts a
      cross join lateral (select (input -> (a.category || '_cents'))::bigint as cents) w
      where a.company_id = company and a.plan_year = year and a.kind = 'pool' and w.cents <> 0
      order by a.id
  loop
    perform transfer_all(company, year, case when back then 'deallocation' else 'allocation' end,
      array[(case when back then pool.id else unallocated end,
        case when back then unallocated else pool.id end, pool.cents,
        private.origin(concat_ws(' ', 'allocation', input ->> 'act', pool.category)),
        null)::private.posting],
      (who, null, input ->> 'note')::private.author);
  end loop;
  if not back then perform private.grant_soon(company, year); end if;
  perform publish('admins:' || company);
end $$;

-- Checks that a year is open while its pools are locked: closing it locks them, too.
create or replace function private.lock_open_year(company uuid, year date) returns void
language plpgsql volatile set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_pools(company, year);
  perform private.refuse(year_refusal(y)) from plan_years y
    where y.company_id = company and y.starts_on = year;
end $$;

-- `change` has the pools as they should be (`targets`) and as the admin saw them (`expected`), act
-- and note. Only ungranted money moves, and the sum of the pools stays.
create or replace function rebalance(company uuid, year date, change jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who uuid := private.money_mover(company);
  pools bigint[];
  balances bigint[];
  balances_expected bigint[];
  targets bigint[];
  moved bigint;
  giver integer;
  taker integer;
begin
  perform private.lock_open_year(company, year);
  select array_agg(a.id order by a.id), array_agg(a.balance_cents order by a.id),
      array_agg((change -> 'expected' -> (a.category || '_cents'))::bigint order by a.id),
      array_agg((change -> 'targets' -> (a.category || '_cents'))::bigint order by a.id)
    into pools, balances, balances_expected, targets
    from accounts a where a.company_id = company and a.plan_year = year and a.kind = 'pool';
  if balances <> balances_expected then perform private.refuse('pools_changed'); end if;
  if targets[1] + targets[2] + targets[3] <> balances[1] + balances[2] + balances[3] then
    perform private.refuse('rebalance_keeps_the_sum');
  end if;
  if targets = balances then perform private.refuse('nothing_to_move'); end if;
  for giver in 1..3 loop
    for taker in 1..3 loop
      moved := least(balances[giver] - targets[giver], targets[taker] - balances[taker]);
      continue when moved <= 0;
      perform transfer_all(company, year, 'rebalance', array[(pools[giver], pools[taker], moved,
          private.origin(concat_ws(' ', 'rebalance', change ->> 'act', giver, taker),
            source => (change ->> 'act')::uuid), null)::private.posting],
        (who, null, change ->> 'note')::private.author);
      balances[giver] := balances[giver] - moved;
      balances[taker] := balances[taker] + moved;
    end loop;
  end loop;
  perform private.grant_soon(company, year), publish('admins:' || company);
end $$;

-- Why a rebalance can't be undone; null while it can.
create or replace function rebalance_refusal(company uuid, act uuid) returns text
language sql stable
return (select case
    when bool_or(m.undone) then 'rebalance_already_undone'
    else coalesce(max(year_refusal(y)),
      case when bool_or(m.cents > a.balance_cents) then 'pool_exhausted' end) end
  from (select t.company_id, t.plan_year, t.to_account, sum(t.amount_cents) as cents,
        bool_or(u.id is not null) as undone
      from transfers t left join transfers u on u.company_id = t.company_id and u.undoes = t.id
      where t.company_id = company and t.event = 'rebalance' and t.source_id = act
      group by t.company_id, t.plan_year, t.to_account) m
    join plan_years y on y.company_id = m.company_id and y.starts_on = m.plan_year
    join accounts a on a.company_id = m.company_id and a.plan_year = m.plan_year
      and a.id = m.to_account);

-- Undoes a rebalance, once, as far as the pools still have the money.
create or replace function undo_rebalance(company uuid, act uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who uuid := private.money_mover(company);
  done transfers;
  year date;
begin
  select t.plan_year into year from transfers t
    where t.company_id = company and t.event = 'rebalance' and t.source_id = act
    limit 1;
  if year is null then perform private.refuse('not_found'); end if;
  perform private.lock_pools(company, year);
  perform private.refuse(rebalance_refusal(company, act));
  for done in select * from transfers t where t.company_id = company and t.event = 'rebalance'
    and t.source_id = act order by t.id
  loop
    perform transfer_all(company, year, 'rebalance_undone',
      array[(done.to_account, done.from_account,
        done.amount_cents, private.origin('rebalance_undone ' || done.id, undoes => done.id,
          source => act), null)::private.posting],
      (who, null, done.note)::private.author);
  end loop;
  perform private.grant_soon(company, year), publish('admins:' || company);
end $$;

-- How much each company's people used, and how many people used something `days_ago` (counted up to
-- five). Use by fewer than five people is shown to their own HR alone. 25 accounts are enough to
-- find five people, as a person has six of this kind at most.
create or replace function used_by_few(days_ago integer) returns table (part text, sum text,
  people integer, size bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('super_admin');
  return query select y.company_id::text, y.currency, few.people, coalesce((
        select sum(t.balance_cents) from fund_totals t where t.company_id = y.company_id
          and t.plan_year = y.plan_year and t.kind = any (used_kinds())), 0)::bigint
    from private.platform_years(days_ago) y
    cross join lateral (select least(count(distinct u.person_id), 5)::integer as people from (
      select a.person_id from accounts a where a.company_id = y.company_id
        and a.plan_year = y.plan_year
        and a.kind = any (used_kinds()) and a.person_id is not null and a.balance_cents <> 0
        and (days_ago = 0 or exists (select from transfers t where t.company_id = a.company_id
          and t.to_account = a.id and t.posted_at < now() - make_interval(days => days_ago)))
      limit 25) u) few
    -- Companies in which nothing had been used by then are skipped.
    where days_ago = 0 or exists (select from private.fund_changes f
      where f.company_id = y.company_id and f.plan_year = y.plan_year
        and f.kind = any (used_kinds()) and f.day <= y.day);
end $$;

grant execute on function contribution_refusal, reversal_refusal, rebalance_refusal,
  reverse_contribution, largest_contribution, used_by_few, contribute, allocate, rebalance,
  undo_rebalance to healthfund_request;
