-- Alerts that money runs out, each once a year.

create policy yours_and_your_companys on fund_alerts for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_id())
      or (person_id is null and (select actor_role()) = 'company_admin')));
grant select on fund_alerts to healthfund_request;

-- The sums of each category in each plan year: allocated, granted, used, held, available, free.
create or replace view category_funds with (security_barrier) as
  select company_id, plan_year, category,
      sum(balance_cents)::bigint as allocated_cents,
      sum(balance_cents) filter (where kind <> 'pool')::bigint as granted_cents,
      coalesce(sum(balance_cents) filter (where kind = any (used_kinds())),
        0)::bigint as used_cents,
      coalesce(sum(balance_cents) filter (where kind = 'held'), 0)::bigint as held_cents,
      coalesce(sum(balance_cents) filter (where kind = 'available'), 0)::bigint as available_cents,
      coalesce(sum(balance_cents) filter (where kind = 'overpaid'), 0)::bigint as overpaid_cents,
      coalesce(sum(balance_cents) filter (where kind = 'pool'), 0)::bigint as free_cents
    from fund_totals where category is not null
    group by company_id, plan_year, category;
comment on view category_funds is 'Each category of each plan year: allocated, granted, used, held, available, free.';
grant select on category_funds to healthfund_request;

-- The percentage for cards and alerts, rounded down: rounded to the nearest, a card would say 80
-- before the alert of 80 came.
create or replace function percent_of(part numeric, whole numeric) returns integer
language sql immutable
return coalesce(div(100 * part, nullif(whole, 0)), 0)::integer;
grant execute on function percent_of to healthfund_request;

-- Notes the marks (60, 80 and 95 percent used) that a company has passed. The job that seals
-- transfers calls it.
create or replace function private.note_alerts(company uuid) returns void
language sql
begin atomic
  insert into fund_alerts (company_id, plan_year, category, percent, balance_cents)
    select company, f.plan_year, f.category, m.percent, f.allocated - f.used
      from (select t.plan_year, t.category, sum(t.balance_cents) as allocated,
          sum(t.balance_cents) filter (where t.kind = any (used_kinds())) as used
        from private.fund_totals t join plan_years y
          on y.company_id = t.company_id and y.starts_on = t.plan_year and y.closed_at is null
        where t.company_id = company and t.category is not null group by t.plan_year, t.category) f
      cross join (values (60), (80), (95)) m (percent)
      where percent_of(f.used, f.allocated) >= m.percent
    on conflict on constraint alerted_once do nothing;
end;

-- Whether less than a fifth of the year's money is left, with what is still to come and without.
create or replace function private.runs_low(of private.purse, balance_cents bigint)
  returns boolean
language sql stable
return (select balance_cents * 5 < n.cents
    and (balance_cents + private.still_to_come(of)) * 5 < n.cents + private.still_to_come(of)
  from (select g.granted_cents + g.carried_cents + g.adjusted_cents as cents from grants g
    where g.company_id = of.company_id and g.plan_year = of.plan_year
      and g.person_id = of.person_id and g.category = of.category) n);

-- Notes the people whom a claim of these transfers left less than a fifth of the year's money.
create or replace function private.note_low_balances(company uuid, sealed bigint[]) returns void
language sql
begin atomic
  insert into fund_alerts (company_id, plan_year, category, person_id, percent, balance_cents)
    select distinct on (a.plan_year, a.category, a.person_id)
        company, a.plan_year, a.category, a.person_id, 20, a.balance_cents
      from transfers t
      cross join lateral (select * from accounts x where x.company_id = company
        and x.plan_year = t.plan_year and x.id = t.from_account offset 0) a
      where t.company_id = company and t.id = any (sealed) and t.event in ('claim_held',
          'claim_appealed', 'release_undone')
        and private.runs_low((company, a.plan_year, a.person_id, a.category)::private.purse,
          a.balance_cents)
    on conflict on constraint alerted_once do nothing;
end;

-- Takes back the note of people whose claim gave the money back before they were notified, so that
-- they can be notified another time.
create or replace function private.forget_low_balances(company uuid, sealed bigint[]) returns void
language sql
begin atomic
  with risen as (
    select distinct a.plan_year, a.category, a.person_id
      from transfers t
      cross join lateral (select * from accounts x where x.company_id = company
        and x.plan_year = t.plan_year and x.id = t.to_account offset 0) a
      where t.company_id = company and t.id = any (sealed)
        and t.event in ('claim_released', 'claim_undone', 'claim_reversed')
        and a.kind = 'available'
        and not private.runs_low((company, a.plan_year, a.person_id, a.category)::private.purse,
          a.balance_cents)),
  unsent as (
    delete from notifications n using risen r
      where n.person_id = r.person_id and n.code = 'fund_low'
        and n.facts ->> 'category' = r.category and n.mailed_at is null and n.read_at is null
      returning r.plan_year, r.category, r.person_id),
  forgotten as (
    delete from fund_alerts f using unsent u
      where f.company_id = company and f.plan_year = u.plan_year and f.category = u.category
        and f.person_id = u.person_id and f.percent = 20)
  select private.publish_now('person:' || person_id) from unsent;
end;

-- Fires once per mark: for the seal that passes it.
create or replace function private.notify_alerts() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare alert record;
begin
  for alert in select n.* from new_alerts n order by n.company_id, n.id loop
    if alert.person_id is null then
      perform notify_right_holders(alert.company_id, 'category_used',
        jsonb_build_object('category', alert.category, 'percent', alert.percent));
      perform private.publish_now('admins:' || alert.company_id);
    else
      perform notify_person(alert.person_id, 'fund_low',
        jsonb_build_object('category', alert.category));
      perform private.publish_now('person:' || alert.person_id);
    end if;
  end loop;
  update fund_alerts a set notified_at = now() from new_alerts n
    where a.company_id = n.company_id and a.id = n.id;
  return null;
end $$;
create or replace trigger notify_alerts after insert on fund_alerts referencing new table
  as new_alerts
  for each statement execute function private.notify_alerts();
