-- Employees: added, edited, gone.

-- How many people a company may add in a day: as many as the largest file, or few before it is
-- activated, as its founder alone has set it up by then.
create or replace function private.people_added_max(status text) returns integer
language sql immutable
return case status when 'pending' then 500 else 250000 end;

create or replace function private.count_added(company uuid, added integer) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  today date := private.today_at(company);
  total integer;
  most integer;
begin
  select private.people_added_max(c.status) into most from companies c where c.id = company;
  insert into people_added as a (company_id, day, people) values (company, today, added)
    on conflict (company_id, day) do update set people = a.people + excluded.people
    returning a.people into total;
  delete from people_added a where a.company_id = company and a.day < today;
  if total > most then perform private.refuse('added_enough_today'); end if;
end $$;

-- A company speaks for addresses at the domain it has proven, and for no others.
create or replace function private.is_own_address(company uuid, email text) returns boolean
language sql stable
return private.owns_domain(company, email_domain(lower(btrim(email))));

create or replace function private.notify_taken_in(person uuid) returns void
language sql
begin atomic
  select add_job('settings:notice', json_build_object('person_id', person, 'notice', 'taken_in'));
end;

-- Whether a company may take in somebody who has an account already: one who waits for it, or
-- belongs to no company.
create or replace function private.is_adoptable(role text, account_state text, theirs uuid,
  company uuid) returns boolean
language sql immutable
return role <> 'super_admin' and (account_state = 'requested' and theirs = company
  or account_state in ('pending', 'requested') and theirs is null);

-- Adds people. If two companies add the same person at the same moment, one of them has them. An
-- account of another audience is nobody here, and takes no address.
create or replace function private.add_people(company uuid, role text, people private.newcomer[],
  password_hash text)
returns table (email text, person_id uuid, outcome text)
language sql set search_path = public, pg_catalog, pg_temp set enable_nestloop = off as $$
  with newcomers as materialized (
    select lower(btrim(g.email)) as email, btrim(g.full_name) as full_name, g.phone, g.department
      from unnest(people) g),
  known as materialized (
    select g.email, g.phone, g.department, p.id, p.company_id,
        add_people.role <> 'super_admin'
          and private.is_adoptable(p.role, p.account_state, p.company_id, company) as adoptable
      from newcomers g
        cross join lateral (select u.id from auth.users u
          where u.email = g.email and u.aud = 'authenticated' limit 1) u
        cross join lateral (select p.* from profiles p where p.id = u.id limit 1) p),
  fresh as materialized (
    select g.* from newcomers g where not exists (select from known k where k.email = g.email)),
  added as materialized (
    select a.* from auth.add_accounts(array(select row(f.email, f.full_name,
      jsonb_build_object('role', add_people.role, 'company_id', company, 'phone', f.phone,
        'department', f.department), password_hash)::auth.new_account from fresh f)) a),
  adopted as (
    update profiles p set company_id = company, role = add_people.role, requested_at = null,
        status = case when p.confirmed_at is null then 'pending' else 'active' end,
        phone = coalesce(k.phone, p.phone), department = coalesce(k.department, p.department)
      from known k where k.adoptable and p.id = k.id
        and p.id = any (array(select k.id from known k))
        -- looked at again: another company may have been faster
        and private.is_adoptable(p.role, p.account_state, p.company_id, add_people.company)
      returning p.id),
  notified as (select d.id, private.notify_taken_in(d.id) from adopted d)
  select a.email, a.id, 'added' from added a
  union all
  select k.email, k.id, case when d.id is not null then 'adopted'
      when k.company_id = company then 'here' else 'address_taken' end
    from known k left join notified d on d.id = k.id
  union all -- somebody else took the address in this very moment
  select f.email, null, 'address_taken' from fresh f
    where not exists (select from added a where a.email = f.email)
$$;

-- A company that nobody activated adds nobody whose address is not its own.
create or replace function private.refuse_outside_domain(company uuid) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from companies c where c.id = company and c.status = 'pending') then
    perform private.refuse('outside_own_domain');
  end if;
end $$;

-- Refuses an address that is known already: `here` in the company, or its address taken.
create or replace function private.refuse_known(whereabouts text) returns void
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select private.refuse(case whereabouts when 'here' then 'already_here'
    when 'address_taken' then 'email_taken' end)
$$;

-- An admin becomes one of the company's employees beside their rights.
create or replace function private.employ_admin(company uuid, n profiles) returns uuid
language sql set search_path = public, pg_catalog, pg_temp as $$
  update profiles p set role = 'employee', has_own = false,
      phone = coalesce(n.phone, p.phone), department = coalesce(n.department, p.department)
    where p.company_id = company and p.email = lower(btrim(n.email))
      and p.role = 'company_admin' and p.status = 'active'
    returning p.id
$$;

-- Adds one person, by HR to their own company or by the provider to any. With a password (its hash)
-- HR vouches for an address of the company's domain; any other address is confirmed by following
-- the mailed link.
create or replace function add_person(person jsonb, password_hash text default null)
returns table (person_id uuid, outcome text)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n profiles := jsonb_populate_record(null::profiles, person);
  company uuid := n.company_id;
  own constant boolean := private.is_own_address(company, n.email);
  vouched constant boolean := own and password_hash is not null;
begin
  if actor_role() <> 'super_admin' and (company = actor_company() and case n.role
      when 'employee' then actor_has('people')
      when 'company_admin' then actor_has('owner') end) is not true
      or private.acting_right() <> '' and password_hash is not null then
    perform private.refuse('forbidden');
  end if;
  perform private.check_admin_change(n.role, null);
  if actor_role() = 'company_admin' then
    if not own then perform private.refuse_outside_domain(company); end if;
    perform private.count_added(company, 1);
  end if;
  -- A key leaves whoever has a right alone.
  if n.role = 'employee' and actor_role() = 'company_admin' and private.acting_right() = '' then
    person_id := private.employ_admin(company, n);
    if person_id is not null then
      perform publish('admins:' || company), publish('person:' || person_id);
      outcome := 'employed';
      return next;
      return;
    end if;
  end if;
  select a.person_id, a.outcome into add_person.person_id, add_person.outcome
    from private.add_people(company, n.role,
      array[(n.email, n.full_name, n.phone, n.department)::private.newcomer], password_hash) a;
  perform private.refuse_known(outcome), publish('supers'), publish('admins:' || company),
    publish('person:' || add_person.person_id);
  if outcome = 'added' then
    if vouched then
      update auth.users u set email_confirmed_at = now() where u.id = add_person.person_id;
    end if;
    update profiles p set invited_at = now() where p.id = add_person.person_id;
    perform add_job('users:invite', json_build_object('ids', json_build_array(add_person.person_id),
      'mail_kind', case when vouched then 'set_password' else 'invite' end,
      'by', private.acting_person()));
  end if;
  return next;
end $$;

-- HR's facts beside a person's row: whether they ever signed in, and can be paid by bank.
create or replace function about_employee(person uuid)
returns table (last_sign_in_at timestamptz, has_bank_account boolean)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select u.last_sign_in_at, exists (select from bank_accounts b
        where b.company_id = p.company_id and b.person_id = p.id)
    from profiles p join auth.users u on u.id = p.id
    where p.id = person and p.company_id = actor_company() and actor_has('people');
end;

-- A person who never signed in can be removed: a wrong address must not stay permanently.
create or replace function remove_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_person('remove', person);
  delete from auth.users where id = person;
end $$;

-- Corrects a mistyped address while nobody has signed in with it: earlier mails are void, and the
-- right address gets one. After that only people themselves change it (both addresses agree).
create or replace function correct_address(person uuid, email text, mails boolean default true)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles := private.lock_person('correct_address', person);
  address constant text := lower(btrim(correct_address.email));
  confirmed boolean;
begin
  select u.email_confirmed_at is not null into confirmed from auth.users u
    where u.id = person for update;
  -- The person may have signed in until they were locked.
  perform private.refuse(person_refusal('correct_address', p, actor_id()));
  if address = p.email then return; end if;
  if not private.is_own_address(p.company_id, address) then
    if confirmed then perform private.refuse('address_not_vouched'); end if;
    perform private.refuse_outside_domain(p.company_id);
  end if;
  perform private.refuse_known('address_taken') from auth.users u
    where u.email = address and u.aud = 'authenticated';
  perform private.count_added(p.company_id, 1);
  delete from auth.one_time_tokens t where t.user_id = person;
  update auth.identities i set identity_data = i.identity_data
    || jsonb_build_object('email', address)
    where i.user_id = person;
  update auth.users u set email = address, email_change = null, updated_at = now(),
      raw_user_meta_data = u.raw_user_meta_data || jsonb_build_object('email', address)
    where u.id = person;
  if not mails then return; end if;
  update profiles x set invited_at = now() where x.id = person;
  perform add_job('users:invite', json_build_object('ids', json_build_array(person),
    'mail_kind', case when confirmed then 'set_password' else 'invite' end));
end $$;

-- A first day may lie no further ahead than plans are made.
create or replace function private.joins_too_far_ahead(company uuid, joined_on date) returns boolean
language sql stable
return joined_on > private.today_at(company) + interval '1 year';

create or replace function edit_employment(person uuid, joined_on date, left_on date) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.lock_person('edit', person),
    private.change_employment(person, edit_employment.joined_on, edit_employment.left_on);
end $$;

-- The caller has locked the person.
create or replace function private.change_employment(person uuid, joined_on date, left_on date)
returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  select * into p from profiles x where x.id = person and x.role = 'employee';
  if not found then perform private.refuse('not_found'); end if;
  if p.left_on is distinct from change_employment.left_on then
    perform private.refuse(person_refusal('change_employment', p, actor_id()));
  end if;
  if p.joined_on <> change_employment.joined_on then
    perform private.refuse(own_benefit_refusal('people', p.company_id, person, actor_id()));
    if private.joins_too_far_ahead(p.company_id, change_employment.joined_on) then
      perform private.refuse('joins_too_far_ahead');
    end if;
  end if;
  update profiles x set joined_on = coalesce(change_employment.joined_on, x.joined_on),
      left_on = change_employment.left_on
    where x.id = person;
end $$;

-- Personnel numbers are HR's to give: nobody changes their own.
create or replace function number_person(person uuid, personnel_number text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare p profiles := private.lock_person('edit', person);
begin
  if p.role <> 'employee' then perform private.refuse('not_found'); end if;
  update profiles x set personnel_number = nullif(btrim(number_person.personnel_number), '')
    where x.id = person;
end $$;

-- Whether a day is after somebody's last day; never for somebody who stays (null).
create or replace function is_after_last_day(day date, left_on date) returns boolean
language sql immutable
return coalesce(day > left_on, false);

create or replace function private.mark_left() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare today constant date := private.today_at(new.company_id);
begin
  new.has_left := coalesce(new.left_on <= today, false);
  if new.left_on is distinct from old.left_on then new.left_set_on := today; end if;
  return new;
end $$;
create or replace trigger mark_left before insert or update of left_on on profiles
  for each row when (new.left_on is not null or new.left_set_on is not null)
  execute function private.mark_left();

-- Notifies a leaver of their day, however it was set (`private.notify_of_last_day`). A job does it,
-- so that a day that is undone at once is mailed to nobody.
create or replace function private.queue_last_day() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform add_job('employees:last_day', json_build_object('person_id', new.id),
    key => 'last-day:' || new.id, run_at => now() + interval '1 minute');
  return null;
end $$;
create or replace trigger last_day_changed after update of left_on on profiles
  for each row when (new.left_on is distinct from old.left_on)
  execute function private.queue_last_day();

-- A job marks them once their last day has come.
create or replace function private.mark_departed_employees() returns void language sql
begin atomic
  update profiles set has_left = true
    where left_on is not null and not has_left and left_on <= private.today_at(company_id);
end;

grant execute on function add_person, remove_person, correct_address, never_came, about_employee,
  edit_employment, number_person, is_after_last_day to healthfund_request;
