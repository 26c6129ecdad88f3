-- What people are due anew, each grant looked up once. Joined to itself, a table whose statistics are older than
-- its rows was read whole for every person: a second for a hundred people of a company that had just come.
create or replace function wall.regrant_people(company uuid, year date, people uuid[]) returns void
language plpgsql set search_path = public, pg_catalog as $$
declare postings wall.posting[];
begin
  perform wall.lock_pools(company, year);
  update grants g set covered_from = greatest(p.joined_on, y.starts_on), covered_to = p.left_on,
      due_cents = case when p.has_left then least(g.granted_cents, g.due_cents)
        else grant_due(y, g.category, greatest(p.joined_on, y.starts_on), g.dependents) end
    from profiles p, plan_years y
    where g.company_id = company and g.plan_year = year and g.person_id = any (people)
      and p.id = g.person_id and y.company_id = company and y.starts_on = year
      and (g.covered_from, g.covered_to, g.due_cents) is distinct from
        (greatest(p.joined_on, y.starts_on), p.left_on,
          case when p.has_left then least(g.granted_cents, g.due_cents)
            else grant_due(y, g.category, greatest(p.joined_on, y.starts_on), g.dependents) end);
  with spare as materialized (
    select g.person_id, g.category, g.changes, a.id as account, p.id as pool,
        least(g.granted_cents - g.due_cents, a.balance_cents) as cents
      from unnest(people) given (id)
      cross join lateral (select * from grants x where x.company_id = company and x.plan_year = year
        and x.person_id = given.id and x.granted_cents > x.due_cents offset 0) g
      join accounts a on a.company_id = company and a.plan_year = year and a.person_id = g.person_id
        and a.kind = 'available' and a.category = g.category
      join accounts p on p.company_id = company and p.plan_year = year and p.kind = 'pool'
        and p.category = g.category and p.person_id is null
      where a.balance_cents > 0
      order by a.id for no key update of a),
  noted as (
    update grants g set granted_cents = g.granted_cents - s.cents, changes = g.changes + 1 from spare s
      where g.company_id = company and g.plan_year = year and g.person_id = s.person_id
        and g.category = s.category)
  select array_agg((s.account, s.pool, s.cents,
      concat_ws(' ', 'grant', year, s.person_id, s.category, s.changes), s.person_id)::wall.posting
      order by s.account)
    into postings from spare s;
  perform transfer_all(company, year, 'grant_lowered', postings);
end $$;
