-- Who is erased: shown before, bounded, and carried out.

alter table wall.forgetting rename column words to addresses;
comment on table wall.forgetting is 'Who is being erased, with the addresses they had. Each row lasts until the job behind it is done.';
alter table erasures add column gone jsonb;
comment on column erasures.gone is 'How much of each kind went, as the provider saw it when it was granted.';

-- The addresses by which the product knows a person.
create function wall.addresses_of(person uuid) returns text[]
language sql stable set search_path = public, pg_catalog, pg_temp
begin atomic
  select array(select lower(w.address) from (select p.email as address from profiles p where p.id = person
      union select u.email from auth.users u where u.id = person
      union select u.email_change from auth.users u where u.id = person) w where w.address <> '');
end;

-- What goes when a person is erased: how much of each kind.
create function wall.goes_with(person uuid) returns table (kind text, items bigint)
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  theirs text[] := wall.addresses_of(person);
  company uuid := (select p.company_id from profiles p where p.id = person);
begin
  return query select w.kind, w.items from (values
    (1, 'record', (select count(*) from wall.entries_about(person))),
    (2, 'own_acts', (select count(*) from audit_log l where l.actor_id = person and l.address <> '')),
    (3, 'family', (select count(*) from dependents d where d.company_id = company and d.person_id = person)),
    (4, 'claims', (select count(*) from claims c where c.company_id = company and c.person_id = person)),
    (5, 'receipts', (select count(*) from receipts r where r.company_id = company and r.person_id = person)),
    (6, 'bookings', (select count(*) from check_bookings b
      where b.company_id = company and b.person_id = person)),
    (7, 'notifications', (select count(*) from notifications n where n.person_id = person)),
    (8, 'mails', (select count(*) from mails m where m.person_id = person or m.recipient = any (theirs))),
    (9, 'file_rows', (select count(*) from import_rows r
      where r.company_id = company and (r.person_id = person or lower(r.email) = any (theirs)))),
    (10, 'inquiries', (select count(*) from leads l where lower(l.email) = any (theirs)))
  ) w (place, kind, items) where w.items > 0 order by w.place;
end $$;

create function what_goes_with(person uuid) returns table (kind text, items bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from erasures e where e.person_id = person
      and (actor_role() = 'company_admin' and e.of_company = actor_company()
        or actor_role() = 'super_admin' and e.status <> 'asked')) then
    return query select * from wall.goes_with(person);
  end if;
end $$;

-- One person's life here makes a few hundred of these. More than five thousand is looked at before it goes.
create function wall.refuse_too_wide(person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if (select sum(g.items) from wall.goes_with(person) g
      where g.kind in ('record', 'mails', 'file_rows', 'inquiries')) > 5000 then
    raise exception 'erasure_too_wide' using errcode = 'HF422';
  end if;
end $$;

create or replace function wall.erase_account(person uuid, email text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare theirs text[] := wall.addresses_of(person);
begin
  -- Named by a person, by a second step of theirs, or by what the address hashes to.
  delete from auth.buckets where string_to_array(name, ' ') && (theirs || person::text
    || array(select f.id::text from auth.factors f where f.user_id = person)
    || array(select rtrim(translate(encode(sha256(convert_to(a, 'UTF8')), 'base64'), '+/', '-_'), '=')
      from unnest(theirs) a));
  delete from auth.sessions where user_id = person;
  delete from auth.factors where user_id = person;
  delete from auth.devices where user_id = person;
  delete from auth.identities where user_id = person;
  delete from auth.one_time_tokens where user_id = person;
  update auth.users u set email = null, phone = null, password_hash = null, password_rules = null,
      email_change = null, raw_app_meta_data = '{}', raw_user_meta_data = '{}', placement = null,
      banned_until = 'infinity', deleted_at = now(), last_sign_in_at = null
    where u.id = person;
  update auth.audit_log_entries l set actor_name = null, address = null, traits = '{}'
    where l.actor_id = person;
  -- What an administrator did about them stays, and says no more about whom.
  update auth.audit_log_entries l set traits = '{}'
    where l.actor_id is distinct from person and (l.traits ->> 'user_id' = person::text
      or lower(l.traits ->> 'user_email') = any (theirs));
  -- Who tried the address before it was an account's has no number, only this name.
  update auth.audit_log_entries l set actor_name = null
    where l.actor_id is null and lower(l.actor_name) = any (theirs);
end $$;

create or replace function wall.erase_person(person uuid, erasure uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  today date;
begin
  select * into strict p from profiles where id = person for update;
  if p.erased_at is not null then return; end if;
  today := coalesce(wall.today_at(p.company_id), current_date);
  insert into wall.forgetting (person_id, company_id, email, addresses)
    values (p.id, p.company_id, p.email, wall.addresses_of(p.id));
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
  perform wall.erase_entries(array(select wall.entries_about(person)), erasure, true);
  perform add_job('privacy:forget', json_build_object('person_id', person), key => 'forget ' || person);
end $$;

create or replace function approve_erasure(erasure uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  e erasures := wall.hold_erasure(erasure);
  going jsonb;
begin
  -- Whoever else is erased at this moment waits here: or each would count on the other staying.
  perform pg_advisory_xact_lock(hashtextextended('erasures', 0));
  perform from profiles where id = e.person_id for update;
  perform wall.refuse_what_stands_against(e.person_id), wall.refuse_too_wide(e.person_id);
  if actor_role() = 'company_admin' then
    update erasures set status = 'with_provider', hr_id = actor_id(), hr_at = now() where id = e.id;
    perform wall.notify_supers();
  else
    going := (select jsonb_object_agg(g.kind, g.items) from wall.goes_with(e.person_id) g);
    perform wall.erase_person(e.person_id, e.id);
    update erasures set status = 'under_way', reason = null, provider_id = actor_id(), provider_at = now(),
        gone = going
      where id = e.id;
    if e.of_company is not null then
      perform notify_person(p.id, 'account', 'A request for erasure was granted',
          'The person is erased; what the ledger must keep has no name any more.', '/dashboard/erasures')
        from profiles p where p.company_id = e.of_company and p.role = 'company_admin'
          and p.status = 'active';
    end if;
  end if;
  perform wall.tell_of_erasure(e.person_id, e.of_company);
end $$;

-- Then, at leisure: from where they acted, some thousand entries at a time, and what was kept under their addresses.
-- True while there is more. Where there is a mail server the last word goes to the address, and is forgotten when
-- it is sent.
create or replace function wall.forget_everywhere(person uuid, mails_it boolean) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  f wall.forgetting;
  erasure uuid;
begin
  select * into f from wall.forgetting where person_id = person for update;
  if not found then return false; end if;
  erasure := (select e.id from erasures e where e.person_id = person and e.status = 'under_way');
  if wall.erase_entries(array(select l.id from audit_log l where l.actor_id = person and l.address <> ''
      limit 2000), erasure, false) = 2000 then
    return true;
  end if;
  update import_rows r set full_name = null, email = null, phone = null, department = null
    where r.company_id = f.company_id and (r.person_id = person or lower(r.email) = any (f.addresses));
  delete from mails m where m.person_id = person or m.recipient = any (f.addresses);
  delete from leads l where lower(l.email) = any (f.addresses);
  delete from wall.forgetting where person_id = person;
  update erasures e set status = 'done', ended_at = now() where e.id = erasure;
  update erasures e set reason = null where e.person_id = person and e.reason is not null;
  if mails_it and f.email <> '' then
    perform post_mail(f.email, 'Your data has been erased', concat_ws(E'\n\n', s.lines[1], s.lines[2]),
        '<p>' || s.lines[1] || '</p><p>' || s.lines[2] || '</p>', true)
      from (select array['You asked for it: your account at Healthfund and everything that named you is erased.',
        'Amounts stay in the books without your name, as the law asks. This is the last mail to this address.']
        as lines) s;
  end if;
  perform wall.tell_now('admins:' || f.company_id), wall.tell_now('supers');
  return false;
end $$;

drop function wall.erase_person(uuid);
drop function wall.erase_audit(uuid[]);
drop function wall.forget_in_audit(uuid, text);
drop function wall.erase_entries(bigint[]);
drop function wall.pattern_of(text[]);
drop function wall.without(text, text);

revoke execute on function wall.addresses_of(uuid), wall.goes_with(uuid), what_goes_with(uuid),
  wall.refuse_too_wide(uuid), wall.erase_account(uuid, text),
  wall.erase_person(uuid, uuid), wall.forget_everywhere(uuid, boolean) from public;
grant execute on function what_goes_with(uuid) to healthfund_request;
