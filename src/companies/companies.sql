-- Companies: who sees them, their domains, their day.

create policy your_company on companies for select using (
  id = (select actor_company()) or (select actor_role()) = 'super_admin');
create policy the_provider_adds_them on companies for insert with check (
  (select actor_role()) = 'super_admin');
create policy the_provider_changes_them on companies for update using (
  (select actor_role()) = 'super_admin');
grant select, insert (name, domain, status, currency, time_zone),
  update (name, domain, status, currency, time_zone) on companies to healthfund_request;
create or replace trigger audit after insert or update or delete on companies
  for each row execute function audited('version', 'founded_by');
create or replace trigger as_name_line before insert or update of name on companies
  for each row execute function private.keep_as_line('name');

create policy open_to_all on free_mail_domains for select using (true);
grant select on free_mail_domains to healthfund_request;

-- The confirmed address of anybody with a right that counts proves that its domain is the
-- company's.
create or replace function private.is_proven_by_address(company uuid, domain text) returns boolean
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  return exists (select from private.holders(company, null) h (id) join profiles p using (id)
    where p.confirmed_at is not null and email_domain(p.email) = is_proven_by_address.domain);
end $$;

create or replace function private.prove_domain(company uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  update companies c set domain_proven_at = now()
    where c.id = company and c.domain_proven_at is null
      and private.is_proven_by_address(company, c.domain);
end $$;

create or replace function private.refuse_domain() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(private.domain_refusal(new.id, new.domain, false));
  if tg_op = 'UPDATE' and new.domain is distinct from old.domain then
    -- A further domain of the company that becomes its first one stays proven.
    delete from company_domains d where d.company_id = new.id and d.domain = new.domain
      returning d.proven_at into new.domain_proven_at;
    new.domain_auto_register := false;
  end if;
  return new;
end $$;
create or replace trigger refuse_domain before insert or update of domain on companies
  for each row execute function private.refuse_domain();

-- A suspension shuts out everybody of the company.
create or replace function private.refuse_suspension() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() = 'super_admin' then perform private.refuse_unless_fresh(); end if;
  return new;
end $$;
create or replace trigger refuse_suspension before update of status on companies
  for each row when (new.status = 'suspended' and old.status <> 'suspended')
  execute function private.refuse_suspension();

create or replace function private.notify_activated() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() = 'super_admin' then
    perform notify_right_holders(new.id, 'company_active', jsonb_build_object('was', old.status));
  end if;
  return null;
end $$;
create or replace trigger notify_activated after update of status on companies
  for each row when (new.status = 'active' and old.status <> 'active')
  execute function private.notify_activated();

create or replace function private.look_for_proof() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.prove_domain(new.id);
  return null;
end $$;
create or replace trigger look_for_proof after update of domain on companies
  for each row when (new.domain is not null and new.domain is distinct from old.domain)
  execute function private.look_for_proof();

-- Today at a company: `today_at` for the server's own work, `company_today` for callers who may
-- know it. A statement that reads the company's row anyway uses
-- `(now() at time zone time_zone)::date`, which looks nothing up.
create or replace function private.today_at(company uuid) returns date language sql stable
return (select (now() at time zone c.time_zone)::date from companies c where c.id = company);

create or replace function company_today(company uuid) returns date
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) then private.today_at(company) end;

-- Why a company's currency can't be changed: once money is recorded, amounts are in it. The first
-- money is a contribution, which locks the company's row just as a change of the currency does.
create or replace function currency_refusal(company uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company)
    and exists (select from transfers t where t.company_id = company) then 'currency_settled' end;

create or replace function private.refuse_currency_change() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(currency_refusal(new.id));
  return new;
end $$;
create or replace trigger keep_currency before update of currency on companies
  for each row when (new.currency <> old.currency)
  execute function private.refuse_currency_change();

-- Turns auto-registration on or off. A company without a domain gets that of the admin's address as
-- its first one.
create or replace function set_auto_registration(enabled boolean) returns boolean
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare own_company companies;
begin
  perform private.require_right('owner', 'people');
  select * into strict own_company from companies where id = actor_company() for update;
  if enabled and own_company.domain is null then
    update companies set domain = private.confirmed_domain(actor_id()) where id = own_company.id;
  end if;
  if enabled then perform private.prove_domain(own_company.id); end if;
  update companies set domain_auto_register = enabled where id = own_company.id
    returning * into own_company;
  if enabled then
    perform private.take_in_waiting(own_company.id,
      private.domains_taken_in(own_company.id, actor_id()));
  end if;
  perform publish('supers'), publish('admins:' || own_company.id);
  return own_company.domain_auto_register;
end $$;

create or replace function private.confirmed_domain(person uuid) returns text
language sql stable
return (select email_domain(p.email) from profiles p
  where p.id = person and p.confirmed_at is not null);

-- The domains whose people a company takes in once this admin turns that on. Without a first domain
-- it is the admin's, unless anybody can have an address there or another company has it. None if
-- the first domain is not proven by then.
create or replace function private.domains_taken_in(company uuid, admin uuid) returns text[]
language sql stable
return array(with first as (
  select coalesce(c.domain, own) as domain from companies c, private.confirmed_domain(admin) own
    where c.id = company and case when c.domain is not null
        then c.domain_proven_at is not null or private.is_proven_by_address(company, c.domain)
      else own is not null
        and not exists (select from free_mail_domains f where f.domain = own)
        and not exists (select from companies x where x.domain = own)
        and not exists (select from company_domains x where x.domain = own
          and x.company_id <> company) end)
  select f.domain from first f
  union select d.domain from company_domains d, first where d.company_id = company);

-- The mailbox of an address, without what its owner adds behind a plus sign.
create or replace function private.mailbox_of(email text) returns text language sql immutable
return regexp_replace(email, '\+[^@]*@', '@');

-- People of the list whose mailbox belongs to somebody in the company already, or to an earlier
-- person of the list: both would make one person two employees, with a fund each.
create or replace function private.second_addresses(company uuid, people uuid[]) returns setof uuid
language sql stable
begin atomic
  select p.id from profiles p
    join profiles x on x.id <> p.id and private.mailbox_of(x.email) = private.mailbox_of(p.email)
      and (x.company_id = company or x.id = any (people))
    where p.id = any (people) and (x.company_id = company and x.account_state <> 'requested'
      or (x.created_at, x.id) < (p.created_at, p.id));
end;

-- People who wait at these domains and come in at once where the company lets them in. Declined
-- people stay out, and second addresses are HR's to let in.
create or replace function private.taken_in(company uuid, domains text[]) returns setof uuid
language sql stable
begin atomic
  with waiting as materialized (
    select p.id from companies c join profiles p on p.company_id is null
        or p.company_id = c.id and p.account_state = 'requested'
      where c.id = taken_in.company and c.status <> 'suspended'
        and p.role = 'employee' and p.status = 'pending' and p.confirmed_at is not null
        and email_domain(p.email) = any (taken_in.domains)
        and p.declined_company_id is distinct from c.id)
  select w.id from waiting w where w.id not in (
    select private.second_addresses(taken_in.company, array(select v.id from waiting v)));
end;

create or replace function private.take_in_waiting(company uuid, domains text[]) returns void
language sql
begin atomic
  update profiles p set company_id = take_in_waiting.company, status = 'active',
      requested_at = null
    from private.taken_in(take_in_waiting.company, take_in_waiting.domains) w (id)
    where p.id = w.id and p.status = 'pending';
end;

-- The people that turning it on takes in: how many, and the first of them.
create or replace function waiting_at_domains(company uuid) returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return case when private.may_know(company) and actor_has('owner', 'people') then (
  select jsonb_build_object('people', count(*),
      'names', coalesce(to_jsonb((array_agg(p.full_name order by p.sort_name, p.id))[:5]), '[]'))
    from private.taken_in(company, private.domains_taken_in(company, actor_id())) w (id)
      join profiles p on p.id = w.id) end;

-- The record of a company and its people for the provider: never anything about claims.
create or replace function company_activity(company uuid, before_id bigint, at_most integer)
returns table (id bigint, at timestamptz, actor_name text, actor_role text, act text, about text,
  subject text, before jsonb, after jsonb)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select l.id, l.at, who.full_name,
      l.actor_role, l.act, l.table_name,
      case when l.table_name = 'profiles' then coalesce(p.full_name, l.before ->> 'full_name') end,
      case when l.table_name = 'companies' then l.before end,
      case when l.table_name = 'companies' then l.after
        when l.table_name = 'profiles' then (select jsonb_object_agg(key, l.after -> key)
          from unnest(array['role', 'status', 'left_on']) key where l.after ? key)
        when l.table_name = 'imports' then (select jsonb_object_agg(key, l.after -> key)
          from unnest(array['status', 'file_name']) key where l.after ? key) end
    from audit_log l
      left join companies founded on founded.id = l.company_id and l.table_name = 'companies'
        and l.act = 'insert'
      left join profiles who on who.id = coalesce(l.actor_id, founded.founded_by)
      left join profiles p on l.table_name = 'profiles' and p.id::text = l.row_id
    where actor_role() = 'super_admin' and l.company_id = company
      and l.table_name in ('companies', 'profiles', 'imports')
      and (before_id is null or l.id < before_id)
    order by l.id desc limit at_most;
end;

-- Rules that a company's owners make; null leaves one as it is.
create or replace function set_company_rules(two_step boolean, receipts_restricted boolean)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner');
  update companies c set
      admins_need_two_step = coalesce(set_company_rules.two_step, c.admins_need_two_step),
      receipts_restricted
        = coalesce(set_company_rules.receipts_restricted, c.receipts_restricted)
    where c.id = actor_company();
  perform publish('admins:' || actor_company()), publish('supers');
end $$;

grant execute on function set_auto_registration, waiting_at_domains, company_activity,
  company_today, currency_refusal, set_company_rules to healthfund_request;
