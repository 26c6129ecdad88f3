-- Which notification is mailed to whom and when: soon, then gathered, as the person's switches say.

alter table mails add column headers jsonb not null default '{}';
comment on column mails.headers is 'Further lines of the mail''s head, such as how to unsubscribe with one press.';

create function post_mail(recipient text, subject text, text text, html text, by_server boolean,
  headers jsonb)
returns void language plpgsql security definer set search_path = public, pg_catalog as $$
declare mail bigint;
begin
  insert into mails (recipient, subject, text, html, headers)
    values (post_mail.recipient, post_mail.subject, post_mail.text, post_mail.html, post_mail.headers)
    returning id into mail;
  if by_server then perform add_job('mail:send', json_build_object('id', mail)); end if;
end $$;
revoke execute on function post_mail(text, text, text, text, boolean, jsonb) from public;

-- When it was mailed, or decided that it is not. What came before this is nobody's news any more.
alter table notifications add column mailed_at timestamptz;
update notifications set mailed_at = now();
create index notifications_unmailed on notifications (person_id, id) where mailed_at is null;

create table mail_paces (
  person_id uuid primary key references profiles on delete cascade,
  last_at   timestamptz not null
);
comment on table mail_paces is 'When a person was last mailed their notifications: for half an hour after that, further ones are gathered.';
alter table mail_paces enable row level security;

-- Whose notifications are to be mailed now, those who wait longest first.
create function wall.due_digests(at timestamptz, at_most integer) returns setof uuid
language sql stable set search_path = public, pg_catalog
begin atomic
  select n.person_id from notifications n left join mail_paces m on m.person_id = n.person_id
    where n.mailed_at is null and (m.last_at is null or m.last_at <= due_digests.at - interval '30 minutes')
    group by n.person_id order by min(n.id) limit at_most;
end;

-- Takes all that wait for one person, once, and answers those to be mailed: not read meanwhile, to a
-- confirmed address, as the switches say. What is about
-- an appointment they booked or a dependent's cover is no tip: it always comes.
create function wall.take_digest(person uuid, at timestamptz)
returns table (kind text, title text, sentence text, path text)
language sql set search_path = public, pg_catalog as $$
  with taken as (
    update notifications n set mailed_at = take_digest.at
      where n.person_id = person and n.mailed_at is null returning n.*),
  wanted as (
    select t.* from taken t join profiles p on p.id = t.person_id
        left join preferences w on w.person_id = t.person_id
      where t.read_at is null and p.confirmed_at is not null and p.status <> 'suspended'
        and coalesce(w.email_notifications, true)
        and case t.kind
          when 'claims' then coalesce(w.claim_updates, true)
          when 'funds' then coalesce(w.fund_alerts, true)
          when 'health' then coalesce(w.health_tips, false)
            or t.path like '/dashboard/health-checks?booking=%' or t.path like '/dashboard/dependents%'
          else true end),
  paced as (
    insert into mail_paces as m (person_id, last_at)
      select distinct w.person_id, take_digest.at from wanted w
      on conflict (person_id) do update set last_at = excluded.last_at)
  select w.kind, w.title, w.sentence, w.path from wanted w order by w.id
$$;

-- By the signed link in a mail: nobody need be signed in. True if it was on.
create function wall.silence(person uuid, switch text) returns boolean
language plpgsql set search_path = public, pg_catalog as $$
declare
  p preferences;
  was preferences;
begin
  insert into preferences (person_id) select id from profiles where id = person
    on conflict (person_id) do nothing;
  select * into was from preferences where person_id = person for update;
  update preferences set email_notifications = email_notifications and switch <> 'email_notifications',
      claim_updates = claim_updates and switch <> 'claim_updates',
      fund_alerts = fund_alerts and switch <> 'fund_alerts',
      health_tips = health_tips and switch <> 'health_tips'
    where person_id = person returning * into p;
  perform wall.tell_now('person:' || person);
  return p is distinct from was;
end $$;

revoke execute on function wall.due_digests(timestamptz, integer), wall.take_digest(uuid, timestamptz),
  wall.silence(uuid, text) from public;
