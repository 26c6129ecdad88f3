-- Erasure itself: one act, one transaction. Data that the law makes us keep has nobody's name in it
-- afterwards.

-- An erased person stays erased (`person_refusal`), and an act that was under way writes nothing
-- about them: it waits here for the erasure, and is refused.
create or replace function private.refuse_erased() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare erased boolean := true;
begin
  if tg_op = 'INSERT' then
    select p.erased_at is not null into erased from profiles p where p.id = new.person_id
      for key share;
  end if;
  if erased then perform private.refuse('person_erased'); end if;
  return new;
end $$;
create or replace trigger stays_erased before update on profiles for each row
  when (old.erased_at is not null) execute function private.refuse_erased();
create or replace trigger stays_erased before insert on dependents
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on receipts
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on bank_accounts
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on check_bookings
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on saved_views
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on person_notes
  for each row execute function private.refuse_erased();
create or replace trigger stays_erased before insert on absences
  for each row execute function private.refuse_erased();

-- The account: nothing of it signs in any more, and its address is free.
create or replace function private.erase_account(person uuid, email text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare theirs text[] := private.addresses_of(person);
begin
  -- Buckets are named by the person, by one of their second steps, or by a hash of the address.
  delete from auth.buckets where string_to_array(name, ' ') && (theirs || person::text
    || array(select f.id::text from auth.factors f where f.user_id = person)
    || array(select rtrim(translate(encode(sha256(convert_to(a, 'UTF8')), 'base64'), '+/', '-_'),
      '=')
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
  -- Acts of administrators on them stay, without the person that they were about.
  update auth.audit_log_entries l set traits = '{}'
    where l.actor_id is distinct from person and (l.traits ->> 'user_id' = person::text
      or lower(l.traits ->> 'user_email') = any (theirs));
  -- Tries at the address before it had an account have no user id, only this name.
  update auth.audit_log_entries l set actor_name = null
    where l.actor_id is null and lower(l.actor_name) = any (theirs);
end $$;

-- Frees booked places; nobody is to know any more that this person came.
create or replace function private.erase_bookings(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare ids uuid[] := array(select b.id from check_bookings b where b.company_id = company
  and b.person_id = person and b.status = 'booked' and b.starts_at > now());
begin
  perform from check_slots s where s.id in (select b.slot_id from check_bookings b
    where b.id = any (ids))
    order by s.id for no key update;
  perform private.cancel_bookings(ids, 'person', null);
  delete from check_bookings b where b.company_id = company and b.person_id = person;
end $$;

-- Solidarity's amounts were for somebody: the dependent's row stays, with the year of birth alone.
create or replace function private.erase_family(company uuid, person uuid, today date) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from dependent_events e using dependents d where d.company_id = company
    and d.person_id = person and e.company_id = company and e.dependent_id = d.id;
  update dependents d set full_name = 'Former dependent', decline_reason = null,
      version = d.version + 1,
      born_on = date_trunc('year', d.born_on)::date,
      status = case d.status when 'requested' then 'withdrawn' else d.status end,
      covered_to = greatest(d.covered_from, least(d.covered_to, today))
    where d.company_id = company and d.person_id = person;
end $$;

create or replace function private.erase_claims(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from receipts r where r.company_id = company and r.person_id = person;
  update receipt_openings o set opener_name = 'Former member'
    where o.company_id = company and o.opener_id = person;
  update claims c set provider = 'Erased', note = null, for_whom = null, lines = '{}',
      service_on = greatest(c.plan_year, date_trunc('month', c.service_on)::date)
    where c.company_id = company and c.person_id = person;
  update claim_events e set text = null, trace = null from claims c
    where c.company_id = company and c.person_id = person and e.company_id = company
      and e.claim_id = c.id;
  delete from bank_accounts b where b.company_id = company and b.person_id = person;
  update pay_items i set holder = null, iban = null, returned_because = null
    where i.company_id = company and i.person_id = person;
  update balance_adjustments b set reason = 'Erased',
      status = case b.status when 'waiting' then 'withdrawn' else b.status end,
      decided_at = coalesce(b.decided_at, now())
    where b.company_id = company and b.person_id = person;
  update settled_overpayments s set reason = 'Erased'
    where s.company_id = company and s.person_id = person;
  update payment_blocks b set reason = 'Erased', removed_at = coalesce(b.removed_at, now())
    where b.company_id = company and b.person_id = person;
  -- An undo in the last seconds would bring back texts from before the decision.
  delete from private.decisions d where d.company_id = company and d.subject in (
    select 'claim ' || c.id from claims c where c.company_id = company and c.person_id = person
    union all select 'dependent ' || x.id from dependents x
      where x.company_id = company and x.person_id = person);
end $$;

-- Data that is only theirs: nobody else needs it, and no law asks for it. Their grants end today,
-- also of somebody suspended: what comes back later goes to the company, as any leaver's does.
create or replace function private.erase_belongings(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  delete from data_exports where person_id = person;
  delete from notifications where person_id = person;
  delete from fund_alerts where company_id = company and person_id = person;
  delete from person_notes n where n.company_id = company and n.person_id = person;
  delete from saved_views v where v.company_id = company
    and (v.person_id = person or v.filters ->> 'person' = person::text);
  delete from employee_group_people m where m.company_id = company and m.person_id = person;
  update grants g set plan_group = null, covered_to = least(g.covered_to,
      private.today_at(company))
    where g.company_id = company and g.person_id = person;
  delete from answered_requests where person_id = person;
  delete from preferences where person_id = person;
  delete from scim_members m where m.person_id = person;
  delete from scim_people s where s.person_id = person;
  delete from scim_calls s where s.company_id = company and s.changes @>
    jsonb_build_array(jsonb_build_object('person_id', person));
  delete from absences where absences.person_id = person;
  update absences set deputy_id = null where deputy_id = person;
  update company_rights r set ended_at = now() where r.person_id = person and r.ended_at is null;
  delete from mail_paces where person_id = person;
  delete from report_schedules where person_id = person;
end $$;

-- Erases the rest in the background: the addresses from which the person acted, some thousand
-- entries at a time, and what was kept under their email addresses. Answers whether there is more.
-- With a mail server a last mail goes to the person, and is deleted when it is sent.
create or replace function private.erase_traces(person uuid, mails_it boolean) returns boolean
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  f private.forgetting;
  erasure uuid;
begin
  select * into f from private.forgetting where person_id = person for update;
  if not found then return false; end if;
  erasure := (select e.id from erasures e where e.person_id = person and e.status = 'under_way');
  if private.erase_entries(array(select l.id from audit_log l where l.actor_id = person
    and l.address <> ''
      limit 2000), erasure, false) = 2000 then
    return true;
  end if;
  update import_rows r set full_name = null, email = null, phone = null, department = null,
      personnel_number = null, was = null, becomes = null
    where r.company_id = f.company_id and (r.person_id = person or lower(r.email)
      = any (f.addresses));
  -- Mails of a new account at the same address stay.
  delete from mails m where coalesce(m.person_id, person) = person
    and (m.person_id = person or m.recipient = any (f.addresses));
  delete from inquiries l where lower(l.email) = any (f.addresses);
  delete from private.forgetting where person_id = person;
  update erasures e set status = 'done', ended_at = now() where e.id = erasure;
  update erasures e set reason = null where e.person_id = person and e.reason is not null;
  update erasures e set refusal = 'Erased' where e.person_id = person and e.status = 'refused';
  if mails_it and f.email <> '' then
    perform post_mail(f.email, 'Your data has been erased',
        concat_ws(E'\n\n', s.lines[1], s.lines[2]),
        '<p>' || s.lines[1] || '</p><p>' || s.lines[2] || '</p>', true)
      from (select array['You asked for it: your account at Healthfund and everything that named you is erased.',
        'Amounts stay in the books without your name, as the law asks. This is the last mail to this address.']
        as lines) s;
  end if;
  perform private.publish_now('admins:' || f.company_id), private.publish_now('supers');
  return false;
end $$;

-- Resumes erasures whose worker was killed; the schedule runs it.
create or replace function private.resume_forgetting() returns void
language sql
begin atomic
  select add_job('privacy:forget', json_build_object('person_id', person_id),
    key => 'forget ' || person_id)
    from private.forgetting where since < now() - interval '5 minutes';
end;

-- Erases entries of the record: `whole` the content, otherwise only the address, as for a person's
-- own acts.
create or replace function private.erase_entries(ids bigint[], erasure uuid, whole boolean)
  returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare erased integer;
begin
  with gone as (
    update audit_log l set before = case when not whole then l.before end,
        after = case when not whole then l.after end, address = null, erased_at = now()
      where l.id = any (ids) and (l.address <> '' or whole and num_nonnulls(l.before, l.after) > 0)
      returning l as entry)
  insert into audit_erasures (company_id, audit_id, content, erasure_id)
    select private.chain_of((g.entry).company_id), (g.entry).id, private.entry_content(g.entry),
      erasure from gone g;
  get diagnostics erased = row_count;
  return erased;
end $$;

-- The addresses by which the product knows a person.
create or replace function private.addresses_of(person uuid) returns text[]
language sql stable
begin atomic
  select array(select lower(w.address) from (select p.email as address from profiles p
    where p.id = person
      union select u.email from auth.users u where u.id = person
      union select u.email_change from auth.users u where u.id = person) w where w.address <> '');
end;

create or replace function private.erase_person(person uuid, erasure uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  today date;
  year date;
begin
  select * into strict p from profiles where id = person for update;
  if p.erased_at is not null then return; end if;
  today := coalesce(private.today_at(p.company_id), current_date);
  insert into private.forgetting (person_id, company_id, email, addresses)
    values (p.id, p.company_id, p.email, private.addresses_of(p.id));
  perform private.erase_account(person, p.email);
  perform private.erase_bookings(p.company_id, person),
    private.erase_family(p.company_id, person, today), private.erase_claims(p.company_id, person);
  update profiles x set full_name = 'Former member', email = '', phone = null, department = null,
      personnel_number = null, manager_id = null, requested_company = null,
      joined_on = least(x.joined_on, today),
      left_on = case when x.company_id is not null then least(x.left_on, today) end,
      -- An employee has left. An admin is kept as suspended, so that they don't count among those
      -- who can still decide.
      status = case when x.role = 'employee' then x.status else 'suspended' end,
      suspended_by = null
    where x.id = person;
  perform private.leave_waiting_list(array[person]);
  for year in select distinct a.plan_year from accounts a where a.company_id = p.company_id
    and a.person_id = person and a.kind = 'available' and a.balance_cents > 0 order by 1
  loop
    perform private.reclaim_unspent(p.company_id, year, array[person], 'left', null),
      private.grant_soon(p.company_id, year);
  end loop;
  perform private.erase_belongings(p.company_id, person);
  update profiles x set erased_at = now() where x.id = person;
  perform private.erase_entries(array(select private.entries_about(person)), erasure, true);
  perform add_job('privacy:forget', json_build_object('person_id', person),
    key => 'forget ' || person);
end $$;
