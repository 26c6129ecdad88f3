-- The same seal, reckoned where it is looked at: every row rule asks for it, and calling another function for it
-- took longer than the reckoning.
create or replace function actor() returns text
language plpgsql stable security definer set search_path = pg_catalog as $$
declare
  claimed text := current_setting('app.actor', true);
  seal bytea;
begin
  if coalesce(claimed, '') = '' then return ''; end if;
  select sha256(s.secret || convert_to(
      claimed || pg_backend_pid() || extract(epoch from transaction_timestamp()), 'UTF8'))
    into seal from wall.secret s;
  if encode(seal, 'hex') is distinct from current_setting('app.seal', true) then
    raise exception 'the actor of this transaction was not set by become()' using errcode = '42501';
  end if;
  return claimed;
end $$;

-- As before, every request's first statement, in half the time: one look, and assignments instead of statements.
create or replace function become(subject uuid, session uuid, known text default null,
  address text default null, request text default null)
returns text
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  p record;
  waiting text;
  stamp text;
  actor text;
  done text;
begin
  select u.id, f.role, f.status, f.company_id, c.status as company_status,
      u.email_confirmed_at is not null as confirmed, u.banned_until > now() as banned,
      case when u.two_step then s.aal = 'aal1'
        else f.role = 'company_admin' and f.status = 'active' and c.admins_need_two_step
        end as step_missing,
      u.password_must_change, k.secret
    into p
    from auth.sessions s
    join auth.users u on u.id = s.user_id
    join profiles f on f.id = u.id
    left join companies c on c.id = f.company_id
    cross join wall.secret k
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
  actor := concat_ws(' ', case when waiting = '' then p.role else 'waiting' end, p.id,
    coalesce(p.company_id::text, ''));
  done := set_config('app.actor', actor, true);
  done := set_config('app.seal', encode(sha256(p.secret || convert_to(
    actor || pg_backend_pid() || extract(epoch from transaction_timestamp()), 'UTF8')), 'hex'), true);
  done := set_config('app.address', coalesce(address, ''), true);
  done := set_config('app.request', coalesce(request, ''), true);
  done := set_config('app.session', session::text, true);
  return stamp;
end $$;

create or replace function tell(topic text) returns void language plpgsql as $$
declare
  told text := coalesce(current_setting('app.told', true), '');
  done text;
begin
  if session_user <> 'healthfund_request' then
    perform wall.tell_now(topic);
  elsif position(topic in told) = 0 then
    done := set_config('app.told', concat_ws(' ', nullif(told, ''), topic), true);
  end if;
end $$;
