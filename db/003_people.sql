-- What keeps itself true about companies and people, and what may be done with them.

create function wall.next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
create trigger next_version before update of full_name, phone, department, email, role, status,
    company_id, joined_on, left_on on profiles
  for each row execute function wall.next_version();
create trigger next_version before update of name, domain, domain_proven_at, domain_auto_register,
    status, currency, time_zone on companies
  for each row execute function wall.next_version();

-- Whoever is suspended is out at once, by whatever way it happened.
create function wall.shut_out() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if tg_table_name = 'companies' then
    delete from auth.sessions s using profiles p where p.company_id = new.id and s.user_id = p.id;
  else
    delete from auth.sessions where user_id = new.id;
    perform tell('person:' || new.id);
  end if;
  return null;
end $$;
create trigger shut_out after update of status on profiles
  for each row when (new.status = 'suspended') execute function wall.shut_out();
create trigger shut_out after update of status on companies
  for each row when (new.status = 'suspended') execute function wall.shut_out();

-- The lock makes two who remove each other at the same moment see what the other did.
create function wall.keep_a_super_admin() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtext('super admins'));
  if not exists (select from profiles
      where role = 'super_admin' and status = 'active' and id <> old.id) then
    raise exception 'last_super_admin' using errcode = 'HF422';
  end if;
  return null;
end $$;
create trigger keep_a_super_admin after update of role, status on profiles for each row
  when (old.role = 'super_admin' and old.status = 'active'
    and (new.role <> 'super_admin' or new.status <> 'active'))
  execute function wall.keep_a_super_admin();
create trigger keep_a_super_admin_account after delete on profiles for each row
  when (old.role = 'super_admin' and old.status = 'active')
  execute function wall.keep_a_super_admin();

create function wall.refuse_free_mail() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if exists (select from free_mail_domains f where f.domain = new.domain) then
    raise exception 'free_mail_domain' using errcode = 'HF422';
  end if;
  if tg_op = 'UPDATE' and new.domain is distinct from old.domain then
    new.domain_proven_at := null;
    new.domain_auto_register := false;
  end if;
  return new;
end $$;
create trigger refuse_free_mail before insert or update of domain on companies
  for each row execute function wall.refuse_free_mail();

create function wall.look_for_proof() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform wall.prove_domain(p.id) from profiles p
    where p.company_id = new.id and p.role = 'company_admin';
  return null;
end $$;
create trigger look_for_proof after update of domain on companies
  for each row when (new.domain is not null and new.domain is distinct from old.domain)
  execute function wall.look_for_proof();

-- How many people there are, kept: a list, its count and its summary read the same rows. One row per
-- company is also the one lock that changes to its people meet at, so that they cannot deadlock.
create table headcounts (
  company_id uuid primary key,
  asking     integer not null default 0,
  pending    integer not null default 0,
  active     integer not null default 0,
  suspended  integer not null default 0,
  has_left   integer not null default 0,
  admins_pending   integer not null default 0,
  admins_active    integer not null default 0,
  admins_suspended integer not null default 0,
  supers_pending   integer not null default 0,
  supers_active    integer not null default 0,
  supers_suspended integer not null default 0
);
comment on table headcounts is 'How many people a company has in each standing (employees, unless named otherwise; asking: of any role); the row of zeros is for people of no company. Kept by triggers on profiles.';
alter table headcounts enable row level security;
create policy your_companys on headcounts for select using (
  (company_id = (select actor_company()) and (select actor_role()) = 'company_admin')
  or (select actor_role()) = 'super_admin');
grant select on headcounts to healthfund_request;

create table departments (
  company_id uuid not null,
  department text not null,
  people     integer not null,
  primary key (company_id, department)
);
comment on table departments is 'How many employees are in each department of a company. Kept by triggers on profiles.';
alter table departments enable row level security;
create policy your_companys on departments for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on departments to healthfund_request;

create function wall.count_people() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  changed text := concat_ws(' union all ',
    case when tg_op <> 'INSERT' then 'select p.*, -1 as by from were p' end,
    case when tg_op <> 'DELETE' then 'select p.*, 1 as by from are p' end);
begin
  execute format($count$
    insert into headcounts as h
      select * from (
        select coalesce(company_id, '00000000-0000-0000-0000-000000000000') as company_id,
          coalesce(sum(by) filter (where standing = 'asking'), 0) as asking,
          coalesce(sum(by) filter (where role = 'employee' and standing = 'pending'), 0) as pending,
          coalesce(sum(by) filter (where role = 'employee' and standing = 'active'), 0) as active,
          coalesce(sum(by) filter (where role = 'employee' and standing = 'suspended'), 0) as suspended,
          coalesce(sum(by) filter (where role = 'employee' and standing = 'left'), 0) as has_left,
          coalesce(sum(by) filter (where role = 'company_admin' and standing = 'pending'), 0) as a,
          coalesce(sum(by) filter (where role = 'company_admin' and status = 'active'), 0) as b,
          coalesce(sum(by) filter (where role = 'company_admin' and standing = 'suspended'), 0) as c,
          coalesce(sum(by) filter (where role = 'super_admin' and standing = 'pending'), 0) as d,
          coalesce(sum(by) filter (where role = 'super_admin' and status = 'active'), 0) as e,
          coalesce(sum(by) filter (where role = 'super_admin' and standing = 'suspended'), 0) as f
        from (%1$s) people group by 1 order by 1) n
      where (asking, pending, active, suspended, has_left, a, b, c, d, e, f)
        <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      on conflict (company_id) do update set asking = h.asking + excluded.asking,
        pending = h.pending + excluded.pending, active = h.active + excluded.active,
        suspended = h.suspended + excluded.suspended, has_left = h.has_left + excluded.has_left,
        admins_pending = h.admins_pending + excluded.admins_pending,
        admins_active = h.admins_active + excluded.admins_active,
        admins_suspended = h.admins_suspended + excluded.admins_suspended,
        supers_pending = h.supers_pending + excluded.supers_pending,
        supers_active = h.supers_active + excluded.supers_active,
        supers_suspended = h.supers_suspended + excluded.supers_suspended$count$, changed);
  execute format($count$
    insert into departments as d
      select company_id, department, sum(by) from (%s) people
        where role = 'employee' and standing <> 'asking' and company_id is not null
          and department is not null
        group by 1, 2 having sum(by) <> 0 order by 1, 2
      on conflict (company_id, department) do update set people = d.people + excluded.people$count$,
    changed);
  return null;
end $$;
create trigger count_people_in after insert on profiles referencing new table as are
  for each statement execute function wall.count_people();
create trigger count_people_on after update on profiles referencing old table as were new table as are
  for each statement execute function wall.count_people();
create trigger count_people_out after delete on profiles referencing old table as were
  for each statement execute function wall.count_people();

-- The person an act is about, held until it is done; whoever may not act on them does not find them.
create function wall.hold(person uuid) returns profiles
language plpgsql set search_path = public, pg_catalog as $$
declare p profiles;
begin
  select * into p from profiles where id = person and (
      actor_role() = 'super_admin'
      or actor_role() = 'company_admin' and company_id = actor_company()
        and (role = 'employee' or standing = 'asking'))
    for no key update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  perform tell('supers'), tell('person:' || p.id), tell('admins:' || p.company_id);
  return p;
end $$;

create function suspend_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if (wall.hold(person)).status <> 'active' then
    raise exception 'not_active' using errcode = 'HF422';
  end if;
  update profiles set status = 'suspended' where id = person;
end $$;

create function reactivate_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if (wall.hold(person)).status <> 'suspended' then
    raise exception 'not_suspended' using errcode = 'HF422';
  end if;
  update profiles set status = 'active' where id = person;
end $$;

create function approve_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare p profiles := wall.hold(person);
begin
  if p.standing <> 'asking' then raise exception 'not_asking' using errcode = 'HF422'; end if;
  if p.confirmed_at is null then raise exception 'email_not_confirmed' using errcode = 'HF422'; end if;
  update profiles set status = 'active', asked_at = null where id = person;
  perform wall.prove_domain(person);
end $$;

-- The account stays theirs; it belongs nowhere until somebody adds them.
create function decline_person(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if (wall.hold(person)).standing <> 'asking' then
    raise exception 'not_asking' using errcode = 'HF422';
  end if;
  update profiles set company_id = null, asked_at = null, role = 'employee' where id = person;
end $$;

create function change_role(person uuid, role text, company uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform wall.hold(person);
  update profiles p set role = change_role.role,
      company_id = case when change_role.role <> 'super_admin' then company end
    where p.id = person;
  perform tell('admins:' || company);
exception when foreign_key_violation then
  raise exception 'has_a_fund' using errcode = 'HF422';
end $$;

-- Their second steps go, and so does every session: whoever asked for this proves themselves anew.
create function reset_two_step(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'super_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform wall.hold(person);
  delete from auth.factors where user_id = person;
  perform auth.end_sessions(array[person]);
end $$;

create function has_two_step(people uuid[]) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select u.id from auth.users u
    where actor_role() = 'super_admin' and u.id = any (people) and u.two_step;
end;

create function invite_again(person uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare p profiles := wall.hold(person);
begin
  if p.confirmed_at is not null or p.standing = 'asking' then
    raise exception 'already_accepted' using errcode = 'HF422';
  end if;
  if p.invited_at > now() - interval '1 minute' then
    raise exception 'mailed_just_now' using errcode = 'HF422';
  end if;
  update profiles set invited_at = now() where id = person;
  perform add_job('users:invite', json_build_object('ids', json_build_array(person), 'letter', 'invite'));
end $$;
