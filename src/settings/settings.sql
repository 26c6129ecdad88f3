-- People's own settings, and where they are signed in.

create policy your_own on preferences using (person_id = (select actor_id()));
grant select, insert, update (email_notifications, claim_updates, fund_alerts, health_tips)
  on preferences to healthfund_request;

create or replace function private.own_session() returns uuid language sql stable
return nullif(current_setting('app.session', true), '')::uuid;

-- One's sessions, the newest use first; `here` is the session that asks.
create or replace function my_sessions()
returns table (id uuid, user_agent text, address text, created_at timestamptz, used_at timestamptz,
  here boolean)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select s.id, s.user_agent, s.address, s.created_at, coalesce(s.refreshed_at, s.created_at),
      s.id = private.own_session()
    from auth.sessions s
    where s.user_id = actor_id() and actor_role() <> 'waiting'
    order by s.id = private.own_session() desc, coalesce(s.refreshed_at, s.created_at) desc, s.id
    limit 200;
end;

-- One by its id, or (null) all but the one that asks. They end at once: `become` finds them no
-- more.
create or replace function end_my_sessions(session uuid) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare ended integer;
begin
  delete from auth.sessions s where s.user_id = actor_id() and actor_role() <> 'waiting'
    and case when session is null then s.id is distinct from private.own_session()
      else s.id = session end;
  get diagnostics ended = row_count;
  perform publish('person:' || actor_id());
  return ended;
end $$;

grant execute on function my_sessions, end_my_sessions to healthfund_request;
