-- Pay runs: made by one admin, released by another, or cancelled.

create policy your_companys on pay_runs for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on pay_runs to healthfund_request;
create or replace trigger audit after insert or update or delete on pay_runs
  for each row execute function audited('version', 'debtor_holder', 'debtor_iban');
create or replace trigger numbered before insert on pay_runs
  for each row execute function private.set_number();

create policy your_companys on pay_items for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select (company_id, run_id, person_id, claims, claims_cents, withheld_cents, paid_cents,
  iban_end, by_bank, returned_at, returned_because) on pay_items to healthfund_request;
create or replace trigger audit after insert or update or delete on pay_items
  for each row execute function audited('iban', 'holder', 'iban_end', 'by_bank',
    'returned_because');

create policy your_companys on pay_claims for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on pay_claims to healthfund_request;

create policy your_companys on pay_withholdings for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on pay_withholdings to healthfund_request;

-- The day on which a run is paid. Banks don't pay in the past, so a run released after its day is
-- paid on the day of its release.
create or replace function pays_on(company uuid, status text, pay_on date) returns date
language sql stable
return case status when 'made' then greatest(pay_on, company_today(company)) else pay_on end;

-- Why an act may not be done to a run as it is now; null where it may. Another person than its
-- maker releases it, if there is one.
create or replace function run_refusal(act text, r pay_runs, me uuid) returns text
language sql stable
return case
  when act in ('release', 'cancel') and r.status = 'released' then 'run_released'
  when act in ('release', 'cancel') and r.status = 'cancelled' then 'run_cancelled'
  when act = 'release' and r.made_by = me and has_second_person('finance', r.company_id, me)
    then 'release_needs_another'
  when act = 'release' and counts_as_one('finance', r.made_by, me) then 'admin_too_new'
  when act = 'release' and account_waits(r.id) then 'account_waits'
  when act in ('return_item', 'payroll_file', 'bank_file', 'wages', 'journal')
    and r.status <> 'released' then 'run_not_released'
  when act = 'bank_file' then (select case
      when count(*) = 0 then 'nobody_has_an_account'
      when bool_and(i.returned_at is not null) then 'all_payments_returned'
      when bool_and(i.returned_at is null and i.iban_end is null) then 'all_payees_erased'
      when bool_and(i.returned_at is not null or i.iban_end is null) then 'no_payment_left'
      when r.debtor_iban is null then 'company_account_needed' end
    from pay_items i where i.company_id = r.company_id and i.run_id = r.id and i.paid_cents > 0
      and i.by_bank) end;

-- Names of those who can release it now; for those who are away, their deputies.
create or replace function run_releasers(company uuid, run bigint) returns text[]
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return array(select p.full_name from pay_runs r
    cross join lateral private.deciders('finance', r.company_id, null) d (id)
    join profiles p on p.id = d.id
  where private.may_know(company) and actor_has('finance', 'auditor') and r.company_id = company
    and r.id = run and run_refusal('release', r, p.id) is null order by p.sort_name, p.id);

-- The asker's company, if they have Finance there; a company's payouts are their work.
create or replace function private.paying_company() returns uuid
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_right('finance');
  return actor_company();
end $$;

create or replace function preview_pay_run(cut_off date) returns table (claims bigint,
  people bigint,
  claims_cents bigint, withheld_cents bigint, paid_cents bigint, without_account bigint,
  accounts_waiting bigint, blocked_claims bigint, blocked_cents bigint, has_second_person boolean,
  next_second_person json)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := private.paying_company();
begin
  return query
    with due as materialized (
      select * from private.payable_claims(company, cut_off))
    select coalesce(sum(p.claims), 0)::bigint, count(*), coalesce(sum(p.claims_cents), 0)::bigint,
        coalesce(sum(p.withheld_cents), 0)::bigint,
        coalesce(sum(p.claims_cents - p.withheld_cents), 0)::bigint,
        count(*) filter (where b.person_id is null and p.claims_cents > p.withheld_cents),
        (select count(*) from (select t.person_id from due t where t.waits
          union select private.owed_while_waiting(company)) w),
        (select count(*) from due t where t.blocked),
        (select coalesce(sum(t.cents), 0)::bigint from due t where t.blocked),
        has_second_person('finance', company, actor_id()), next_second_person('finance', company)
      from private.payable_parts(company, array(
        select (t.person_id, t.claim_id, t.cents)::private.payable_claim from due t
          where not t.left_out)) p
      left join bank_accounts b on b.company_id = company and b.person_id = p.person_id;
end $$;

-- Puts claims into a new run; a claim is in one run at a time. Runs of a company are made one after
-- the other.
create or replace function make_pay_run(cut_off date, pay_on date) returns bigint
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  run bigint;
begin
  perform private.lock_pay_runs(company);
  if pay_on < company_today(company) then
    perform private.refuse('pay_day_past');
  end if;
  if cut_off > company_today(company) then
    perform private.refuse('cut_off_to_come');
  end if;
  perform from claims c where c.company_id = company and private.awaits_payout(c.payment)
    order by c.person_id, c.plan_year, c.category, c.id for no key update;
  insert into pay_runs (company_id, cut_off_on, pay_on, made_by)
    values (company, cut_off, make_pay_run.pay_on, actor_id()) returning id into run;
  with put as (
    update claims c set payment = 'in_run', run_id = run, version = c.version + 1
      from private.payable_claims(company, cut_off) t
      where c.company_id = company and c.id = t.claim_id and not t.left_out
        and private.awaits_payout(c.payment) returning c.*)
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role)
    select company, p.id, p.version, 'put_in_run', actor_id(), 'company_admin' from put p;
  perform private.add_pay_items(company, run, null);
  if not exists (select from pay_items i where i.company_id = company and i.run_id = run) then
    perform private.refuse('nothing_to_pay');
  end if;
  perform private.sum_up_run(company, run), private.publish_run(company, run),
    private.notify_of_work('pay_run_made', company, run), publish('admins:' || company);
  return run;
end $$;

-- Notes which overpayments the withheld money settles: the oldest years first, and last what came
-- back with a payment. What is given back is used up in full.
create or replace function private.withhold(company uuid, run bigint, people uuid[]) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  insert into pay_withholdings (company_id, run_id, person_id, plan_year, category, cents)
    select company, run, o.person_id, o.plan_year, o.category,
        case when o.cents < 0 then o.cents else least(o.cents,
          i.withheld_cents + o.credit - o.before) end
      from (select w.*, -sum(least(w.cents, 0)) over (partition by w.person_id)::bigint as credit,
            coalesce(sum(greatest(w.cents, 0)) over (partition by w.person_id
              order by w.plan_year nulls last, w.category
              rows between unbounded preceding and 1 preceding), 0)::bigint as before
          from private.amounts_to_withhold(company, array(select person_id from pay_items
            where company_id = company and run_id = run
              and (people is null or person_id = any (people)))) w
          where w.cents > 0 or w.cents < 0 and w.plan_year is null) o
      join pay_items i on i.company_id = company and i.run_id = run and i.person_id = o.person_id
      where o.cents < 0 or o.before < i.withheld_cents + o.credit
$$;

-- Adds the part of each of these people (or of all) by the claims that the run has taken: more may
-- be approved at this moment.
create or replace function private.add_pay_items(company uuid, run bigint,
  people uuid[]) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  insert into pay_items (company_id, run_id, person_id, claims, claims_cents, withheld_cents)
    select company, run, p.person_id, p.claims, p.claims_cents, p.withheld_cents
      from private.payable_parts(company, array(
        select (c.person_id, c.id, c.approved_cents)::private.payable_claim from claims c
          where c.company_id = company and c.run_id = run
            and (people is null or c.person_id = any (people)))) p
      where people is null or p.person_id = any (people);
  insert into pay_claims (company_id, run_id, person_id, claim_id, cents)
    select company, run, c.person_id, c.id, c.approved_cents from claims c
      where c.company_id = company and c.run_id = run
        and (people is null or c.person_id = any (people));
  select private.withhold(company, run, people)
$$;

create or replace function private.sum_up_run(company uuid, run bigint) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update pay_runs r set claims = s.claims, people = s.people, claims_cents = s.claims_cents,
      withheld_cents = s.withheld_cents, paid_cents = s.paid_cents,
      without_account = s.without_account
    from (select coalesce(sum(i.claims), 0) as claims, count(*) as people,
        coalesce(sum(i.claims_cents), 0) as claims_cents,
        coalesce(sum(i.withheld_cents), 0) as withheld_cents,
        coalesce(sum(i.paid_cents), 0) as paid_cents,
        count(*) filter (where coalesce(i.iban, b.iban) is null
          and i.paid_cents > 0) as without_account
      from pay_items i left join bank_accounts b
        on b.company_id = company and b.person_id = i.person_id
      where i.company_id = company and i.run_id = run) s
    where r.company_id = company and r.id = run
$$;

-- Makes everything that changes a company's payments wait for each other.
create or replace function private.lock_pay_runs(company uuid) returns void
language sql
return pg_advisory_xact_lock(hashtextextended('pay runs ' || company, 0));

-- Locks the company's run for an act; otherwise raises why not.
create or replace function private.lock_pay_run(act text, run bigint,
  expected_version integer default null)
returns pay_runs
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  r pay_runs;
begin
  perform private.lock_pay_runs(company);
  select * into r from pay_runs x where x.company_id = company and x.id = run for update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(coalesce(run_refusal(act, r, actor_id()),
    case when r.version <> expected_version then 'changed_meanwhile' end));
  return r;
end $$;

-- Pays every claim of the run, recovers overpayments and notifies everybody, in one transaction.
create or replace function release_pay_run(run bigint, expected_version integer) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  r pay_runs := private.lock_pay_run('release', run, expected_version);
  item pay_items;
  company uuid := r.company_id;
  currency text := (select o.currency from companies o where o.id = company);
  me uuid := actor_id();
begin
  r.pay_on := pays_on(company, r.status, r.pay_on);
  perform private.pay_run(r, me), private.recover_for_run(r, me);
  update pay_items i set holder = b.holder, iban = b.iban, by_bank = true from bank_accounts b
    where i.company_id = company and i.run_id = run and b.company_id = company
      and b.person_id = i.person_id;
  -- The rule is asked after accounts were copied, so that an account changed a moment ago waits,
  -- too.
  perform private.refuse(run_refusal('release', r, me)), private.sum_up_run(company, run);
  update pay_runs x set status = 'released', pay_on = r.pay_on, released_at = now(),
      released_by = me, version = x.version + 1, (debtor_holder, debtor_iban) = (
        select a.holder, a.iban from company_accounts a where a.company_id = company)
    where x.company_id = company and x.id = run;
  for item in select * from pay_items x where x.company_id = company and x.run_id = run loop
    perform private.notify(array[item.person_id],
      case when item.paid_cents > 0 then 'paid_out' else 'settled' end,
      jsonb_build_object('cents', item.paid_cents, 'currency', currency, 'claims', item.claims,
        'withheld_cents', item.withheld_cents));
  end loop;
  perform private.publish_run(company, run), publish('admins:' || company);
end $$;

-- Moves each claim from `payable` to `paid`, year by year, as transfers are posted.
create or replace function private.pay_run(r pay_runs, me uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  year date;
begin
  perform from claims c where c.company_id = r.company_id and c.run_id = r.id
    and c.payment = 'in_run'
    order by c.person_id, c.plan_year, c.category, c.id for no key update;
  for year in select distinct c.plan_year from claims c
    where c.company_id = r.company_id and c.run_id = r.id order by 1
  loop
    perform transfer_all(r.company_id, year, 'claim_paid', array(
      select (account(r.company_id, year, 'payable', c.category, c.person_id),
          account(r.company_id, year, 'paid', c.category, c.person_id), c.approved_cents,
          private.origin(concat_ws(' ', 'claim_paid claim', c.id, 'run', r.id), claim => c.id,
            run => r.id), c.person_id)::private.posting
        from claims c where c.company_id = r.company_id and c.run_id = r.id and c.plan_year = year
        order by c.person_id, c.category, c.id), (me, null, null)::private.author);
  end loop;
  with paid as (
    update claims c set payment = 'paid', paid_on = r.pay_on, version = c.version + 1
      where c.company_id = r.company_id and c.run_id = r.id and c.payment = 'in_run' returning c.*)
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role, amount_cents)
    select p.company_id, p.id, p.version, 'paid', me, 'company_admin', p.approved_cents from paid p;
end $$;

create or replace function cancel_pay_run(run bigint, expected_version integer) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  r pay_runs := private.lock_pay_run('cancel', run, expected_version);
  company uuid := r.company_id;
begin
  perform private.take_claims_from_run(company, r.id, null, null);
  update pay_runs x set status = 'cancelled', version = x.version + 1
    where x.company_id = company and x.id = r.id;
  perform private.publish_run(company, r.id), publish('admins:' || company);
end $$;

create or replace function private.publish_run(company uuid, run bigint) returns void
language sql
begin atomic
  select publish(string_agg('person:' || i.person_id, ' ' order by i.person_id)) from pay_items i
    where i.company_id = company and i.run_id = run having count(*) > 0;
end;

create or replace function private.has_paid(company uuid) returns boolean
language sql stable
return exists (select from pay_runs r where r.company_id = company and r.status = 'released');

grant execute on function pays_on, run_refusal, run_releasers, preview_pay_run,
  make_pay_run, release_pay_run, cancel_pay_run to healthfund_request;
