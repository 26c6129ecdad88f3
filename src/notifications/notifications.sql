-- A person's notifications: a line under the bell, then mails, gathered as their switches say.

create policy your_own on notifications for select using (person_id = (select actor_id()));
create policy you_read_them on notifications for update using (person_id = (select actor_id()));
grant select, update (read_at) on notifications to healthfund_request;

-- An act notifies people of its own company and the provider; the system notifies anybody.
create or replace function notify_person(person uuid, code text, facts jsonb default '{}',
  subject text default null)
returns void language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.notify(array(select p.id from profiles p where p.id = person
      and (p.role = 'super_admin' and actor() <> '' or private.may_know(p.company_id))),
    code, facts, subject);
end $$;

-- Notifies the holders of an event's rights in a company (private.events) and the deputies of those
-- away, but not the person who caused it.
create or replace function notify_right_holders(company uuid, code text, facts jsonb default '{}',
  subject text default null)
returns void language sql
begin atomic
  select private.notify(array(select distinct d.id from private.events() e
      cross join lateral string_to_table(e.whose, ' ') w (kind)
      cross join lateral private.deciders(w.kind, company, actor_id()) d (id)
    where e.code = notify_right_holders.code and private.may_know(company)), code, facts, subject);
end;

-- People whose notifications are due to be mailed, longest waiting first.
create or replace function private.due_digests(at timestamptz, at_most integer) returns setof uuid
language sql stable
begin atomic
  select n.person_id from notifications n left join mail_paces m on m.person_id = n.person_id
    where n.mailed_at is null and n.mail_at <= due_digests.at
      and (m.last_at is null or m.last_at <= due_digests.at - interval '30 minutes')
    group by n.person_id order by min(n.mail_at) limit at_most;
end;

-- Takes all notices that are due for a person, once, and answers those to mail: to a confirmed
-- address, as the switches say, and unread. Notices of work are mailed if the work still waits,
-- read or not. A mail names no other person.
create or replace function private.take_digest(person uuid, at timestamptz)
returns table (kind text, code text, facts jsonb, path text, switch text, pace text,
  is_work boolean)
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  waiting notifications[];
  needs private.need[];
begin
  with taken as (
    update notifications n set mailed_at = take_digest.at where n.person_id = person
      and n.mailed_at is null and n.mail_at <= take_digest.at returning n.*)
  select array_agg(t::notifications order by t.id) into waiting from taken t;
  if exists (select from unnest(waiting) t join private.events() e on e.code = t.code
      where e.is_work) then
    needs := array(select n from private.needs_of(person, array(select t from unnest(waiting) t
      join private.events() e on e.code = t.code where e.is_work)) n);
  end if;
  return query
    with recipients as (
      select t.*, e.switch, e.pace, e.is_work from unnest(waiting) t
        join profiles p on p.id = t.person_id and p.confirmed_at is not null
          and not auth.is_barred(p.id)
        join private.events() e on e.code = t.code
        where private.has_switched_on(person, e.switch) and (e.is_work or t.read_at is null)
          and private.still_needs(t, needs)),
    paced as (
      insert into mail_paces as m (person_id, last_at)
        select distinct w.person_id, take_digest.at from recipients w
        on conflict (person_id) do update set last_at = excluded.last_at)
    select w.kind, w.code, w.facts, w.path, w.switch, w.pace, w.is_work from recipients w
      order by w.id;
end $$;

-- A person's switches for mails, with defaults.
create or replace function preferences_of(person uuid)
returns table (email_notifications boolean, claim_updates boolean, fund_alerts boolean,
  health_tips boolean)
language sql stable
begin atomic
  select coalesce(p.email_notifications, true), coalesce(p.claim_updates, true),
      coalesce(p.fund_alerts, true), coalesce(p.health_tips, false)
    from (select) one left join preferences p on p.person_id = preferences_of.person;
end;
grant execute on function preferences_of to healthfund_request;

-- Whether a person has this switch on; without email notifications nothing is mailed.
create or replace function private.has_switched_on(person uuid, switch text) returns boolean
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select w.email_notifications and case has_switched_on.switch
      when 'claim_updates' then w.claim_updates
      when 'fund_alerts' then w.fund_alerts
      when 'health_tips' then w.health_tips else true end
    from preferences_of(has_switched_on.person) w
$$;

-- Switches mails off by the signed link in a mail, without a sign-in. True if they were on.
create or replace function private.switch_off(person uuid, switch text) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  p preferences;
  was preferences;
begin
  insert into preferences (person_id, email_notifications, claim_updates, fund_alerts, health_tips)
    select f.id, w.* from profiles f cross join preferences_of(f.id) w where f.id = person
    on conflict (person_id) do nothing;
  select * into was from preferences where person_id = person for update;
  update preferences set email_notifications = email_notifications
    and switch <> 'email_notifications',
      claim_updates = claim_updates and switch <> 'claim_updates',
      fund_alerts = fund_alerts and switch <> 'fund_alerts',
      health_tips = health_tips and switch <> 'health_tips'
    where person_id = person returning * into p;
  perform private.publish_now('person:' || person);
  return p is distinct from was;
end $$;

-- Notifies one person about another. No fact of the notice names the other, so no mail does.
create or replace function private.notify_about(person uuid, about uuid, code text,
  facts jsonb default '{}')
returns void language sql
begin atomic
  select private.notify(array[person], code, facts, null, about);
end;

create or replace function private.notify_supers(code text, facts jsonb default '{}',
  subject text default null) returns void
language sql
begin atomic
  select private.notify(array(select p.id from profiles p where p.role = 'super_admin'
    and p.status = 'active' and p.id is distinct from actor_id()), code, facts, subject);
end;
