-- Companies and their people.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create function email_domain(email text) returns text language sql immutable
return lower(split_part(email, '@', 2));

create table companies (
  id                   uuid primary key default gen_random_uuid(),
  name                 text not null check (length(name) between 2 and 100),
  domain               text check (domain = lower(domain) and length(domain) <= 253),
  domain_proven_at     timestamptz,
  domain_auto_register boolean not null default false,
  status               text not null default 'pending' check (status in ('pending', 'active', 'suspended')),
  currency             text not null default 'EUR' check (currency ~ '^[A-Z]{3}$'),
  time_zone            text not null default 'UTC',
  version              integer not null default 1,
  created_at           timestamptz not null default now(),
  constraint domain_taken unique (domain),
  constraint domain_not_proven check (not domain_auto_register or domain_proven_at is not null)
);
comment on table companies is 'A company that gives its people health money. Pending until the provider activates it.';

-- A person, one row per account, with the one role they were given (the role they asked for while pending).
create table profiles (
  id                uuid primary key references auth.users on delete cascade,
  company_id        uuid references companies on delete restrict,
  role              text not null check (role in ('super_admin', 'company_admin', 'employee')),
  status            text not null default 'pending' check (status in ('pending', 'active', 'suspended')),
  email             text not null,
  full_name         text not null check (length(full_name) between 1 and 100),
  phone             text check (length(phone) between 10 and 20),
  department        text check (length(department) between 2 and 100),
  requested_company text check (length(requested_company) <= 100),
  confirmed_at      timestamptz,
  asked_at          timestamptz,
  invited_at        timestamptz,
  joined_on         date not null default current_date,
  left_on           date,
  has_left          boolean not null default false,
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  sort_name         text collate "und-x-icu"
                      generated always as (lower(full_name collate "und-x-icu")) stored,
  sought            text collate "C"
                      generated always as (lower(full_name || ' ' || email collate "und-x-icu")) stored,
  standing          text generated always as (case
                      when status = 'active' and has_left then 'left'
                      when status = 'pending' and asked_at is not null then 'asking'
                      else status end) stored,
  unique (company_id, id),
  constraint an_active_person_has_a_company
    check (status = 'pending' or role = 'super_admin' or company_id is not null)
);
comment on table profiles is 'A person, one row per account, with the one role they were given (while pending: asked for). Who waits for approval has `asked_at`; who was invited has not.';
-- A list is read in its order, from where the last page ended; each order and each filter has its index.
create index people_by_name on profiles (company_id, sort_name, id);
create index people_by_email on profiles (company_id, email, id);
create index people_by_joining on profiles (company_id, joined_on, id);
create index people_by_department on profiles (company_id, (coalesce(department, '')), sort_name, id);
create index people_by_standing on profiles (company_id, standing, sort_name, id);
create index people_by_words on profiles using gin (company_id, sought gin_trgm_ops);
create index people_of_no_company on profiles (email_domain(email)) where company_id is null;
create index everybody_by_age on profiles (created_at, id);
create index everybody_by_name on profiles (sort_name, id);
create index admins_by_name on profiles (role, sort_name, id) where role <> 'employee';
create index waiting_by_name on profiles (status, sort_name, id) where status <> 'active';

alter table companies enable row level security;
create policy your_company on companies for select using (
  id = (select actor_company()) or (select actor_role()) = 'super_admin');
create policy the_provider_adds_them on companies for insert with check (
  (select actor_role()) = 'super_admin');
create policy the_provider_changes_them on companies for update using (
  (select actor_role()) = 'super_admin');
grant select, insert (name, domain, status, currency, time_zone),
  update (name, domain, status, currency, time_zone) on companies to healthfund_request;
create trigger audit after insert or update or delete on companies
  for each row execute function audited('version');

alter table profiles enable row level security;
create policy yourself_and_your_people on profiles for select using (
  id = (select actor_id())
  or ((select actor_role()) = 'company_admin' and company_id = (select actor_company()))
  or (select actor_role()) = 'super_admin');
create policy your_people_to_edit on profiles for update using (
  ((select actor_role()) = 'company_admin' and company_id = (select actor_company())
    and (role = 'employee' or standing = 'asking'))
  or (select actor_role()) = 'super_admin');
grant select, update (full_name, phone, department) on profiles to healthfund_request;
create trigger audit after insert or update or delete on profiles
  for each row execute function audited('version', 'sort_name', 'sought', 'standing', 'confirmed_at', 'invited_at');

-- Domains of mail providers that anybody can have an address at: never a company's.
create table free_mail_domains (domain text primary key);
comment on table free_mail_domains is 'Mail providers open to anybody, filled from a kept public list at each start.';
alter table free_mail_domains enable row level security;
create policy open_to_all on free_mail_domains for select using (true);
grant select on free_mail_domains to healthfund_request;

-- Whoever is confirmed at a company's own domain as its admin proves that the domain is the company's.
create function wall.prove_domain(person uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  update companies c set domain_proven_at = now() from profiles p
    where p.id = person and c.id = p.company_id and p.role = 'company_admin' and p.status = 'active'
      and p.confirmed_at is not null and c.domain = email_domain(p.email) and c.domain_proven_at is null;
end;

-- What a confirmed person gets of what they asked for (docs/accounts.md). The role asked for is a request.
create function wall.settle(person uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
declare
  p profiles;
  theirs companies;
  domain_of_theirs text;
begin
  select * into strict p from profiles where id = person for update;
  if p.status <> 'pending' or p.role = 'super_admin' and p.asked_at is not null then return; end if;
  if p.asked_at is null and (p.company_id is not null or p.role = 'super_admin') then -- invited
    update profiles set status = 'active' where id = person;
    perform wall.prove_domain(person), tell('supers'), tell('admins:' || p.company_id);
    return;
  end if;
  domain_of_theirs := email_domain(p.email);
  if p.role = 'company_admin' and p.company_id is null then
    insert into companies (name, domain, domain_proven_at)
      select coalesce(p.requested_company, domain_of_theirs), own, case when own is not null then now() end
      from (select case when not exists (select from free_mail_domains f where f.domain = domain_of_theirs)
                   then domain_of_theirs end as own) d
      on conflict (domain) do nothing
      returning * into theirs;
    if found then
      update profiles set company_id = theirs.id, status = 'active' where id = person;
      perform tell('supers');
      return;
    end if;
  end if;
  select * into theirs from companies where domain = domain_of_theirs;
  if not found then return; end if;
  if p.role = 'employee' and theirs.domain_auto_register and theirs.status <> 'suspended' then
    update profiles set company_id = theirs.id, status = 'active', asked_at = null where id = person;
  else
    update profiles set company_id = theirs.id, asked_at = coalesce(asked_at, now()) where id = person;
  end if;
  perform tell('admins:' || theirs.id), tell('supers');
end $$;

-- The auth service keeps accounts; each account is a person here. `placement` is what whoever made the
-- account decided; without it the person asks. One statement for many: a file of people is one insert.
create function wall.accounts_made() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
declare person uuid;
begin
  insert into profiles (id, company_id, role, email, full_name, phone, department, requested_company,
      asked_at, confirmed_at)
    select m.id, (m.placement ->> 'company_id')::uuid,
        coalesce(m.placement ->> 'role', asked.role, 'employee'), coalesce(m.email, ''),
        coalesce(nullif(left(btrim(asked.full_name), 100), ''),
                 nullif(left(split_part(m.email, '@', 1), 100), ''), 'Unnamed'),
        m.placement ->> 'phone', m.placement ->> 'department',
        case when length(btrim(asked.company_name)) >= 2 then left(btrim(asked.company_name), 100) end,
        case when m.placement is null and asked.role = 'super_admin' then now() end,
        m.email_confirmed_at
      from made m, lateral (select
        case when m.raw_user_meta_data ->> 'role' in ('super_admin', 'company_admin')
          then m.raw_user_meta_data ->> 'role' end as role,
        m.raw_user_meta_data ->> 'full_name' as full_name,
        m.raw_user_meta_data ->> 'company_name' as company_name) asked
      -- Another audience's account is nobody here: or one address could be several employees.
      where m.aud = 'authenticated';
  for person in select id from made where email_confirmed_at is not null and aud = 'authenticated' loop
    perform wall.settle(person);
  end loop;
  return null;
end $$;
create trigger accounts_made after insert on auth.users referencing new table as made
  for each statement execute function wall.accounts_made();

create function wall.account_changed() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  update profiles set email = coalesce(new.email, ''), confirmed_at = new.email_confirmed_at
    where id = new.id and (email <> coalesce(new.email, '')
      or confirmed_at is distinct from new.email_confirmed_at);
  if new.email_confirmed_at is not null and old.email_confirmed_at is null
      and new.aud = 'authenticated' then
    perform wall.settle(new.id);
  end if;
  return null;
end $$;
create trigger account_changed after update of email, email_confirmed_at on auth.users
  for each row execute function wall.account_changed();

-- Whether an account may have sessions at all: asked by the auth service at sign-in and refresh.
create function auth.barred(person uuid) returns boolean
language sql stable security definer set search_path = public, pg_catalog
return exists (
  select from profiles p left join companies c on c.id = p.company_id
  where p.id = person and (p.status = 'suspended' or c.status = 'suspended'));
grant execute on function auth.barred(uuid) to healthfund_auth;

-- The only way in: a live session of a person makes them the actor of this transaction.
-- `known` is what the server remembers of the actor; if that is stale it must ask again (HF409).
create function become(subject uuid, session uuid, known text default null,
  address text default null, request text default null)
returns text
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  p record;
  waiting text;
  stamp text;
begin
  select u.id, f.role, f.status, f.company_id, c.status as company_status,
      u.email_confirmed_at is not null as confirmed, u.banned_until > now() as banned,
      u.two_step and s.aal = 'aal1' as step_missing, u.password_must_change
    into p
    from auth.sessions s
    join auth.users u on u.id = s.user_id
    join profiles f on f.id = u.id
    left join companies c on c.id = f.company_id
    where s.id = session and s.user_id = subject;
  if not found or p.banned or p.status = 'suspended' or p.company_status = 'suspended' then
    raise exception 'no such session' using errcode = 'HF401';
  end if;
  waiting := case
    when not p.confirmed then 'email_confirmation'
    when p.step_missing then 'two_step'
    when p.password_must_change then 'new_password'
    when p.status = 'active' then ''
    when p.role = 'super_admin' then 'super_admin_approval'
    when p.company_id is not null then 'company_approval'
    else 'unknown_company' end;
  stamp := concat_ws(' ', p.id, p.role, p.status, coalesce(p.company_id::text, '-'), waiting);
  if stamp <> known then
    raise exception 'the actor has changed' using errcode = 'HF409';
  end if;
  perform wall.set_actor(case when waiting = '' then p.role else 'waiting' end, p.id, p.company_id),
    set_config('app.address', coalesce(address, ''), true),
    set_config('app.request', coalesce(request, ''), true);
  return stamp;
end $$;
grant execute on function become(uuid, uuid, text, text, text) to healthfund_request;
