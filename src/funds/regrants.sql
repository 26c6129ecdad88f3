-- Grants of a whole company again: a changed plan, a year that opens. One background act, in
-- batches, with progress.

create policy your_companys_progress on regrants for select using (
  company_id = (select actor_company())
    and (select actor_has('owner', 'finance', 'auditor', 'people')));
grant select on regrants to healthfund_request;

-- Asks for it. While one waits or runs another request makes it start over.
create or replace function private.regrant_later(company uuid, year date) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into regrants as r (company_id, plan_year, people)
    select company, year, count(*) from profiles p
      where p.company_id = company and p.role = 'employee' and p.status = 'active'
    on conflict (company_id, plan_year) do update
      set people = excluded.people, people_done = 0, requested_at = now(), finished_at = null;
  perform add_job('funds:regrant', json_build_object('company_id', company, 'plan_year', year),
    concat_ws(' ', 'funds:regrant', company, year));
end $$;

create or replace function regrant(company uuid, year date) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.mover(company), private.regrant_later(company, year);
end $$;

-- What people are due anew, each grant looked up once. Joined to itself, a table whose statistics
-- are older than its rows was read whole for every person: a second for a hundred people of a
-- company that had just come.
create or replace function private.regrant_people(company uuid, year date, people uuid[])
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare postings private.posting[];
begin
  perform private.lock_pools(company, year);
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
    update grants g set granted_cents = g.granted_cents - s.cents, changes = g.changes + 1
      from spare s
      where g.company_id = company and g.plan_year = year and g.person_id = s.person_id
        and g.category = s.category)
  select array_agg((s.account, s.pool, s.cents,
      concat_ws(' ', 'grant', year, s.person_id, s.category, s.changes),
        s.person_id)::private.posting
      order by s.account)
    into postings from spare s;
  perform transfer_all(company, year, 'grant_lowered', postings);
end $$;

-- One batch of a company's active employees, by id after `after`: first all are enrolled, then all
-- are due anew. Answers the last one, or null at the end.
create or replace function private.regrant_some(company uuid, year date, after uuid,
  people_max integer,
  enrolls boolean) returns uuid
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare batch uuid[] := array(select p.id from profiles p
  where p.company_id = company and p.role = 'employee' and p.status = 'active'
    and p.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    and (not enrolls or not exists (select from grants g
      where g.company_id = company and g.plan_year = year and g.person_id = p.id))
  order by p.id limit people_max);
begin
  if cardinality(batch) = 0 then return null; end if;
  if enrolls then
    perform private.enroll(company, year, batch);
  else
    perform private.regrant_people(company, year, batch);
    update regrants r set people_done = r.people_done + cardinality(batch)
      where r.company_id = company and r.plan_year = year;
  end if;
  return batch[cardinality(batch)];
end $$;

-- What these settings would do to a year, in numbers, before anybody decides. Row-level security
-- applies.
create or replace function plan_effect(company uuid, year date, settings jsonb)
returns table (category text, people integer, people_changed integer, people_below_used integer,
  due_cents bigint, change_cents bigint, lacking_cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp
begin atomic
  with wanted as materialized (
    select jsonb_populate_record(null::plan_years, to_jsonb(y) || settings
      || jsonb_build_object('ends_on',
        (settings ->> 'starts_on')::date + interval '1 year' - interval '1 day')) as plan
      from plan_years y where y.company_id = company and y.starts_on = year),
  given as materialized (
    select g.person_id, g.category, g.due_cents, g.granted_cents, g.dependents, a.balance_cents
      from grants g
      join accounts a on a.company_id = company and a.plan_year = year and a.kind = 'available'
        and a.person_id = g.person_id and a.category = g.category
      where g.company_id = company and g.plan_year = year
    union all
    -- Before the year begins nobody has grants in it: who is there now will have, with as many
    -- dependents as now.
    select p.id, c.category, 0, 0, coalesce((select x.dependents from grants x
          where x.company_id = company and x.person_id = p.id and x.category = c.category
          order by x.plan_year desc limit 1), 0), 0
      from profiles p
      cross join (values ('prevention'), ('treatment'), ('solidarity')) c (category)
      where year > company_today(company) and p.company_id = company and p.role = 'employee'
        and p.status = 'active' and coalesce(p.left_on >= year, true)
        and not exists (select from grants e where e.company_id = company and e.plan_year = year
          and e.person_id = p.id)),
  new as materialized (
    select g.category, g.due_cents as due_before, g.granted_cents, g.balance_cents,
        -- As `private.regrant_people` does it: who leaves one day is due like everybody until then.
        case when p.has_left then least(g.granted_cents, g.due_cents)
          else grant_due(w.plan, g.category, greatest(p.joined_on, (w.plan).starts_on),
            g.dependents)
          end as due
      from wanted w cross join given g
      join profiles p on p.company_id = company and p.id = g.person_id)
  select c.category, count(n.due)::int, count(*) filter (where n.due <> n.due_before)::int,
      count(*) filter (where n.due < n.granted_cents - n.balance_cents)::int,
      coalesce(sum(n.due), 0)::bigint, coalesce(sum(n.due - n.due_before), 0)::bigint,
      greatest(coalesce(sum(n.due - n.granted_cents), 0)
        - (select p.balance_cents from accounts p where p.company_id = company
          and p.plan_year = year
            and p.kind = 'pool' and p.category = c.category), 0)::bigint
    from (values (1, 'prevention'), (2, 'treatment'), (3, 'solidarity')) c (at, category)
    left join new n on n.category = c.category
    group by c.at, c.category order by c.at;
end;

grant execute on function regrant, plan_effect to healthfund_request;
