-- A company's people: added, found, leaving, and let in by their domain.

create type wall.newcomer as (email text, full_name text, phone text, department text);

-- Accounts and people together, one statement for many. Outcomes: added, adopted (an account that belonged
-- nowhere, or asked for just this), here, elsewhere. The planner cannot know how many are given: lists are
-- joined by hashing, and only what is known already is looked up one by one.
create function wall.add_people(company uuid, role text, people wall.newcomer[], password_hash text)
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
        and p.status = 'pending'
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

-- One person, by HR for their own company, or by the provider for any. With a password (its hash)
-- whoever adds them vouches for the address; without one, following the mailed link confirms it.
create function add_person(email text, full_name text, role text, company uuid, phone text,
  department text, password_hash text)
returns table (person_id uuid, outcome text)
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if not (actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company = actor_company() and role = 'employee') then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  select a.person_id, a.outcome into add_person.person_id, add_person.outcome
    from wall.add_people(company, role, array[row(email, full_name, phone, department)::wall.newcomer],
      password_hash) a;
  if outcome in ('added', 'adopted') then
    perform tell('supers'), tell('admins:' || company), tell('person:' || add_person.person_id),
      wall.prove_domain(add_person.person_id);
  end if;
  if outcome = 'added' then
    if password_hash is not null then
      update auth.users u set email_confirmed_at = now() where u.id = add_person.person_id;
    end if;
    update profiles p set invited_at = now() where p.id = add_person.person_id;
    perform add_job('users:invite', json_build_object('ids', json_build_array(add_person.person_id),
      'letter', case when password_hash is null then 'invite' else 'set_password' end));
  end if;
  return next;
end $$;

-- Who never came can be taken back: a wrong address must not stay for ever.
create function remove_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.hold(person);
  delete from auth.users where id = person and email_confirmed_at is null;
  if not found then raise exception 'came_already' using errcode = 'HF422'; end if;
end $$;

create function edit_employment(person uuid, joined_on date, left_on date) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if (wall.hold(person)).role <> 'employee' then
    raise exception 'not_found' using errcode = 'HF422';
  end if;
  update profiles p set joined_on = coalesce(edit_employment.joined_on, p.joined_on),
      left_on = edit_employment.left_on
    where p.id = person;
end $$;

create function wall.today_at(company uuid) returns date language sql stable
return (select (now() at time zone c.time_zone)::date from companies c where c.id = company);

create function wall.mark_left() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  new.has_left := coalesce(new.left_on <= wall.today_at(new.company_id), false);
  return new;
end $$;
create trigger mark_left before insert or update of left_on on profiles
  for each row when (new.left_on is not null or new.has_left) execute function wall.mark_left();
create index people_about_to_leave on profiles (left_on) where left_on is not null and not has_left;

-- Those whose last day has come. Run by a job.
create function wall.see_leavers_off() returns void language sql set search_path = public, pg_catalog
begin atomic
  update profiles set left_on = left_on
    where left_on is not null and not has_left and left_on <= wall.today_at(company_id);
end;

-- Finds people by parts of name or e-mail. Up to `at_most` of them; null when there are more: then they
-- are common, and reading the list in its order and leaving out the others finds a page soon. Row-level
-- security keeps `like` away from the index, so the index is asked here, as the owner, for the actor.
create function find_people(words text[], company uuid, at_most integer) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_catalog as $$
declare
  patterns text[] := array(select '%' || regexp_replace(w, '([%_\\])', '\\\1', 'g') || '%'
    from unnest(words) w order by length(w) desc);
  found_ids uuid[];
begin
  if not (actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company is not null and company = actor_company()) then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  if length(patterns[1]) < 5 then return null; end if; -- fewer than three letters have no trigram
  execute 'select array(select id from profiles where sought like $1 and sought like all ($2)'
      || case when company is not null then ' and company_id = $3' else '' end || ' limit $4)'
    into found_ids using patterns[1], patterns, company, at_most + 1;
  return case when cardinality(found_ids) <= at_most then found_ids end;
end $$;

-- Whose domain it is must be proven by an admin's own confirmed address at it.
create function set_auto_registration(enabled boolean) returns boolean
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  mine companies;
  own text;
begin
  if actor_role() <> 'company_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  select * into strict mine from companies where id = actor_company() for update;
  select email_domain(email) into own from profiles where id = actor_id() and confirmed_at is not null;
  if enabled and mine.domain is null then
    update companies set domain = own where id = mine.id;
  end if;
  if enabled then
    perform wall.prove_domain(p.id) from profiles p
      where p.company_id = mine.id and p.role = 'company_admin' and p.status = 'active';
  end if;
  update companies set domain_auto_register = enabled where id = mine.id
    returning * into mine;
  if enabled then perform wall.let_in(mine.id, mine.domain); end if;
  perform tell('supers'), tell('admins:' || mine.id);
  return mine.domain_auto_register;
end $$;

-- Those of the domain who wait already need not wait any longer.
create function wall.let_in(company uuid, domain text) returns void
language sql set search_path = public, pg_catalog
begin atomic
  update profiles p set company_id = let_in.company, status = 'active', asked_at = null
    where p.role = 'employee' and p.status = 'pending' and p.confirmed_at is not null
      and email_domain(p.email) = let_in.domain
      and (p.company_id is null or p.company_id = let_in.company and p.asked_at is not null);
end;

-- What happened to a company and its people, for the provider: never anything about claims.
create function company_activity(company uuid, before_id bigint, at_most integer)
returns table (id bigint, at timestamptz, actor_name text, act text, about text, subject text,
  before jsonb, after jsonb)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select l.id, l.at, coalesce(who.full_name, 'Healthfund'), l.act, l.table_name,
      case when l.table_name = 'profiles' then coalesce(p.full_name, l.before ->> 'full_name') end,
      case when l.table_name = 'companies' then l.before end,
      case when l.table_name = 'companies' then l.after
        when l.table_name = 'profiles' then (select jsonb_object_agg(key, l.after -> key)
          from unnest(array['role', 'status', 'left_on']) key where l.after ? key)
        when l.table_name = 'imports' then (select jsonb_object_agg(key, l.after -> key)
          from unnest(array['status', 'file_name']) key where l.after ? key) end
    from audit_log l
      left join profiles who on who.id = l.actor_id
      left join profiles p on l.table_name = 'profiles' and p.id::text = l.row_id
    where actor_role() = 'super_admin' and l.company_id = company
      and l.table_name in ('companies', 'profiles', 'imports')
      and (before_id is null or l.id < before_id)
    order by l.id desc limit at_most;
end;

grant execute on function suspend_person(uuid), reactivate_person(uuid), approve_person(uuid),
  decline_person(uuid), change_role(uuid, text, uuid), reset_two_step(uuid), has_two_step(uuid[]),
  invite_again(uuid), add_person(text, text, text, uuid, text, text, text), remove_person(uuid),
  edit_employment(uuid, date, date), find_people(text[], uuid, integer),
  set_auto_registration(boolean), company_activity(uuid, bigint, integer), email_domain(text)
  to healthfund_request;
