-- Erasure itself: one act, one transaction. What the law makes us keep has nobody's name in it afterwards.

-- Who is erased stays erased: nobody reactivates, renames or invites a former member.
create function wall.stays_erased() returns trigger language plpgsql as $$
begin
  raise exception 'person_erased' using errcode = 'HF422';
end $$;
create trigger stays_erased before update on profiles for each row
  when (old.erased_at is not null) execute function wall.stays_erased();

-- What is still to be looked for everywhere, and by which words. Gone when that is done.
create table wall.forgetting (
  person_id  uuid primary key references profiles on delete cascade,
  company_id uuid,
  email      text not null,
  words      text[] not null,
  since      timestamptz not null default now()
);
comment on table wall.forgetting is 'The words by which a person who is being erased is looked for in what others wrote. Each row lasts until the job behind it is done.';
alter table wall.forgetting enable row level security;

-- These words as one pattern; parts of other words are not meant.
create function wall.pattern_of(words text[]) returns text
language sql immutable set search_path = pg_catalog
return (select '(?<!\w)(' || string_agg(regexp_replace(w, '([^\w\s])', '\\\1', 'g'), '|'
    order by length(w) desc) || ')(?!\w)' from unnest(words) w where length(w) > 1);

create function wall.without(said text, pattern text) returns text
language sql immutable set search_path = pg_catalog
return regexp_replace(said, pattern, 'Former member', 'gi');

-- The account: nothing of it signs in any more, and its address is free.
create function wall.erase_account(person uuid, email text) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  delete from auth.sessions where user_id = person;
  delete from auth.factors where user_id = person;
  delete from auth.devices where user_id = person;
  delete from auth.identities where user_id = person;
  delete from auth.one_time_tokens where user_id = person;
  delete from auth.buckets where position(person::text in name) > 0
    or email <> '' and position(email in name) > 0;
  update auth.users u set email = null, phone = null, password_hash = null, password_rules = null,
      email_change = null, raw_app_meta_data = '{}', raw_user_meta_data = '{}', placement = null,
      banned_until = 'infinity', deleted_at = now(), last_sign_in_at = null
    where u.id = person;
  update auth.audit_log_entries l set actor_name = null, address = null, traits = '{}'
    where l.actor_id = person
      or email <> '' and (l.actor_name = email or position(email in l.traits::text) > 0)
      or position(person::text in l.traits::text) > 0;
end $$;

-- Places that are booked are given free; that somebody came is nobody's to know any more.
create function wall.erase_bookings(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
declare ids uuid[] := array(select b.id from check_bookings b where b.company_id = company
  and b.person_id = person and b.status = 'booked' and b.starts_at > now());
begin
  perform from check_slots s where s.id in (select b.slot_id from check_bookings b where b.id = any (ids))
    order by s.id for no key update;
  perform wall.cancel_bookings(ids, 'person', null);
  delete from check_bookings b where b.company_id = company and b.person_id = person;
end $$;

-- Solidarity's amounts were for somebody: the row stays, and says nothing of whom but the year of birth.
create function wall.erase_family(company uuid, person uuid, today date) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  delete from dependent_events e using dependents d where d.company_id = company
    and d.person_id = person and e.company_id = company and e.dependent_id = d.id;
  update dependents d set full_name = 'Former dependent', decline_reason = null,
      born_on = date_trunc('year', d.born_on)::date,
      status = case d.status when 'asking' then 'withdrawn' else d.status end,
      covered_to = greatest(d.covered_from, least(d.covered_to, today))
    where d.company_id = company and d.person_id = person;
end $$;

create function wall.erase_claims(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  delete from receipts r where r.company_id = company and r.person_id = person;
  update receipt_openings o set opener_name = 'Former member'
    where o.company_id = company and o.opener_id = person;
  update claims c set provider = 'Erased', note = null, for_whom = null,
      service_on = greatest(c.plan_year, date_trunc('month', c.service_on)::date)
    where c.company_id = company and c.person_id = person;
  update claim_events e set text = null, trace = null from claims c
    where c.company_id = company and c.person_id = person and e.company_id = company
      and e.claim_id = c.id;
  delete from bank_accounts b where b.company_id = company and b.person_id = person;
  update pay_items i set holder = null, iban = null, returned_because = null
    where i.company_id = company and i.person_id = person;
end $$;

-- What is only theirs: nobody else needs it, and no law asks for it.
create function wall.erase_belongings(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  delete from data_exports where person_id = person;
  delete from notifications where person_id = person;
  delete from fund_alerts where company_id = company and person_id = person;
  delete from answered_requests where person_id = person;
  delete from preferences where person_id = person;
  delete from mail_paces where person_id = person;
  delete from report_schedules where person_id = person;
end $$;

create function wall.erase_person(person uuid) returns void
language plpgsql set search_path = public, pg_catalog as $$
declare
  p profiles;
  today date;
begin
  select * into strict p from profiles where id = person for update;
  if p.erased_at is not null then return; end if;
  today := coalesce(wall.today_at(p.company_id), current_date);
  insert into wall.forgetting (person_id, company_id, email, words)
    select p.id, p.company_id, p.email, array_agg(distinct w.word) from (
      select p.full_name as word union select p.email union select p.phone
      union select u.phone from auth.users u where u.id = person
      union select u.email_change from auth.users u where u.id = person
      union select d.full_name from dependents d where d.company_id = p.company_id and d.person_id = person) w
      where length(w.word) > 1;
  perform wall.erase_account(person, p.email);
  perform wall.erase_bookings(p.company_id, person), wall.erase_family(p.company_id, person, today),
    wall.erase_claims(p.company_id, person);
  update profiles x set full_name = 'Former member', email = '', phone = null, department = null,
      requested_company = null, joined_on = least(x.joined_on, today),
      left_on = case when x.company_id is not null then least(x.left_on, today) end,
      -- An employee has left; somebody who decided must not be counted among those who still can.
      status = case when x.role = 'employee' then x.status else 'suspended' end
    where x.id = person;
  perform wall.erase_belongings(p.company_id, person);
  update profiles x set erased_at = now() where x.id = person;
  perform wall.erase_audit(array[person]);
  perform add_job('privacy:forget', json_build_object('person_id', person), key => 'forget ' || person);
end $$;

-- Then, at leisure: what others wrote or what was kept of them by name, in any company. All or nothing. Where there
-- is a mail server the last word goes to the address itself, and is forgotten when it is sent.
create function wall.forget_everywhere(person uuid, mails_it boolean) returns boolean
language plpgsql set search_path = public, pg_catalog as $$
declare
  f wall.forgetting;
  pattern text;
begin
  select * into f from wall.forgetting where person_id = person for update;
  if not found then return false; end if;
  pattern := wall.pattern_of(f.words);
  if pattern is not null then
    update import_rows r set full_name = null, email = null, phone = null, department = null
      where r.person_id = person or lower(r.email) = any (f.words);
    delete from mails m where m.recipient = any (f.words);
    update mails m set subject = wall.without(m.subject, pattern), text = wall.without(m.text, pattern),
        html = wall.without(m.html, pattern)
      where concat_ws(' ', m.subject, m.text, m.html) ~* pattern;
    update notifications n set title = left(wall.without(n.title, pattern), 120),
        sentence = left(wall.without(n.sentence, pattern), 500)
      from profiles p where p.id = n.person_id
        and (p.company_id = f.company_id or p.role = 'super_admin')
        and concat_ws(' ', n.title, n.sentence) ~* pattern;
    delete from answered_requests a using profiles p where p.id = a.person_id
      and (p.company_id = f.company_id or p.role = 'super_admin') and a.answer::text ~* pattern;
    perform wall.forget_in_audit(f.company_id, pattern);
  end if;
  delete from wall.forgetting where person_id = person;
  update erasures e set status = 'done', ended_at = now()
    where e.person_id = person and e.status = 'under_way';
  update erasures e set reason = null where e.person_id = person and e.reason is not null;
  if mails_it and f.email <> '' then
    perform post_mail(f.email, 'Your data has been erased', concat_ws(E'\n\n', s.lines[1], s.lines[2]),
        '<p>' || s.lines[1] || '</p><p>' || s.lines[2] || '</p>', true)
      from (select array['You asked for it: your account at Healthfund and everything that named you is erased.',
        'Amounts stay in the books without your name, as the law asks. This is the last mail to this address.']
        as lines) s;
  end if;
  perform wall.tell_now('admins:' || f.company_id), wall.tell_now('supers');
  return true;
end $$;

-- By the clock, where a worker was killed over it.
create function wall.keep_forgetting() returns void
language sql set search_path = public, pg_catalog
begin atomic
  select add_job('privacy:forget', json_build_object('person_id', person_id), key => 'forget ' || person_id)
    from wall.forgetting where since < now() - interval '5 minutes';
end;

revoke execute on function wall.stays_erased(), wall.pattern_of(text[]), wall.without(text, text),
  wall.erase_account(uuid, text), wall.erase_bookings(uuid, uuid), wall.erase_family(uuid, uuid, date),
  wall.erase_claims(uuid, uuid), wall.erase_belongings(uuid, uuid), wall.erase_person(uuid),
  wall.forget_everywhere(uuid, boolean), wall.keep_forgetting() from public;
