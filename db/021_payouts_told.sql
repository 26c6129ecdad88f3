-- Whose claims are put into a pay run, taken out of it or paid sees it at once; a run of a whole company's people is
-- told in one go.

create function wall.tell_people(people uuid[]) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select tell(string_agg('person:' || id, ' ' order by id)) from unnest(people) p (id)
    having count(*) > 0;
end;

create function wall.tell_people_of_run(company uuid, run bigint) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select wall.tell_people(array(select i.person_id from pay_items i
    where i.company_id = company and i.run_id = run));
end;

-- Claims are put into the run; nobody else's run has them. Runs of a company are made one after the other.
create or replace function make_pay_run(cut_off date, pay_on date) returns bigint
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  who text[] := wall.pay_admin();
  company uuid := who[3];
  run bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('pay runs ' || company, 0));
  if pay_on < company_today(company) then
    raise exception 'pay_day_past' using errcode = 'HF422';
  end if;
  if cut_off > company_today(company) then
    raise exception 'cut_off_to_come' using errcode = 'HF422';
  end if;
  perform from claims c where c.company_id = company and c.payment in ('unpaid', 'returned')
    order by c.person_id, c.plan_year, c.category, c.id for no key update;
  insert into pay_runs (company_id, cut_off_on, pay_on, made_by)
    values (company, cut_off, make_pay_run.pay_on, who[2]::uuid) returning id into run;
  with put as (
    update claims c set payment = 'in_run', run_id = run, version = c.version + 1
      from wall.to_pay(company, cut_off) t where c.company_id = company and c.id = t.claim_id
        and c.payment in ('unpaid', 'returned') returning c.*)
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role)
    select company, p.id, p.version, 'put_in_run', who[2]::uuid, 'company_admin' from put p;
  if not found then raise exception 'nothing_to_pay' using errcode = 'HF422'; end if;
  -- From here on it is what was taken that counts: more may be approved in this very moment.
  insert into pay_items (company_id, run_id, person_id, claims, claims_cents, offset_cents)
    select company, run, p.person_id, p.claims, p.claims_cents, p.offset_cents
      from wall.parts_to_pay(company, array(
        select (c.person_id, c.id, c.approved_cents)::wall.payable_claim from claims c
          where c.company_id = company and c.run_id = run)) p;
  insert into pay_claims (company_id, run_id, person_id, claim_id, cents)
    select company, run, c.person_id, c.id, c.approved_cents from claims c
      where c.company_id = company and c.run_id = run;
  perform wall.keep_back(company, run);
  perform wall.sum_up_run(company, run), wall.tell_people_of_run(company, run),
    tell('admins:' || company);
  return run;
end $$;

-- Every claim of the run is paid, what is owed is recovered, everybody is told: in one transaction.
create or replace function release_pay_run(run bigint, seen integer) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  who text[] := wall.pay_admin();
  company uuid := who[3];
  me uuid := who[2];
  r pay_runs := wall.open_run(company, run, seen);
begin
  if r.made_by = me and wall.other_admin(company, me) then
    raise exception 'release_needs_another' using errcode = 'HF422';
  end if;
  perform wall.pay_run(r, me), wall.recover_for_run(r, me);
  update pay_items i set holder = b.holder, iban = b.iban from bank_accounts b
    where i.company_id = company and i.run_id = run and b.company_id = company
      and b.person_id = i.person_id;
  perform wall.sum_up_run(company, run);
  update pay_runs x set status = 'released', released_at = now(), released_by = me,
      version = x.version + 1
    where x.company_id = company and x.id = run;
  insert into notifications (person_id, kind, title, sentence, path)
    select i.person_id, 'claims',
        case when i.paid_cents > 0 then 'Money is on its way to you' else 'Your claims were settled' end,
        wall.money(i.paid_cents, o.currency) || ' for ' || i.claims
          || case when i.claims = 1 then ' claim' else ' claims' end
          || case when i.offset_cents > 0 then '; ' || wall.money(i.offset_cents, o.currency)
            || ' of them were kept back for what had been paid for a reversed claim' else '' end || '.',
        '/dashboard/my-claims'
      from pay_items i join companies o on o.id = i.company_id
        join profiles p on p.company_id = i.company_id and p.id = i.person_id
      where i.company_id = company and i.run_id = run;
  perform wall.tell_people_of_run(company, run), tell('admins:' || company);
end $$;

create or replace function cancel_pay_run(run bigint, seen integer) returns void
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
  perform wall.tell_people_of_run(company, r.id), tell('admins:' || company);
end $$;

-- The end of the account that a part goes to: as it was at release, until then as it is now.
create function pay_account_end(run bigint, person uuid) returns text
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select coalesce(i.iban_end, case when r.status = 'made' then right(b.iban, 4) end)
    from pay_items i join pay_runs r on r.company_id = i.company_id and r.id = i.run_id
    left join bank_accounts b on b.company_id = i.company_id and b.person_id = i.person_id
    where i.company_id = actor_company() and i.run_id = run and i.person_id = person
      and actor_role() = 'company_admin';
end;
revoke execute on function pay_account_end(bigint, uuid) from public;
grant execute on function pay_account_end(bigint, uuid) to healthfund_request;

revoke execute on function wall.tell_people(uuid[]), wall.tell_people_of_run(uuid, bigint) from public;
