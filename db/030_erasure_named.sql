-- Erasure finds by id, never by words: what a person typed into a name can not reach what others left.

-- Whom or whose message a sentence is about. Its {person} is filled in for who may see them, by the name of today.
alter table notifications add column about_id uuid;
comment on column notifications.about_id is 'The person, or the message of the contact page, that {person} in the sentence stands for.';
update notifications n set about_id = p.id, sentence = '{person} asks for cover of a family member.'
  from profiles a, profiles p
  where a.id = n.person_id and p.company_id = a.company_id
    and n.sentence = p.full_name || ' asks for cover of a family member.';
update notifications set sentence = '{person} asks for cover of a family member.'
  where sentence like '% asks for cover of a family member.' and about_id is null;
update notifications set sentence = '{person} wrote on the contact page.'
  where sentence like '%, wrote on the contact page.';

-- Whose mail it is, where the address is an account's.
alter table mails add column person_id uuid;
update mails m set person_id = u.id from auth.users u
  where u.email = m.recipient and u.aud = 'authenticated';
create index mails_of_person on mails (person_id);

create or replace function post_mail(recipient text, subject text, text text, html text, by_server boolean)
returns void language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare mail bigint;
begin
  insert into mails (recipient, subject, text, html, person_id)
    values (post_mail.recipient, post_mail.subject, post_mail.text, post_mail.html,
      (select u.id from auth.users u where u.email = post_mail.recipient and u.aud = 'authenticated'))
    returning id into mail;
  if by_server then perform add_job('mail:send', json_build_object('id', mail)); end if;
end $$;

create or replace function post_mail(recipient text, subject text, text text, html text, by_server boolean,
  headers jsonb)
returns void language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare mail bigint;
begin
  insert into mails (recipient, subject, text, html, headers, person_id)
    values (post_mail.recipient, post_mail.subject, post_mail.text, post_mail.html, post_mail.headers,
      (select u.id from auth.users u where u.email = post_mail.recipient and u.aud = 'authenticated'))
    returning id into mail;
  if by_server then perform add_job('mail:send', json_build_object('id', mail)); end if;
end $$;

-- Tells one person of another: who that is stands in no sentence, and so in no mail.
create function wall.notify_about(person uuid, about uuid, kind text, title text, sentence text, path text)
returns void language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  insert into notifications (person_id, about_id, kind, title, sentence, path)
    values (person, about, notify_about.kind, left(notify_about.title, 120), notify_about.sentence,
      notify_about.path);
  perform tell('person:' || person);
end $$;

create or replace function add_dependent(full_name text, relationship text, born_on date, covered_from date)
returns uuid language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  today date := wall.today_at(actor_company());
  asks boolean := coalesce((select r.approval_needed from family_rules r
    where r.company_id = actor_company()), false);
  p profiles;
  d dependents;
begin
  if actor_role() <> 'employee' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  select * into strict p from profiles where id = actor_id();
  insert into dependents (company_id, person_id, full_name, relationship, born_on, covered_from, status,
      added_on)
    values (p.company_id, p.id, add_dependent.full_name, add_dependent.relationship,
      add_dependent.born_on, coalesce(add_dependent.covered_from, greatest(today, p.joined_on)),
      case when asks then 'asking' else 'active' end, today)
    returning * into d;
  perform wall.check_dependent(d), tell('person:' || p.id), tell('admins:' || p.company_id),
    wall.note_dependent(d, case when asks then 'asked' else 'added' end, d.covered_from);
  if asks then
    perform wall.notify_about(a.id, p.id, 'account', 'A dependent waits for your approval',
        '{person} asks for cover of a family member.', '/dashboard/employees')
      from profiles a where a.company_id = p.company_id and a.role = 'company_admin'
        and a.status = 'active';
  end if;
  return d.id;
end $$;

create or replace function leave_lead(full_name text, email text, company text, people integer, message text,
  suspect boolean) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  sender text := lower(leave_lead.email);
  sent integer;
  lately integer;
  made uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('lead ' || sender, 0));
  if exists (select from leads l where lower(l.email) = sender
      and l.received_at > now() - interval '1 day' and l.message = leave_lead.message) then
    return;
  end if;
  select count(*) into sent from leads l
    where lower(l.email) = sender and l.received_at > now() - interval '1 day';
  if sent >= 3 then raise exception 'too_many_messages' using errcode = 'HF422'; end if;
  insert into leads (full_name, email, company, people, message, suspect)
    values (leave_lead.full_name, leave_lead.email, leave_lead.company, leave_lead.people,
      leave_lead.message, leave_lead.suspect) returning id into made;
  perform tell('supers');
  if suspect then return; end if;
  select count(*) into lately from leads l
    where l.received_at > now() - interval '1 hour' and not l.suspect;
  if lately > 20 then return; end if;
  perform wall.notify_about(p.id, made, 'account', 'New inquiry from ' || leave_lead.company,
      format('{person}, %s people, wrote on the contact page.',
        to_char(leave_lead.people, 'FM999,999,999')), '/dashboard/inquiries')
    from profiles p where p.role = 'super_admin' and p.status = 'active';
end $$;

-- As 016 has it; a mail says of nobody else who they are.
create or replace function wall.take_digest(person uuid, at timestamptz)
returns table (kind text, title text, sentence text, path text)
language sql set search_path = public, pg_catalog, pg_temp as $$
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
  select w.kind, w.title, case when w.about_id is null and w.sentence not like '{person}%' then w.sentence
      else replace(w.sentence, '{person}', 'Somebody') end, w.path
    from wanted w order by w.id
$$;

revoke execute on function wall.notify_about(uuid, uuid, text, text, text, text) from public;
