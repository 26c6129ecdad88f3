-- Lists at size: what a page is looked for by is in the index itself, so that going past those who do not fit
-- reads no row of theirs.

-- Common words are looked for along the list's own order.
drop index people_by_name;
create index people_by_name on profiles (company_id, sort_name, id)
  include (sought, role, standing, department);

-- Those of a standing are counted by department, too.
drop index people_by_standing;
create index people_by_standing on profiles (company_id, standing, sort_name, id) include (department, role);

-- Words of the queue are a person's: looked up by the claim's, without the row.
create index people_words on profiles (company_id, id) include (sought);

-- The queue's runs are merged by their keys; only the claims of the page are read. (`person_id` and `overdue` are
-- asked of each: by the wall, and by words.)
drop index claims_in_queue;
create index claims_in_queue on claims (company_id, status, category, id) include (person_id, overdue);
drop index claims_by_amount;
create index claims_by_amount on claims (company_id, status, category, amount_cents, id)
  include (person_id, overdue);
-- Claims of the people whom words found, as keys too.
drop index claims_of_person;
create index claims_of_person on claims (company_id, person_id, id)
  include (status, category, overdue, amount_cents);

-- As before, but for where common begins: going past those who do not fit has become cheap, so a page of words that
-- a few hundred have is sooner found on the way than by gathering them.
create or replace function find_people(words text[], company uuid, at_most integer) returns uuid[]
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([%_\\])', '\\\1', 'g') || '%'
    from unnest(words) w order by length(w) desc);
  here text := case when company is not null then 'company_id = $2' else '$2::uuid is null' end;
  fits text := here || ' and ' || (select string_agg(format('sought like ($1)[%s]', at), ' and ')
    from generate_subscripts(patterns, 1) at);
  plan json;
  found_ids uuid[];
begin
  if not (actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company is not null and company = actor_company()) then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  if length(patterns[1]) < 5 then return null; end if; -- fewer than three letters have no trigram
  execute 'explain (format json) select from profiles where ' || fits into plan using patterns, company;
  if (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric > at_most / 2
      and wall.are_common(here, fits, patterns, company, at_most * 3 / 2) then
    return null;
  end if;
  execute 'select array(select id from profiles where ' || fits || ' limit $3)'
    into found_ids using patterns, company, at_most + 1;
  return case when cardinality(found_ids) <= at_most then found_ids end;
end $$;

-- Whom a file brought in and who has no letter yet, a few at a time. They are marked when their letters are on
-- their way: whoever is killed in between writes to a few of them twice, and leaves nobody without.
drop function wall.next_to_invite(uuid, uuid, integer);
create function wall.next_to_invite(company uuid, import uuid, size integer)
returns table (person_id uuid, line integer)
language sql stable set search_path = public, pg_catalog
begin atomic
  select p.id, r.line from imports i
    join import_rows r on r.company_id = i.company_id and r.import_id = i.id and r.line > i.invited_line
      and r.finding = 'taken'
    join profiles p on p.id = r.person_id and p.confirmed_at is null
    where i.company_id = next_to_invite.company and i.id = import and i.status = 'done'
    order by r.line limit size;
end;

create function wall.invited(company uuid, import uuid, people uuid[], up_to integer) returns void
language sql set search_path = public, pg_catalog
begin atomic
  update profiles set invited_at = now() where id = any (people);
  update imports set invited_line = greatest(invited_line, coalesce(up_to, 2147483647)), touched_at = now()
    where company_id = invited.company and id = import and status = 'done';
end;
revoke execute on function wall.next_to_invite(uuid, uuid, integer),
  wall.invited(uuid, uuid, uuid[], integer) from public;

-- Whom two companies add at the same moment, one of them has. (As before, but for what is looked at again.)
create or replace function wall.add_people(company uuid, role text, people wall.newcomer[], password_hash text)
returns table (email text, person_id uuid, outcome text)
language sql set search_path = public, pg_catalog set enable_nestloop = off as $$
  with given as materialized (
    select lower(btrim(g.email)) as email, btrim(g.full_name) as full_name, g.phone, g.department
      from unnest(people) g),
  known as materialized (
    select g.email, g.phone, g.department, p.id, p.company_id,
        add_people.role <> 'super_admin' and p.role <> 'super_admin' and p.status = 'pending'
          and (p.company_id is null or p.standing = 'asking' and p.company_id = company) as adoptable
      from given g
        cross join lateral (select u.id from auth.users u where u.email = g.email limit 1) u
        cross join lateral (select p.* from profiles p where p.id = u.id limit 1) p),
  fresh as materialized (
    select g.* from given g where not exists (select from known k where k.email = g.email)),
  added as materialized (
    select a.* from auth.add_accounts(array(select row(f.email, f.full_name,
      jsonb_build_object('role', add_people.role, 'company_id', company, 'phone', f.phone,
        'department', f.department), password_hash)::auth.new_account from fresh f)) a),
  adopted as (
    update profiles p set company_id = company, role = add_people.role, asked_at = null,
        status = case when p.confirmed_at is null then 'pending' else 'active' end,
        phone = coalesce(k.phone, p.phone), department = coalesce(k.department, p.department)
      from known k where k.adoptable and p.id = k.id and p.id = any (array(select k.id from known k))
        -- looked at again: another company may have been faster
        and p.status = 'pending'
        and (p.company_id is null or p.standing = 'asking' and p.company_id = add_people.company)
      returning p.id)
  select a.email, a.id, 'added' from added a
  union all
  select k.email, k.id, case when d.id is not null then 'adopted'
      when k.company_id = company then 'here' else 'elsewhere' end
    from known k left join adopted d on d.id = k.id
  union all -- somebody else took the address in this very moment
  select f.email, null, 'elsewhere' from fresh f
    where not exists (select from added a where a.email = f.email)
$$;

-- Whether a year is open is asked once its pools are held: what closes it holds them, too.
create or replace function wall.open_year(company uuid, year date) returns void
language plpgsql volatile set search_path = public, pg_catalog as $$
begin
  perform wall.lock_pools(company, year);
  if not exists (select from plan_years y
      where y.company_id = company and y.starts_on = year and y.closed_at is null) then
    raise exception 'plan_year_closed' using errcode = 'HF422';
  end if;
end $$;
