-- Domains of a company: which are proven, and how one comes to be.

create policy your_companys on company_domains for select using (
  (select actor_role()) = 'super_admin'
  or (select actor_has('owner')) and company_id = (select actor_company()));
grant select on company_domains to healthfund_request;
create or replace trigger audit after insert or update or delete on company_domains
  for each row execute function audited();

create policy your_companys on domain_requests for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select (company_id, domain, checking, checked_at, fault, mailed_at)
  on domain_requests to healthfund_request;
create or replace trigger audit after insert or delete on domain_requests
  for each row execute function audited('checking', 'checked_at', 'fault', 'mailed_at', 'code_hash',
    'code_ends_at');

-- The company that has proven a domain, in whichever way; null until then.
create or replace function private.company_of_domain(domain text) returns uuid
language sql stable
begin atomic
  select c.id from companies c
    where c.domain = company_of_domain.domain and c.domain_proven_at is not null
  union all
  select d.company_id from company_domains d where d.domain = company_of_domain.domain
  limit 1;
end;

-- Whether a company has proven this domain: it speaks for the addresses there, and for no others.
create or replace function private.owns_domain(company uuid, domain text) returns boolean
language sql stable
return coalesce(private.company_of_domain(owns_domain.domain) = company, false);

-- All that a company has proven.
create or replace function private.domains_of(company uuid) returns setof text
language sql stable
begin atomic
  select c.domain from companies c where c.id = company and c.domain_proven_at is not null
  union all
  select d.domain from company_domains d where d.company_id = company;
end;

-- Why a domain can't be this company's. For the first domain, the unique key of companies says the
-- rest. A second request for the same domain waits here.
create or replace function private.domain_refusal(company uuid, domain text, further boolean)
returns text
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('domain'), hashtext(domain_refusal.domain));
  return case
    when exists (select from free_mail_domains f where f.domain = domain_refusal.domain)
      then 'free_mail_domain'
    when further and exists (select from companies c
        where c.domain = domain_refusal.domain and c.id <> company)
      or exists (select from company_domains d
        where d.domain = domain_refusal.domain and d.company_id <> company)
      then 'domain_taken' end;
end $$;

create or replace function private.lock_domain_request(domain text) returns domain_requests
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare request domain_requests;
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  select * into request from domain_requests k
    where k.company_id = actor_company() and k.domain = lock_domain_request.domain
    for no key update;
  if not found then perform private.refuse('not_found'); end if;
  return request;
end $$;

create or replace function request_domain(domain text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('owner'), private.lock_active_company(),
    private.refuse(private.domain_refusal(actor_company(), request_domain.domain, true));
  if private.owns_domain(actor_company(), request_domain.domain) then
    perform private.refuse('domain_already_yours');
  end if;
  if (select count(*) from domain_requests k where k.company_id = actor_company())
      + (select count(*) from company_domains d where d.company_id = actor_company()) >= 20 then
    perform private.refuse('too_many_domains');
  end if;
  insert into domain_requests (company_id, domain) values (actor_company(), request_domain.domain)
    on conflict do nothing;
  perform publish('admins:' || actor_company());
end $$;

create or replace function check_domain(domain text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k domain_requests := private.lock_domain_request(check_domain.domain);
begin
  update domain_requests x set checking = true
    where x.company_id = k.company_id and x.domain = k.domain;
  perform add_job('domains:check', json_build_object('company_id', k.company_id,
    'domain', k.domain), key => 'domains:check ' || k.company_id || ' ' || k.domain);
end $$;

-- Mails a code to the domain's postmaster, whom every domain has (RFC 5321). Three a day, as
-- postmasters know nothing of us. The bucket is the domain's, not the company's, or several
-- companies together would mail more.
create or replace function mail_domain_code(domain text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k domain_requests := private.lock_domain_request(mail_domain_code.domain);
begin
  if not auth.take_from_bucket('postmaster of ' || k.domain, 3, 3 / 86400.0, now()) then
    perform private.refuse('domain_mailed_enough');
  end if;
  update domain_requests x set mailed_at = now()
    where x.company_id = k.company_id and x.domain = k.domain;
  perform add_job('domains:mail', json_build_object('company_id', k.company_id,
    'domain', k.domain), key => 'domains:mail ' || k.company_id || ' ' || k.domain);
end $$;

create or replace function confirm_domain_code(domain text, code text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k domain_requests := private.lock_domain_request(confirm_domain_code.domain);
begin
  perform private.refuse(case when k.code_ends_at > now()
      and k.code_hash = sha256(convert_to(confirm_domain_code.code, 'utf8')) then null
    else 'domain_code_wrong' end);
  perform private.refuse(private.domain_refusal(k.company_id, k.domain, true)),
    private.accept_proof(k.company_id, k.domain, 'mail');
end $$;

-- Proves a domain; it becomes the first one of a company that has none. People who wait for the
-- company come in if it takes in its domains.
create or replace function private.accept_proof(company uuid, domain text, way text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare c companies;
begin
  select * into strict c from companies x where x.id = company for update;
  delete from domain_requests x where x.company_id = company and x.domain = accept_proof.domain;
  if c.domain is null then
    update companies x set domain = accept_proof.domain where x.id = c.id returning * into c;
  end if;
  if c.domain = accept_proof.domain then
    update companies x set domain_proven_at = now()
      where x.id = c.id and x.domain_proven_at is null;
  else
    insert into company_domains (company_id, domain, proof) values (c.id, accept_proof.domain, way);
    if c.domain_auto_register then
      perform private.take_in_waiting(c.id, array[accept_proof.domain]);
    end if;
  end if;
  perform notify_right_holders(c.id, 'domain_proven',
      jsonb_build_object('domain', accept_proof.domain)),
    publish('admins:' || c.id), publish('supers');
end $$;

-- Notes what the name servers answered; `fault` is null where the record is there.
create or replace function private.note_domain_check(company uuid, domain text, fault text)
returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  k domain_requests;
  wrong text := fault;
begin
  select * into k from domain_requests x
    where x.company_id = company and x.domain = note_domain_check.domain for update;
  if not found then return; end if;
  if wrong is null and private.domain_refusal(company, k.domain, true) is not null then
    wrong := 'taken';
  end if;
  if wrong is null then perform private.accept_proof(company, k.domain, 'dns');
  else
    update domain_requests x set checking = false, checked_at = now(), fault = wrong
      where x.company_id = company and x.domain = k.domain;
    perform publish('admins:' || company);
  end if;
end $$;

create or replace function remove_domain(domain text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  requested boolean;
  proven boolean;
begin
  perform private.require_right('owner'), publish('admins:' || actor_company());
  delete from domain_requests k
    where k.company_id = actor_company() and k.domain = remove_domain.domain;
  requested := found;
  delete from company_domains d
    where d.company_id = actor_company() and d.domain = remove_domain.domain;
  proven := found;
  perform private.refuse(case when not requested and not proven then 'not_found' end);
end $$;

grant execute on function request_domain, check_domain, mail_domain_code, confirm_domain_code,
  remove_domain to healthfund_request;
