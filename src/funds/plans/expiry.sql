-- Money that nobody can use any more once its days are over: shown to its owner, and told in time.

-- As the year's end will do it (year-end.sql): what is not carried over goes back.
create or replace function expiring_money(company uuid, person uuid, today date)
returns table (category text, amount_cents bigint, use_by date, file_until date)
language sql stable
begin atomic
  select e.category, e.amount_cents, e.use_by, e.file_until from (
    select g.category,
        -- whoever is covered when the year closes takes it along like everybody
        case when g.covered_to <= file_until(y.ends_on, y.filing_days, null, y.leaver_filing_days)
          then a.balance_cents
          else a.balance_cents - case y.carry_over
            when 'all' then least(a.balance_cents, g.own_cents)
            when 'up_to' then least(a.balance_cents, g.own_cents,
              greatest(y.carry_over_max_cents - coalesce(n.carried_cents, 0), 0))
            else 0 end end as amount_cents,
        least(g.covered_to, y.ends_on) as use_by,
        file_until(y.ends_on, y.filing_days, g.covered_to, y.leaver_filing_days) as file_until
      from grants g
        join plan_years y on y.company_id = g.company_id and y.starts_on = g.plan_year
        join accounts a on a.company_id = g.company_id and a.plan_year = g.plan_year
          and a.person_id = g.person_id and a.category = g.category and a.kind = 'available'
        left join grants n on n.company_id = g.company_id and n.plan_year = y.ends_on + 1
          and n.person_id = g.person_id and n.category = g.category
      where g.company_id = company and g.person_id = person
        and y.closed_at is null and y.starts_on <= today) e
    where e.amount_cents > 0 and e.file_until >= today
    order by e.file_until, e.category;
end;

-- Four weeks before the last day of care, and two before the last day of claims: once each.
create or replace function private.notify_of_expiry(company uuid, today date) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  with due as (
    select p.id, e.use_by, e.file_until, e.use_by < today as is_over,
        sum(e.amount_cents)::bigint as cents
      from profiles p cross join lateral expiring_money(company, p.id, today) e
      where p.company_id = company and p.status = 'active'
        and (today between e.use_by - 28 and e.use_by
          or today > e.use_by and today between e.file_until - 14 and e.file_until)
      group by p.id, e.use_by, e.file_until)
  select notify_person(d.id, 'money_expires',
      jsonb_build_object('cents', d.cents, 'currency', c.currency, 'use_by', d.use_by,
        'file_until', d.file_until, 'is_over', d.is_over))
    from due d join companies c on c.id = company
    where not exists (select from notifications n where n.person_id = d.id
      and n.code = 'money_expires' and n.facts ->> 'file_until' = d.file_until::text
      and (n.facts ->> 'is_over')::boolean = d.is_over)
$$;

grant execute on function expiring_money to healthfund_request;
