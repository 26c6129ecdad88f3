-- Money that expires when its days are over: shown to its owner, and notified in time.

create or replace function expiring_money(company uuid, person uuid, today date)
returns table (category text, amount_cents bigint, use_by date, filing_ends_on date)
language sql stable
begin atomic
  select u.category, u.cents - u.along_cents, least(u.covered_to, y.ends_on), f.until
    from plan_years y
      cross join lateral unspent_balances(y.company_id, y.starts_on, array[expiring_money.person]) u
      cross join lateral (select filing_ends_on(y.ends_on, y.filing_days, u.covered_to,
        y.leaver_filing_days) as until) f
    -- A closed year is left out before its money is read; the last day is known only with it.
    where y.company_id = expiring_money.company and year_refusal(y) is null
      and y.starts_on <= expiring_money.today
      and u.cents > u.along_cents and filing_refusal(y, f.until, expiring_money.today) is null
    order by f.until, u.category;
end;

-- Notifies a leaver of their last day and the time to claim, unless the last notice said the same.
create or replace function private.notify_of_last_day(person uuid) returns void
language sql
begin atomic
  with notified as materialized (
    select n.code, n.facts ->> 'left_on' as left_on from notifications n
      where n.person_id = person and n.code in ('last_day_set', 'last_day_removed')
      order by n.id desc limit 1)
  select notify_person(p.id, case when p.left_on is null then 'last_day_removed'
      else 'last_day_set' end,
    jsonb_strip_nulls(jsonb_build_object('left_on', p.left_on,
      'is_over', p.left_on < private.today_at(p.company_id),
      'filing_ends_on', filing_ends_on(y.ends_on, y.filing_days, p.left_on, y.leaver_filing_days))))
    from profiles p
      left join plan_years y on y.company_id = p.company_id
        and p.left_on between y.starts_on and y.ends_on
      left join notified h on true
    where p.id = person and p.status = 'active' and p.erased_at is null
      and private.has_benefits(p.role, p.has_own)
      and p.left_on::text is distinct from case h.code when 'last_day_set' then h.left_on end;
end;

-- Notifies once four weeks before the last day of care, and once two weeks before the last day for
-- claims.
create or replace function private.notify_of_expiry(company uuid, today date) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  with due as (
    select p.id, e.use_by, e.filing_ends_on, e.use_by < today as is_over,
        sum(e.amount_cents)::bigint as cents
      from profiles p cross join lateral expiring_money(company, p.id, today) e
      where p.company_id = company and p.status = 'active'
        and (today between e.use_by - 28 and e.use_by
          or today > e.use_by and today between e.filing_ends_on - 14 and e.filing_ends_on)
      group by p.id, e.use_by, e.filing_ends_on)
  select notify_person(d.id, 'money_expires',
      jsonb_build_object('cents', d.cents, 'currency', c.currency, 'use_by', d.use_by,
        'filing_ends_on', d.filing_ends_on, 'is_over', d.is_over))
    from due d join companies c on c.id = company
    where not exists (select from notifications n where n.person_id = d.id
      and n.code = 'money_expires' and n.facts ->> 'filing_ends_on' = d.filing_ends_on::text
      and (n.facts ->> 'is_over')::boolean = d.is_over)
$$;

grant execute on function expiring_money to healthfund_request;
