-- The actor of a transaction. A request is one transaction by one person, sealed so that `set`
-- makes nobody somebody else.

grant usage on schema public to healthfund_request, healthfund_key, healthfund_auth;

-- The seal covers who asks, from where and in which session, so that the record of an act is as
-- true as its actor. One expression, which PostgreSQL inlines.
create or replace function private.seal(actor text, secret bytea) returns text
language sql stable
return encode(sha256(secret || timestamptz_send(transaction_timestamp())
  || int4send(pg_backend_pid()) || convert_to(concat_ws('|', actor,
    current_setting('app.address', true), current_setting('app.request', true),
    current_setting('app.session', true)), 'UTF8')), 'hex');

-- The secret never changes, so a connection reads it once, as it plans the seal: reading it each
-- time was more than half of the cost of `actor`.
create or replace function private.seal_secret() returns bytea
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  return (select s.secret from private.secret s);
end $$;

-- The actor as text; every row rule asks for it.
create or replace function actor() returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  claimed text := current_setting('app.actor', true);
begin
  if coalesce(claimed, '') = '' then return ''; end if;
  if private.seal(claimed, private.seal_secret())
      is distinct from current_setting('app.seal', true) then
    raise exception 'the actor of this transaction was not set by become()' using errcode = '42501';
  end if;
  return claimed;
end $$;

-- Whether a person or a company's own system asks, by a request. Otherwise it is the server itself:
-- jobs, commands and the auth service, whose logins no request has.
create or replace function private.is_request() returns boolean language sql stable
return session_user in ('healthfund_request', 'healthfund_key');

create or replace function actor_role() returns text language sql stable
return split_part(actor(), ' ', 1);

create or replace function actor_id() returns uuid language sql stable
return nullif(split_part(actor(), ' ', 2), '')::uuid;

create or replace function actor_company() returns uuid language sql stable
return nullif(split_part(actor(), ' ', 3), '')::uuid;

-- Whether the caller may read this about a company: its own people, the provider and the server
-- itself may.
create or replace function private.may_know(company uuid) returns boolean language sql stable
return not private.is_request() or company = actor_company()
  or actor_role() = 'super_admin';

-- Whether the actor has one of these rights for their company, as of the beginning of the
-- transaction. Row rules and acts of the company's side ask for rights: there the role alone says
-- nothing.
create or replace function actor_has(variadic kinds text[]) returns boolean language sql stable
return string_to_array(split_part(actor(), ' ', 4), ',') && kinds;

-- The API key that asks; null if a person does.
create or replace function private.acting_key() returns uuid language sql stable
return nullif(split_part(actor(), ' ', 5), '')::uuid;

-- The person who asks; null if a key does, whose maker may know nothing of it.
create or replace function private.acting_person() returns uuid language sql stable
return case when private.acting_key() is null then actor_id() end;

create or replace function private.acting_right() returns text language sql stable
return split_part(actor(), ' ', 6);

-- `rights` are those for the company; `key` is an API key and the right that it acts with
-- (src/connections/keys.sql).
create or replace function private.set_actor(role text, id uuid, company uuid,
  rights text default null, key text default null) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare actor text := concat_ws(' ', role, coalesce(id::text, ''),
  coalesce(company::text, ''), rights, key);
begin
  perform set_config('app.actor', actor, true),
    set_config('app.seal', private.seal(actor, private.seal_secret()), true);
end $$;

-- Whether somebody is more than an employee: by their role, or by a right that they were given,
-- even if it does not count yet.
create or replace function private.is_admin(role text, has_rights boolean) returns boolean
language sql immutable
return role <> 'employee' or has_rights;

-- Whether the company covers somebody, whatever else they are.
create or replace function private.has_benefits(role text, has_own boolean) returns boolean
language sql immutable
return role = 'employee' or has_own;

-- An account as it is now, signed in with `aal`. `shut_out`: it or its company is suspended.
-- `blocker`: the step that it has to take before anything else (null: none). Without settings of
-- its own, so that PostgreSQL inlines it.
create or replace function private.current_account(account uuid, aal text)
returns table (id uuid, role text, status text, company_id uuid, has_own boolean,
  has_rights boolean, currency text, password_must_change boolean, shut_out boolean, blocker text)
language sql stable
begin atomic
  select u.id, f.role, f.status, f.company_id, f.has_own, f.has_rights, c.currency,
      u.password_must_change,
      u.banned_until > now() or f.status = 'suspended' or c.status = 'suspended',
      case when u.email_confirmed_at is null then 'email_confirmation'
        when case when u.two_step then aal = 'aal1'
          else f.status = 'active' and private.is_admin(f.role, f.has_rights)
            and case f.role when 'super_admin' then k.supers_need_two_step
              else c.admins_need_two_step end end then 'two_step' end
    from auth.users u
    join profiles f on f.id = u.id
    left join companies c on c.id = f.company_id
    cross join private.secret k
    where u.id = account;
end;

-- Makes the transaction a person's, by the session, the person and the company as they are now, and
-- answers the stamp of all three. `known` is the stamp that the server remembers: if it is stale
-- the transaction fails (HF409), and is done again with the new one.
create or replace function become(subject uuid, session uuid, known text default null,
  address text default null, request text default null)
returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  p record;
  waiting text;
  stamp text;
  actor text;
  done text;
begin
  select f.*, f.role as given_role,
      case when f.has_rights then private.rights_of(f.company_id, f.id) end as rights
    into p
    from auth.sessions s cross join lateral private.current_account(s.user_id, s.aal) f
    where s.id = session and s.user_id = subject;
  if not found or p.shut_out then
    raise exception 'no such session' using errcode = 'HF401';
  end if;
  -- The role of this session follows from the rights that count now: a company admin with any
  -- right, otherwise an employee.
  if p.status = 'active' and p.given_role <> 'super_admin' then
    p.role := case when p.rights is null then 'employee' else 'company_admin' end;
    p.has_own := p.has_own or p.given_role = 'employee' and p.rights is not null;
  end if;
  waiting := coalesce(p.blocker, case
    when p.password_must_change then 'new_password'
    when p.status = 'active' then ''
    when p.role = 'super_admin' then 'super_admin_approval'
    when p.company_id is not null then 'company_approval'
    else 'unknown_company' end);
  stamp := concat_ws(' ', p.id, p.role, p.status, coalesce(p.company_id::text, '-'),
    coalesce(p.currency, '-'), case when p.has_own then 'own' else '-' end, waiting,
    coalesce(p.rights, '-'));
  if stamp <> known then
    raise exception 'the actor has changed' using errcode = 'HF409';
  end if;
  actor := concat_ws(' ', case when waiting = '' then p.role else 'waiting' end, p.id,
    coalesce(p.company_id::text, ''), case when waiting = '' then p.rights end);
  done := set_config('app.address', coalesce(address, ''), true);
  done := set_config('app.request', coalesce(request, ''), true);
  done := set_config('app.session', session::text, true);
  done := set_config('app.actor', actor, true);
  done := set_config('app.seal', private.seal(actor, private.seal_secret()), true);
  return stamp;
end $$;

-- Refuses unless the sign-in is fresh: its password or provider confirmed within minutes, in this
-- very session. Acts on money and acts that can't be undone ask for it, so that an open screen is
-- not enough. A session that has ended is no stale one: nothing could be confirmed in it.
create or replace function private.refuse_unless_fresh() returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  session uuid := nullif(current_setting('app.session', true), '');
  fresh boolean := exists (
    select from auth.amr_claims m join auth.sessions s on s.id = m.session_id
      where s.id = session and s.user_id = public.actor_id()
        and m.method in ('password', 'sso/oidc', 'sso/saml')
        and m.at > now() - interval '5 minutes');
begin
  if session is not null and not exists (select from auth.sessions where id = session) then
    raise exception 'no such session' using errcode = 'HF401';
  end if;
  if not fresh then perform private.refuse('password_needed'); end if;
end $$;

-- Raises the problem a rule answered; null passes.
create or replace function private.refuse(code text) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
  if code is not null then raise exception '%', code using errcode = 'HF422'; end if;
end $$;

-- The callers of each act are in src/policy.ts; here the same holds for straight SQL.
-- test/fences-callers.test.ts compares the two.
create or replace function private.require_role(role text) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if actor_role() <> role then perform private.refuse('forbidden'); end if;
end $$;

create or replace function private.require_right(variadic kinds text[]) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if not actor_has(variadic kinds) then perform private.refuse('forbidden'); end if;
end $$;

create or replace function private.require_right_at(company uuid, variadic kinds text[])
  returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right(variadic kinds),
    private.refuse(case when company is distinct from actor_company() then 'forbidden' end);
end $$;

-- An admin who is also an employee acts on their own data as an employee, and sees and changes no
-- more of it than any employee.
create or replace function act_as_employee() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if not exists (select from profiles where id = actor_id() and company_id = actor_company()
    and actor_role() = 'company_admin' and private.has_benefits(role, has_own)) then
    perform private.refuse('forbidden');
  end if;
  perform private.set_actor('employee', actor_id(), actor_company());
end $$;

-- A duplicate request waits here for the first one, and then finds the answer of the first.
create or replace function answer_before(request_key text) returns table (question bytea,
  answer jsonb)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare who text := split_part(actor(), ' ', 2);
begin
  perform pg_advisory_xact_lock(hashtextextended(who || ' ' || request_key, 0));
  return query select a.question, a.answer from answered_requests a
    where a.person_id = who::uuid and a.key = request_key;
end $$;

-- The rights of the specification's admin (`admin_rights` in callers.ts): holders of one of them
-- have work that waits for them.
create or replace function admin_rights() returns text[] language sql immutable
return array['owner', 'people', 'reviewer', 'finance'];

-- Whether the actor has work that waits while they are away.
create or replace function actor_is_at_work() returns boolean language sql stable
return actor_has(variadic admin_rights());

-- Whether the actor has a right by which they see the company's people and their rights.
create or replace function actor_sees_people() returns boolean language sql stable
return actor_has(variadic admin_rights() || 'auditor'::text);

-- The employee who reads their own data; null for every other actor. No other part of the actor
-- contains 'employee', so splitting finds it, at a tenth of the cost of a pattern.
create or replace function actor_employee() returns uuid language sql stable
return nullif(split_part(split_part(actor(), 'employee ', 2), ' ', 1), '')::uuid;

-- The company that the actor acts for by a right; null for everybody else.
create or replace function actor_for_company() returns uuid language sql stable
return nullif(split_part(split_part(actor(), 'company_admin ', 2), ' ', 2), '')::uuid;

create policy your_own on answered_requests using (person_id = (select actor_id()));
grant select, insert on answered_requests to healthfund_request;

grant execute on function actor, actor_role, actor_has, actor_is_at_work, actor_sees_people,
  admin_rights, actor_id, actor_company, become, answer_before, actor_employee,
  actor_for_company, act_as_employee to healthfund_request;
