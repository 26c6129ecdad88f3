-- Computing all grants of a company again, after a plan changed or a year opened: one background
-- act, in batches, with progress.

create policy your_companys_progress on regrants for select to healthfund_request using (
  company_id = (select actor_company())
    and (select actor_has('owner', 'finance', 'auditor', 'people')));
grant select on regrants to healthfund_request;

-- Queues it. A request made while one waits or runs makes that one start over.
create or replace function private.regrant_later(company uuid, year date,
  today date default null) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into regrants as r (company_id, plan_year, people, as_of)
    select company, year, count(*), coalesce(today, private.today_at(company)) from profiles p
      where p.company_id = company and is_active_employee(p.role, p.status)
    on conflict (company_id, plan_year) do update
      set people = excluded.people, people_done = 0, requested_at = now(), finished_at = null,
        as_of = greatest(r.as_of, excluded.as_of);
  perform add_job('funds:regrant', json_build_object('company_id', company, 'plan_year', year),
    concat_ws(' ', 'funds:regrant', company, year));
end $$;

-- Computes a running year's grants again; a year to come follows when it opens.
create or replace function regrant(company uuid, year date) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare y plan_years;
begin
  perform private.require_right_at(company, 'owner');
  select * into y from plan_years p where p.company_id = company and p.starts_on = year;
  perform private.refuse(case when not found then 'not_found' else year_refusal(y) end);
  if year <= private.today_at(company) then perform private.regrant_later(company, year); end if;
end $$;

-- Grants people what is due again, looking each grant up once. With old statistics a self-join read
-- the whole table for each person: a second for a hundred people of a new company.
create or replace function private.regrant_people(company uuid, year date, people uuid[])
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  y plan_years;
  own group_plans[];
  as_of constant date := private.grants_as_of(company, year);
begin
  perform private.lock_pools(company, year);
  select * into y from plan_years where company_id = company and starts_on = year;
  own := private.counting_plans(company, year);
  perform private.record_plans(y, own, people);
  update grants g set covered_from = greatest(p.joined_on, y.starts_on), covered_to = p.left_on,
      due_cents = private.due_of(g, p, b.plan, as_of),
      plan_group = private.plan_group_of(g, p, b.plan_group)
    from private.person_plans(y, own, people) b, profiles p
    where g.company_id = company and g.plan_year = year and g.person_id = any (people)
      and p.id = g.person_id and b.person_id = g.person_id
      and (g.covered_from, g.covered_to, g.due_cents, g.plan_group) is distinct from
        (greatest(p.joined_on, y.starts_on), p.left_on, private.due_of(g, p, b.plan, as_of),
          private.plan_group_of(g, p, b.plan_group));
  perform private.lower_grants(company, year, people);
end $$;

-- The due of a person by their plan. Leavers and inactive employees keep what they had, and are due
-- nothing more. A new last day in the year gives back what a wrong earlier one took; if the plan is
-- by month, it takes the months after it, however late it was entered.
create or replace function private.due_of(g grants, p profiles, plan plan_years, as_of date)
  returns bigint
language sql immutable
return case
  when p.has_left and (g.covered_to < p.left_on and plan.starts_on <= p.left_on
      or plan.by_month and g.covered_to is distinct from p.left_on) then
    least(private.due_by(plan, g.category, greatest(p.joined_on, plan.starts_on), g.dependents,
      least(p.left_on, as_of)),
      case when g.covered_to < p.left_on then null else g.granted_cents end)
  when p.has_left or not is_active_employee(p.role, p.status)
    then least(g.granted_cents, g.due_cents)
  else private.due_by(plan, g.category, greatest(p.joined_on, plan.starts_on), g.dependents,
    as_of) end;

create or replace function private.plan_group_of(g grants, p profiles, plan_group text) returns text
language sql immutable
return case when p.has_left then g.plan_group
  else coalesce(plan_group, case when g.plan_group is not null then '' end) end;

-- The note that the ledger keeps beside a grant: which plan it follows.
create or replace function private.plan_note(plan_group text) returns private.author
language sql immutable
return row(null, null, case when plan_group = '' then 'company_plan'
  else 'group_plan ' || plan_group end)::private.author;

-- Records the people whose plan changes, and what each plan gives them.
create or replace function private.record_plans(y plan_years, own group_plans[], people uuid[])
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  who text[] := private.recorded_actor(string_to_array(actor(), ' '));
  as_of constant date := private.grants_as_of(y.company_id, y.starts_on);
begin
  if cardinality(own) = 0 and not exists (select from grants g where g.company_id = y.company_id
      and g.plan_year = y.starts_on and g.person_id = any (people)
      and g.plan_group is not null) then
    return;
  end if;
  insert into audit_log (company_id, actor_id, actor_role, address, request_id, act, table_name,
      row_id, before, after)
    select y.company_id, nullif(who[2], '')::uuid, coalesce(nullif(who[1], ''), 'system'),
        current_setting('app.address', true), current_setting('app.request', true), 'update',
        'grants', g.person_id::text,
        jsonb_build_object('plan_group', nullif(g.plan_group, ''))
          || jsonb_object_agg(g.category || '_cents', g.due_cents),
        jsonb_build_object('plan_group', nullif(private.plan_group_of(g, p, b.plan_group), ''))
          || jsonb_object_agg(g.category || '_cents', private.due_of(g, p, b.plan, as_of))
      from private.person_plans(y, own, people) b
      join profiles p on p.id = b.person_id
      join grants g on g.company_id = y.company_id and g.plan_year = y.starts_on
        and g.person_id = any (people) and g.person_id = b.person_id
      where private.plan_group_of(g, p, b.plan_group) is distinct from g.plan_group
      group by g.person_id, g.plan_group, private.plan_group_of(g, p, b.plan_group)
      order by g.person_id;
end $$;

-- Takes the excess over people's due back into the pools, as far as it is available. Accounts are
-- locked before they are read: a claim that gives money back at this moment is seen here, or sees
-- the lower due itself (`private.lower_later`).
create or replace function private.lower_grants(company uuid, year date, people uuid[])
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare alike record;
begin
  perform from unnest(people) chosen (id)
    cross join lateral (select * from grants x where x.company_id = company and x.plan_year = year
      and x.person_id = chosen.id and x.granted_cents > x.due_cents offset 0) g
    join accounts a on a.company_id = company and a.plan_year = year and a.person_id = g.person_id
      and a.kind = 'available' and a.category = g.category
    order by a.id for no key update of a;
  for alike in with spare as materialized (
    select g.person_id, g.category, g.changes, g.plan_group, a.id as account, p.id as pool,
        least(g.granted_cents - g.due_cents, a.balance_cents) as cents
      from unnest(people) chosen (id)
      cross join lateral (select * from grants x where x.company_id = company and x.plan_year = year
        and x.person_id = chosen.id and x.granted_cents > x.due_cents offset 0) g
      join accounts a on a.company_id = company and a.plan_year = year and a.person_id = g.person_id
        and a.kind = 'available' and a.category = g.category
      join accounts p on p.company_id = company and p.plan_year = year and p.kind = 'pool'
        and p.category = g.category and p.person_id is null
      where a.balance_cents > 0),
  noted as (
    update grants g set granted_cents = g.granted_cents - s.cents, changes = g.changes + 1
      from spare s
      where g.company_id = company and g.plan_year = year and g.person_id = s.person_id
        and g.category = s.category)
  select s.plan_group, array_agg((s.account, s.pool, s.cents,
      private.origin(concat_ws(' ', 'grant', year, s.person_id, s.category, s.changes)),
        s.person_id)::private.posting
      order by s.account) as postings
    from spare s group by s.plan_group order by s.plan_group nulls first
  loop
    perform transfer_all(company, year, 'grant_lowered', alike.postings,
      private.plan_note(alike.plan_group));
    perform private.notify_of_allowances(company, year, alike.postings, '{}');
  end loop;
end $$;

-- Money came back to somebody: if claims held it while their grant was lowered, the rest of the
-- lowering follows. Only once the decision can't be undone any more, as an undo holds the money
-- again; and by a job, which locks pools before people's accounts.
create or replace function private.lower_later(company uuid, year date, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from grants g where g.company_id = company and g.plan_year = year
      and g.person_id = person and g.granted_cents > g.due_cents) then
    perform add_job('funds:lower',
      json_build_object('company_id', company, 'plan_year', year, 'person_id', person),
      concat_ws(' ', 'funds:lower', company, year, person),
      now() + private.undo_time() + interval '3 seconds');
  end if;
end $$;

-- One batch of a company's active employees, by id after `after`: first all are enrolled, then all
-- dues are computed. Answers the last id, or null at the end. A year that has closed since has no
-- batch.
create or replace function private.regrant_some(company uuid, year date, after uuid,
  people_max integer,
  enrolls boolean) returns uuid
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare batch uuid[] := array(select p.id from profiles p
  where p.company_id = company and is_active_employee(p.role, p.status)
    and p.id > coalesce(after, '00000000-0000-0000-0000-000000000000')
    and (select y.closed_at is null from plan_years y where y.company_id = company
      and y.starts_on = year)
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

-- The effect of these settings or group plans on a year, in numbers, before anybody decides. Owners
-- see totals, but no person's grant: only admins who see balances read the names of the first five
-- whom it would give less than they used.
create or replace function plan_effect(company uuid, year date, settings jsonb,
  groups jsonb default null)
returns table (category text, people integer, people_changed integer, people_below_used integer,
  below_used_names text[], due_cents bigint, change_cents bigint, lacking_cents bigint)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with due as materialized (
    select jsonb_populate_record(null::plan_years, to_jsonb(y) || settings
      || jsonb_build_object('company_id', company, 'ends_on',
        (m.begins + interval '1 year' - interval '1 day')::date)) as plan,
      -- The group plans in force; or those typed, with those whose day is still to come.
      case when groups is null then private.counting_plans(company, year, m.begins)
        else private.group_plans_from(y, groups) end as own,
      private.grants_as_of(company, year, m.begins) as as_of
      from plan_years y
      cross join lateral (select coalesce((settings ->> 'starts_on')::date, year) as begins) m
      where y.company_id = company and y.starts_on = year
        and company = actor_company() and actor_has('owner')),
  granted as materialized (
    select g as held, a.balance_cents
      from grants g
      join accounts a on a.company_id = company and a.plan_year = year and a.kind = 'available'
        and a.person_id = g.person_id and a.category = g.category
      where g.company_id = company and g.plan_year = year
    union all
    -- Before the year begins nobody has grants in it: the preview makes them up for people who will
    -- be employees then, with as many dependents as now.
    select jsonb_populate_record(null::grants, jsonb_build_object('person_id', p.id,
        'category', c.category, 'covered_to', p.left_on, 'due_cents', 0, 'granted_cents', 0,
        'dependents', coalesce((select x.dependents from grants x
          where x.company_id = company and x.person_id = p.id and x.category = c.category
          order by x.plan_year desc limit 1), 0))), 0
      from profiles p
      cross join private.categories() c
      cross join due w
      where year > company_today(company) and p.company_id = company
        and is_granted(p, (w.plan).starts_on, (w.plan).ends_on)
        and not exists (select from grants e where e.company_id = company and e.plan_year = year
          and e.person_id = p.id)),
  new as materialized (
    select p.id, p.full_name, p.sort_name, (g.held).category, (g.held).due_cents as due_before,
        (g.held).granted_cents, g.balance_cents,
        -- Only active employees are computed again; a suspended person follows on their return.
        case when not is_active_employee(p.role, p.status) then (g.held).due_cents
          else private.due_of(g.held, p, b.plan, w.as_of) end as due
      from due w
      cross join lateral private.person_plans(w.plan, w.own,
        array(select distinct (x.held).person_id from granted x)) b
      join granted g on (g.held).person_id = b.person_id
      join profiles p on p.company_id = company and p.id = b.person_id),
  -- People whom the change would lower below what they used. It is no matter if they had used more
  -- before it.
  below as materialized (
    select distinct n.sort_name, n.id, n.full_name from new n
      where n.due < n.due_before and n.due < n.granted_cents - n.balance_cents)
  select c.category, count(n.due)::int, count(*) filter (where n.due <> n.due_before)::int,
      (select count(*)::int from below), array(select b.full_name from below b
        where actor_has('people', 'finance', 'auditor') order by b.sort_name, b.id limit 5),
      coalesce(sum(n.due), 0)::bigint, coalesce(sum(n.due - n.due_before), 0)::bigint,
      greatest(coalesce(sum(n.due - n.granted_cents), 0)
        - (select p.balance_cents from accounts p where p.company_id = company
          and p.plan_year = year
            and p.kind = 'pool' and p.category = c.category), 0)::bigint
    from private.categories() c
    left join new n on n.category = c.category
    group by c.nth, c.category order by c.nth;
end;

grant execute on function regrant, plan_effect to healthfund_request;
