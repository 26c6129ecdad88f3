-- The end of a year or of an employment: unspent money is carried over, goes back, or expires.

-- The money that people have left in a year, and how much of the year's own part is carried over
-- when it closes. Money carried into the year was spent first, and the rest of it expires. Carried
-- money goes to people who are covered on the day after the last day for claims, and have a grant
-- of the next year or get one then. The same figures are shown before the year closes, and posted.
create or replace function unspent_balances(company uuid, year date, people uuid[])
returns table (person_id uuid, category text, account_id bigint, cents bigint, own_cents bigint,
  along_cents bigint, covered_to date)
language sql stable
begin atomic
  select g.person_id, g.category, a.id, a.balance_cents, least(a.balance_cents, g.own_cents),
      case when not t.comes or p.left_on < greatest(d.today,
          filing_ends_on(y.ends_on, y.filing_days, null, null) + 1) then 0
        when y.carry_over = 'all' then least(a.balance_cents, g.own_cents)
        when y.carry_over = 'up_to' then least(a.balance_cents, g.own_cents,
          greatest(y.carry_over_max_cents - t.carried, 0))
        else 0 end, g.covered_to
    from plan_years y
      cross join (select company_today(unspent_balances.company) as today) d
      left join lateral (select n.starts_on, n.ends_on from plan_years n
        where n.company_id = y.company_id and n.starts_on > y.starts_on
        order by n.starts_on limit 1) n on true
      join grants g on g.company_id = y.company_id and g.plan_year = y.starts_on
        and g.person_id = any (unspent_balances.people)
      join accounts a on a.company_id = g.company_id and a.plan_year = g.plan_year
        and a.person_id = g.person_id and a.category = g.category and a.kind = 'available'
      left join grants c on c.company_id = g.company_id and c.plan_year = n.starts_on
        and c.person_id = g.person_id and c.category = g.category
      join profiles p on p.id = g.person_id
      cross join lateral (select c.person_id is not null or is_granted(p,
          coalesce(n.starts_on, y.ends_on + 1), coalesce(n.ends_on, 'infinity')) as comes,
        coalesce(c.carried_cents, 0) as carried) t
    where y.company_id = unspent_balances.company and y.starts_on = unspent_balances.year;
end;

-- Returns these people's unspent money to the pools, or carries it over. Answers how many
-- transfers.
create or replace function private.reclaim_unspent(company uuid, year date, people uuid[],
  event text,
  next date)
returns bigint
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  expired private.posting[];
  carried_out private.posting[];
  carried_in private.posting[];
  returned private.posting[];
begin
  perform private.lock_pools(company, year), private.lock_pools(company, next);
  perform from accounts a where a.company_id = company and a.plan_year = year
    and a.person_id = any (people) and a.kind = 'available' and a.balance_cents > 0
    order by a.id for no key update;
  with split as materialized (
    select u.person_id, u.category, u.account_id as account, u.cents, u.own_cents as own,
        least(u.cents, g.granted_cents) as granted,
        case when event = 'left' then 0 else u.cents - u.own_cents end as lost,
        case when next is null then 0 else u.along_cents end as along,
        concat_ws(' ', year, g.person_id, g.category, g.changes) as cause
      from unspent_balances(company, year, people) u
      join grants g on g.company_id = company and g.plan_year = year
        and g.person_id = u.person_id and g.category = u.category
      where u.cents > 0),
  noted as (
    update grants g set carried_cents = g.carried_cents - (s.cents - s.own),
      changes = g.changes + 1,
        adjusted_cents = g.adjusted_cents - (s.own - s.granted),
        granted_cents = g.granted_cents - s.granted, due_cents = g.granted_cents - s.granted
      from split s where g.company_id = company and g.plan_year = year
        and g.person_id = s.person_id and g.category = s.category),
  brought as (
    update grants g set carried_cents = g.carried_cents + s.along from split s
      where s.along > 0 and g.company_id = company and g.plan_year = next
        and g.person_id = s.person_id and g.category = s.category)
  select
      array_agg((s.account, account(company, year, 'forfeited'), s.lost,
        private.origin('expired ' || s.cause), s.person_id)::private.posting
          order by s.account) filter (where s.lost > 0),
      array_agg((s.account, account(company, year, 'funding'), s.along,
        private.origin('carried out ' || s.cause), s.person_id)::private.posting
          order by s.account) filter (where s.along > 0),
      array_agg((account(company, next, 'funding'), account(company, next, 'available', s.category,
        s.person_id), s.along, private.origin('carried in ' || s.cause),
        s.person_id)::private.posting order by s.account) filter (where s.along > 0),
      array_agg((s.account, account(company, year, 'pool', s.category), s.cents - s.lost - s.along,
        private.origin(event || ' ' || s.cause), s.person_id)::private.posting order by s.account)
        filter (where s.cents > s.lost + s.along)
    into expired, carried_out, carried_in, returned from split s;
  return transfer_all(company, year, 'expired', expired)
    + transfer_all(company, year, 'carried_over', carried_out)
    + transfer_all(company, next, 'carried_over', carried_in)
    + transfer_all(company, year, event, returned);
end $$;

-- The first day on which a last day that was set or removed on this day is final: the day in
-- between is left to notice a mistake.
create or replace function last_day_final_on(left_set_on date) returns date
language sql immutable
return left_set_on + 2;

-- The first day on which money goes back that could be claimed until a day: once that day is over
-- and the last day is final.
create or replace function unspent_returns_on(until date, left_set_on date) returns date
language sql immutable
return case when until is not null then greatest(until + 1, last_day_final_on(left_set_on)) end;
grant execute on function last_day_final_on, unspent_returns_on to healthfund_request;

-- Settles leavers whose time to file is over, by their last day as it is now: grants of a closed
-- year keep the day that they had. Cancelling the departure does not bring back carried or adjusted
-- money.
create or replace function private.settle_leavers(company uuid, today date) returns bigint
language sql set search_path = public, pg_catalog, pg_temp as $$
  select coalesce(sum(private.reclaim_unspent(company, l.plan_year, l.people, 'left', null)),
    0) from (
    select g.plan_year, array_agg(distinct g.person_id) as people
      from grants g join plan_years y on y.company_id = g.company_id and y.starts_on = g.plan_year
      join accounts a on a.company_id = company and a.plan_year = g.plan_year
        and a.person_id = g.person_id and a.category = g.category and a.kind = 'available'
      join profiles p on p.company_id = g.company_id and p.id = g.person_id
      where g.company_id = company
        and g.covered_to is not null
        and unspent_returns_on(leaver_filing_ends_on(p.left_on, y.leaver_filing_days),
          p.left_set_on) <= today
        and a.balance_cents > 0
      group by g.plan_year order by g.plan_year) l
$$;

-- Closes a year for some people. Carry-over enrols them in the next year, even while that year's
-- grants are still being made; a leaver of that year keeps it like everybody else. Money of
-- somebody whose last day is not final stays until the closed year is looked at again.
create or replace function private.close_year_for_some(company uuid, year date, today date,
  after uuid, people_max integer) returns uuid
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  next date := (select y.starts_on from plan_years y
    where y.company_id = company and y.starts_on > year order by y.starts_on limit 1);
  people uuid[] := array(select distinct g.person_id from grants g
    where g.company_id = company and g.plan_year = year
      and g.person_id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    order by g.person_id limit people_max);
begin
  if cardinality(people) > 0 then
    if next is not null then perform private.enroll(company, next, people); end if;
    perform private.reclaim_unspent(company, year, array(select p.id from profiles p
      where p.id = any (people) and coalesce(last_day_final_on(p.left_set_on) <= today, true)),
      'year_closed', next);
    update grants g set due_cents = g.granted_cents where g.company_id = company
      and g.plan_year = year
      and g.person_id = any (people) and g.due_cents > g.granted_cents;
    return people[cardinality(people)];
  end if;
  perform private.lock_pools(company, year), private.lock_pools(company, next);
  if next is not null then perform private.carry_over_company_funds(company, year, next); end if;
  update plan_years set closed_at = now()
    where company_id = company and starts_on = year and closed_at is null;
  return null;
end $$;

create or replace function private.carry_over_company_funds(company uuid, year date, next date)
returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  unallocated bigint := account(company, year, 'unallocated');
  pool record;
  left_cents bigint;
  act text := gen_random_uuid()::text;
begin
  for pool in select a.id, a.balance_cents from accounts a where a.company_id = company
    and a.plan_year = year and a.kind = 'pool' and a.balance_cents > 0 order by a.id
  loop
    perform transfer_all(company, year, 'year_closed',
      array[(pool.id, unallocated, pool.balance_cents,
      private.origin(concat_ws(' ', 'year closed', act, pool.id)), null)::private.posting]);
  end loop;
  select a.balance_cents into left_cents from accounts a
    where a.company_id = company and a.plan_year = year and a.id = unallocated;
  if left_cents > 0 then
    perform transfer_all(company, year, 'carried_over', array[(unallocated,
        account(company, year, 'funding'), left_cents,
        private.origin('carried out ' || act), null)::private.posting]),
      transfer_all(company, next, 'carried_over', array[(account(company, next, 'funding'),
        account(company, next, 'unallocated'), left_cents,
        private.origin('carried in ' || act), null)::private.posting]);
  end if;
end $$;

grant execute on function unspent_balances to healthfund_request;
