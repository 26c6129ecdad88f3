-- What people set for themselves, what a company demands of its admins, and where one is signed in.

create table preferences (
  person_id           uuid primary key references profiles on delete cascade,
  email_notifications boolean not null default true,
  claim_updates       boolean not null default true,
  fund_alerts         boolean not null default true,
  health_tips         boolean not null default false
);
comment on table preferences is 'Which mails a person wants. No row: as the defaults say.';
alter table preferences enable row level security;
create policy your_own on preferences using (person_id = (select actor_id()));
grant select, insert, update (email_notifications, claim_updates, fund_alerts, health_tips)
  on preferences to healthfund_request;

-- Name, phone and department are one's own to keep true; the columns were granted in 003.
create policy yourself_to_edit on profiles for update using (id = (select actor_id()));

alter table companies add column admins_need_two_step boolean not null default false;

create function set_admins_need_two_step(needed boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'company_admin' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  update companies set admins_need_two_step = needed
    where id = actor_company() and admins_need_two_step <> needed;
  perform tell('admins:' || actor_company()), tell('supers');
end $$;

-- As in 003; an admin of a company that demands it waits for their second step, too, until they have one.
-- The session is remembered for what a person may ask about their own.
create or replace function become(subject uuid, session uuid, known text default null,
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
      case when u.two_step then s.aal = 'aal1'
        else f.role = 'company_admin' and f.status = 'active' and c.admins_need_two_step
        end as step_missing,
      u.password_must_change
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
    set_config('app.request', coalesce(request, ''), true),
    set_config('app.session', session::text, true);
  return stamp;
end $$;

create function wall.own_session() returns uuid language sql stable
return nullif(current_setting('app.session', true), '')::uuid;

-- Where one is signed in, the newest use first; `here` is the session that asks.
create function my_sessions()
returns table (id uuid, user_agent text, address text, created_at timestamptz, used_at timestamptz,
  here boolean)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select s.id, s.user_agent, s.address, s.created_at, coalesce(s.refreshed_at, s.created_at),
      s.id = wall.own_session()
    from auth.sessions s
    where s.user_id = actor_id() and actor_role() <> 'waiting'
    order by s.id = wall.own_session() desc, coalesce(s.refreshed_at, s.created_at) desc, s.id
    limit 200;
end;

-- One by its id, or (null) all but the one that asks. They end at once: `become` finds them no more.
create function end_my_sessions(session uuid) returns integer
language plpgsql security definer set search_path = public, pg_catalog as $$
declare ended integer;
begin
  delete from auth.sessions s where s.user_id = actor_id() and actor_role() <> 'waiting'
    and case when session is null then s.id is distinct from wall.own_session() else s.id = session end;
  get diagnostics ended = row_count;
  perform tell('person:' || actor_id());
  return ended;
end $$;

revoke execute on function set_admins_need_two_step(boolean), wall.own_session(), my_sessions(),
  end_my_sessions(uuid) from public;
grant execute on function set_admins_need_two_step(boolean), my_sessions(), end_my_sessions(uuid)
  to healthfund_request;
