-- A person's next grant and its day: by a plan that comes by month, or by a group's plan that
-- begins later.

create or replace function private.next_grants(company uuid, person uuid, year date)
returns table (category text, on_day date, cents bigint)
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  y plan_years;
begin
  select * into y from plan_years p where p.company_id = company and p.starts_on = year
    and p.closed_at is null;
  if not found or not y.by_month and not exists (select from group_plans o
    where o.company_id = company and o.plan_year = year) then return; end if;
  return query
    with turn as materialized (
      select d.day, array(select o from group_plans o where o.company_id = company
          and o.plan_year = year and o.counts_from <= d.day order by o.position) as own
        from (select m.day from private.months_of(y) m (day) union
          select o.counts_from from group_plans o
            where o.company_id = company and o.plan_year = year) d
        where d.day > private.grants_as_of(company, year)),
    due as (
      select g.category, t.day, private.due_of(g, p, b.plan, t.day) as cents, g.due_cents
        from turn t cross join lateral private.person_plans(y, t.own, array[person]) b
        join profiles p on p.id = b.person_id
        join grants g on g.company_id = company and g.plan_year = year and g.person_id = person
        where t.day <= coalesce(p.left_on, t.day)),
    step as (
      select d.category, d.day, d.cents - lag(d.cents, 1, d.due_cents)
          over (partition by d.category order by d.day) as more from due d)
    select distinct on (s.category) s.category, s.day, s.more from step s where s.more > 0
      order by s.category, s.day;
end $$;

-- How much of a grant still comes until the year ends, or the person leaves.
create or replace function private.still_to_come(of private.purse) returns bigint
language sql stable
return (select greatest(0, private.due_of(g, p, b.plan, least(y.ends_on, p.left_on))
    - g.granted_cents)
  from grants g join plan_years y on y.company_id = of.company_id and y.starts_on = of.plan_year
    join profiles p on p.id = g.person_id
    cross join lateral private.person_plans(y, array(select o from group_plans o
      where o.company_id = of.company_id and o.plan_year = of.plan_year
        and o.counts_from <= y.ends_on order by o.position), array[g.person_id]) b
  where g.company_id = of.company_id and g.plan_year = of.plan_year
    and g.person_id = of.person_id and g.category = of.category);

-- One's own coming grants; those of others for admins who see their money.
create or replace function coming_grants(person uuid, year date)
returns table (category text, on_day date, cents bigint)
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  select n.* from private.next_grants(actor_company(), person, year) n
    where person = actor_id() or actor_has('people', 'finance', 'auditor')
$$;

grant execute on function coming_grants to healthfund_request;
