-- Keys of a company: made, renewed and revoked by its admins; what a transaction by a key may see
-- and change.

-- The record of changes, which auditors read, names keys.
create policy your_companys on api_keys for select using (
  (select actor_has('owner', 'auditor')) and company_id = (select actor_company()));
grant select on api_keys to healthfund_request;
create or replace trigger audit after insert or update or delete on api_keys
  for each row execute function audited('notified_at');
create or replace trigger as_one_line before insert or update of name on api_keys
  for each row execute function private.keep_as_line('name');

create policy your_companys on api_key_secrets for select using (
  (select actor_has('owner')) and company_id = (select actor_company()));
grant select (company_id, id, key_id, ending, made_at, ends_at, last_used_at) on api_key_secrets
  to healthfund_request;
create or replace trigger audit after insert or update or delete on api_key_secrets
  for each row execute function audited('hash', 'last_used_at');

-- Whether a key is good as things are now. It ends with its last day, and when its maker is no
-- active owner any more or is barred. A password that the maker has to change does not matter: the
-- key has its own secret.
create or replace function private.key_state(k api_keys) returns text
language sql stable
return case
  when k.revoked_at is not null then 'revoked'
  when k.ends_on < private.today_at(k.company_id) then 'expired'
  when not exists (select from private.current_account(k.made_by, 'aal2') m
      where m.company_id = k.company_id and m.status = 'active' and m.shut_out is not true
        and m.blocker is null
        and 'owner' = any (string_to_array(private.rights_of(m.company_id, m.id), ',')))
    then 'maker_gone'
  else 'active' end;

create or replace function key_states() returns table (id uuid, state text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select k.id, private.key_state(k) from api_keys k
    where actor_has('owner') and k.company_id = actor_company();
end;

create or replace function key_refusal(act text, state text) returns text
language sql immutable
return case when state = 'revoked' then 'key_revoked'
  when act = 'rotate' and state <> 'active' then 'key_ended' end;

-- The right of its maker on which a key's right stands: the key sees no more than that right does
-- (as in src/permissions/key-rights.ts).
create or replace function private.right_behind(key_right text) returns text
language sql immutable
return case when key_right like 'people:%' then 'people' else 'finance' end;

-- The right that row rules and acts find in a key (`actor_has`): keys of HR's systems have the
-- right of people, all others a kind of their own.
create or replace function private.right_opened_by(key_right text) returns text
language sql immutable
return case key_right when 'people:provision' then 'provision' when 'funds:read' then 'funds'
  when 'claims:read' then 'plain_claims' else 'people' end;

-- Makes the transaction a key's, by the key, its maker and the company as they are now. It sees
-- nothing before it takes up one of its rights (`act_with`). Answers the stamp of `become`, with
-- the key and its rights.
create or replace function become_key(hash bytea, known text default null,
  address text default null, request text default null)
returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  k api_keys;
  stamp text;
begin
  select a.* into k from api_key_secrets s
    join api_keys a on a.company_id = s.company_id and a.id = s.key_id
    where s.hash = become_key.hash and (s.ends_at is null or s.ends_at > now());
  if not found or private.key_state(k) <> 'active' then
    raise exception 'no such key' using errcode = 'HF401';
  end if;
  select concat_ws(' ', k.made_by, 'company_admin', 'active', k.company_id, c.currency, '-', '',
      (select string_agg(distinct private.right_behind(r), ',') from unnest(k.rights) r), k.id,
      array_to_string(k.rights, ','))
    into stamp from companies c where c.id = k.company_id;
  if stamp <> known then
    raise exception 'the actor has changed' using errcode = 'HF409';
  end if;
  perform set_config('app.address', coalesce(address, ''), true),
    set_config('app.request', coalesce(request, ''), true),
    set_config('app.session', '', true);
  perform private.set_actor('api_key', k.id, null);
  return stamp;
end $$;

-- Makes the transaction act for the key's maker, by this right of the key alone: a right to read
-- cannot write. Grants to the login of keys bound it as well (key-login.sql).
create or replace function act_with(key_right text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k api_keys;
begin
  select * into k from api_keys
    where id = actor_id() and actor_role() = 'api_key' and key_right = any (rights);
  if not found then perform private.refuse('forbidden'); end if;
  if key_right like '%:read' then perform set_config('transaction_read_only', 'on', true); end if;
  perform private.set_actor('company_admin', k.made_by, k.company_id,
    private.right_opened_by(key_right), k.id || ' ' || key_right);
end $$;

-- The name of a key that did something, for people who work with what it changed; all else about
-- keys is for owners.
create or replace function key_name(company uuid, key uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select k.name from api_keys k
  where k.company_id = company and k.id = key and private.may_know(company)
    and actor_has('people'));

-- Notes that a key was used, at most once a minute, beside the request.
create or replace function private.note_key_used(hash bytea) returns void
language sql
begin atomic
  update api_key_secrets s set last_used_at = now()
    where s.hash = note_key_used.hash and (s.ends_at is null or s.ends_at > now());
end;

create or replace function private.refuse_key_end(ends_on date) returns void
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare today date := private.today_at(actor_company());
begin
  if ends_on < today then perform private.refuse('key_ends_past'); end if;
  if ends_on > today + 366 then perform private.refuse('key_ends_too_late'); end if;
end $$;

-- Why a company can't be connected to its other systems yet; null once it can.
create or replace function connecting_refusal(status text) returns text
language sql immutable
return case when status <> 'active' then 'company_pending' end;

-- Refuses a company that isn't active, and locks it: its connections are changed one at a time.
create or replace function private.lock_active_company() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(connecting_refusal(c.status)) from companies c
    where c.id = actor_company() for no key update;
end $$;

-- A key goes on without a session, so a screen left open must not be enough to make one.
create or replace function make_api_key(name text, rights text[], ends_on date, hash bytea,
  ending text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare made uuid;
begin
  perform private.require_right('owner'), private.refuse_key_end(make_api_key.ends_on),
    private.lock_active_company();
  if (select count(*) >= 20 from api_keys k
      where k.company_id = actor_company() and k.revoked_at is null) then
    perform private.refuse('too_many_keys');
  end if;
  insert into api_keys (company_id, name, rights, ends_on, made_by)
    values (actor_company(), make_api_key.name, make_api_key.rights, make_api_key.ends_on,
      actor_id())
    returning id into made;
  -- The fresh sign-in is asked for last, when the name is known to be free.
  perform private.refuse_unless_fresh();
  insert into api_key_secrets (company_id, key_id, hash, ending)
    values (actor_company(), made, make_api_key.hash, make_api_key.ending);
  perform notify_right_holders(actor_company(), 'api_key_made',
    jsonb_build_object('name', make_api_key.name)),
    publish('admins:' || actor_company());
  return made;
end $$;

create or replace function private.lock_key(act text, key uuid) returns api_keys
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare k api_keys;
begin
  select * into k from api_keys where company_id = actor_company() and id = key
    and actor_has('owner') for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(key_refusal(act, private.key_state(k))),
    publish('admins:' || k.company_id);
  return k;
end $$;

-- How long a secret stays good after another is made: the newest for the overlap, at most thirty
-- days; older ones end at once.
create or replace function private.overlap_ends_at(ends_at timestamptz, overlap_hours integer)
returns timestamptz
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(case when overlap_hours between 0 and 720 then null
    else 'invalid_input' end);
  return least(ends_at, now() + case when ends_at is null then make_interval(hours => overlap_hours)
    else interval '0' end);
end $$;

create or replace function rotate_api_key(key uuid, overlap_hours integer, hash bytea, ending text)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k api_keys := private.lock_key('rotate', key);
begin
  perform private.refuse_unless_fresh();
  update api_key_secrets s
    set ends_at = private.overlap_ends_at(s.ends_at, overlap_hours)
    where s.company_id = k.company_id and s.key_id = k.id
      and (s.ends_at is null or s.ends_at > now());
  insert into api_key_secrets (company_id, key_id, hash, ending)
    values (k.company_id, k.id, rotate_api_key.hash, rotate_api_key.ending);
  perform notify_right_holders(k.company_id, 'api_key_renewed', jsonb_build_object('name', k.name));
end $$;

create or replace function revoke_api_key(key uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare k api_keys := private.lock_key('revoke', key);
begin
  update api_keys set revoked_at = now() where company_id = k.company_id and id = k.id;
  update api_key_secrets s set ends_at = now()
    where s.company_id = k.company_id and s.key_id = k.id
      and (s.ends_at is null or s.ends_at > now());
end $$;

-- Notifies owners once, two weeks before a key ends, and when one has stopped because its maker is
-- gone: the system that uses it tells nobody. A job runs it.
create or replace function private.notify_of_ending_keys() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare k api_keys;
begin
  -- A key whose maker is back can be notified of again.
  update api_keys a set notified_at = null where a.revoked_at is null
    and a.ends_on > private.today_at(a.company_id) + 14 and a.notified_at is not null
    and private.key_state(a) = 'active';
  for k in select a.* from api_keys a join companies c on c.id = a.company_id
      where a.revoked_at is null and a.notified_at is null and c.status = 'active'
        and (a.ends_on <= private.today_at(c.id) + 14 or private.key_state(a) = 'maker_gone')
      order by a.ends_on limit 500 for update of a skip locked
  loop
    update api_keys a set notified_at = now() where a.company_id = k.company_id and a.id = k.id;
    perform notify_right_holders(k.company_id,
      case private.key_state(k) when 'active' then 'api_key_ends' else 'api_key_stopped' end,
      jsonb_build_object('name', k.name, 'until', k.ends_on))
      where private.key_state(k) in ('active', 'maker_gone');
  end loop;
end $$;

-- Claims as money and state, without anything of what they were for. It waits for claims that are
-- being submitted, so that none with a lower number appears later; for seconds only, as new
-- submissions queue behind it.
create or replace function plain_claims(only_status text, after_id bigint, most integer)
returns table (id bigint, person_id uuid, category text, plan_year date, amount_cents bigint,
  approved_cents bigint, currency text, status text, stage text, payment text,
  submitted_at timestamptz, reviewed_at timestamptz, paid_on date)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp
set lock_timeout = '3s' as $$
declare company uuid;
begin
  if not actor_has('finance', 'auditor', 'plain_claims') then return; end if;
  company := actor_company();
  perform private.lock_numbers(company, true);
  return query select c.id, c.person_id, c.category::text, c.plan_year, c.amount_cents,
      c.approved_cents, o.currency, c.status::text, c.stage::text, c.payment::text,
      c.submitted_at, c.reviewed_at, c.paid_on
    from claims c join companies o on o.id = c.company_id
    where c.company_id = company and c.id > after_id
      and (only_status is null or c.status = only_status)
    order by c.id limit most;
end $$;

grant execute on function connecting_refusal, key_states, key_name, key_refusal, make_api_key,
  rotate_api_key, revoke_api_key, plain_claims to healthfund_request;
