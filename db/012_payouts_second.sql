-- Runs that are not paid after all, payments that came back, accounts, and what the files hold.

create function cancel_pay_run(run bigint, seen integer) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  who text[] := wall.pay_admin();
  company uuid := who[3];
  r pay_runs := wall.open_run(company, run, seen);
begin
  with back as (
    update claims c set payment = 'unpaid', run_id = null, version = c.version + 1
      where c.company_id = company and c.run_id = r.id and c.payment = 'in_run' returning c.*)
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role)
    select company, b.id, b.version, 'taken_from_run', who[2]::uuid, 'company_admin' from back b;
  update pay_runs x set status = 'cancelled', version = x.version + 1
    where x.company_id = company and x.id = r.id;
  perform tell('admins:' || company);
end $$;

-- The bank sent one person's payment back: their claims are approved and unpaid again. One that was reversed
-- meanwhile owes nothing any more, as far as nothing was kept back for it yet.
create function return_payment_of(run bigint, person uuid, reason text) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  who text[] := wall.pay_admin();
  company uuid := who[3];
  me uuid := who[2];
  i pay_items;
  c claims;
  owed bigint;
begin
  perform from pay_runs x where x.company_id = company and x.id = run and x.status = 'released' for update;
  if not found then
    perform from pay_runs x where x.company_id = company and x.id = run;
    if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
    raise exception 'run_not_released' using errcode = 'HF422';
  end if;
  select * into i from pay_items x
    where x.company_id = company and x.run_id = run and x.person_id = person for update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if i.returned_at is not null then raise exception 'returned_already' using errcode = 'HF422'; end if;
  if i.paid_cents = 0 then raise exception 'nothing_was_paid' using errcode = 'HF422'; end if;
  for c in select x.* from pay_claims p join claims x on x.company_id = company and x.id = p.claim_id
    where p.company_id = company and p.run_id = run and p.person_id = person
    order by x.plan_year, x.category, x.id for no key update of x
  loop
    if c.payment = 'paid' and c.run_id = run then
      update claims x set payment = 'returned', paid_on = null, run_id = null, version = x.version + 1
        where x.company_id = company and x.id = c.id returning * into c;
      perform wall.move_funds(company, c.plan_year, person, c.category, 'paid', 'payable', c.approved_cents,
          'payment_returned', concat_ws(' ', 'claim', c.id, 'run', run), me),
        wall.note_event(c, 'payment_returned', me, 'company_admin', reason,
          amount_cents => c.approved_cents);
    elsif c.payment = 'reversed' and c.run_id = run then
      select least(a.balance_cents, c.approved_cents) into owed from accounts a
        where a.company_id = company and a.plan_year = c.plan_year and a.person_id = person
          and a.category = c.category and a.kind = 'overpaid';
      if owed > 0 then
        perform wall.move_funds(company, c.plan_year, person, c.category, 'overpaid', 'available', owed,
          'overpaid_recovered', concat_ws(' ', 'returned claim', c.id, 'run', run), me);
      end if;
    end if;
  end loop;
  update pay_items x set returned_at = now(), returned_because = reason
    where x.company_id = company and x.run_id = run and x.person_id = i.person_id;
  update pay_runs x set version = x.version + 1 where x.company_id = company and x.id = run;
  perform notify_person(person, 'claims', 'A payment to you came back',
      'The bank returned it. Check your account on My Claims: it is paid again with the next run.',
      '/dashboard/my-claims'),
    tell('admins:' || company);
end $$;

create function set_company_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare company uuid := (wall.pay_admin())[3];
begin
  insert into company_accounts values (company, set_company_account.holder, set_company_account.iban)
    on conflict (company_id) do update set holder = excluded.holder, iban = excluded.iban;
  perform tell('admins:' || company);
end $$;

create function set_my_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare who text[] := string_to_array(actor(), ' ');
begin
  if who[1] is distinct from 'employee' then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  insert into bank_accounts (company_id, person_id, holder, iban)
    values (who[3]::uuid, who[2]::uuid, set_my_account.holder, set_my_account.iban)
    on conflict (company_id, person_id) do update
      set holder = excluded.holder, iban = excluded.iban, changed_at = now();
  perform notify_person(who[2]::uuid, 'account', 'The account for your payouts was changed',
      'If this was not you, tell your HR at once.', '/dashboard/my-claims'),
    tell('person:' || who[2]);
end $$;

create function my_bank_account() returns table (holder text, iban_end text)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select b.holder, right(b.iban, 4) from bank_accounts b
    where b.company_id = actor_company() and b.person_id = actor_id() and actor_role() = 'employee';
end;

-- Names of the admins who made and released runs: they may have left since.
create function pay_run_people(run bigint) returns table (made_by_name text, released_by_name text)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select coalesce(m.full_name, 'An admin'), l.full_name from pay_runs r
    left join profiles m on m.id = r.made_by left join profiles l on l.id = r.released_by
    where r.company_id = actor_company() and r.id = run and actor_role() = 'company_admin';
end;

-- What the files hold of a released run, in the order of people's ids.
create function pay_run_file(run bigint) returns table (person_id uuid, person_name text, email text,
  department text, claim_ids bigint[], claims_cents bigint, offset_cents bigint, paid_cents bigint,
  holder text, iban text, returned boolean)
language plpgsql stable security definer set search_path = public, pg_catalog as $$
declare company uuid := (wall.pay_admin())[3];
begin
  if not exists (select from pay_runs r
      where r.company_id = company and r.id = run and r.status = 'released') then
    if exists (select from pay_runs r where r.company_id = company and r.id = run) then
      raise exception 'run_not_released' using errcode = 'HF422';
    end if;
    raise exception 'not_found' using errcode = 'HF422';
  end if;
  return query
    select i.person_id, p.full_name, p.email, p.department, array(select c.claim_id from pay_claims c
          where c.company_id = company and c.run_id = run and c.person_id = i.person_id
          order by c.claim_id),
        i.claims_cents, i.offset_cents, i.paid_cents, i.holder, i.iban, i.returned_at is not null
      from pay_items i join profiles p on p.company_id = company and p.id = i.person_id
      where i.company_id = company and i.run_id = run order by p.sort_name, i.person_id;
end $$;

revoke execute on function cancel_pay_run(bigint, integer), return_payment_of(bigint, uuid, text),
  set_company_account(text, text), set_my_account(text, text), my_bank_account(), pay_run_people(bigint),
  pay_run_file(bigint) from public;
grant execute on function cancel_pay_run(bigint, integer), return_payment_of(bigint, uuid, text),
  set_company_account(text, text), set_my_account(text, text), my_bank_account(), pay_run_people(bigint),
  pay_run_file(bigint) to healthfund_request;
