-- Where payouts go, what the bank's file holds, and what came back.

create or replace trigger audit after insert or update or delete on bank_accounts
  for each row execute function audited('iban', 'holder');

create policy your_companys on company_accounts for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on company_accounts to healthfund_request;
create or replace trigger audit after insert or update or delete on company_accounts
  for each row execute function audited('iban', 'holder');

-- Amounts to withhold from a person's next payout, oldest year first: overpaid in the ledger and
-- in no open run yet; and what was withheld from payments that the bank returned (their claims are
-- paid again in full otherwise). The row without a year is negative where money was withheld for a
-- payment that never arrived: it is given back.
create or replace function private.overpaid(company uuid, people uuid[])
returns table (person_id uuid, plan_year date, category text, cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select a.person_id, a.plan_year, a.category, a.balance_cents - coalesce((
      select sum(o.cents) from pay_withholdings o
        join pay_runs r on r.company_id = o.company_id and r.id = o.run_id and r.status = 'made'
        where o.company_id = company and o.person_id = a.person_id and o.plan_year = a.plan_year
          and o.category = a.category), 0)::bigint
    from unnest(people) p (id) join accounts a on a.company_id = company and a.person_id = p.id
      and a.kind = 'overpaid' and a.balance_cents > 0
  union all
  select p.id, null, null, (
      select coalesce(sum(i.withheld_cents - i.credit_cents)
          filter (where i.returned_at is not null), 0)
          - coalesce((select sum(o.cents) from pay_withholdings o
            join pay_runs r on r.company_id = o.company_id and r.id = o.run_id
              and r.status <> 'cancelled'
            where o.company_id = company and o.person_id = p.id and o.plan_year is null), 0)
        from pay_items i where i.company_id = company and i.person_id = p.id)::bigint
    from unnest(people) p (id)
$$;

-- People whose bank account is so new that the policy lets it wait, and from which day on it is
-- paid to. The days are the company's; a day more in hours bounds what is looked at.
create or replace function private.accounts_waiting(company uuid)
returns table (person_id uuid, pays_from_on date)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select b.person_id, d.pays_from_on
    from companies o
    cross join lateral (select x.account_wait_days as days from claim_policies x
      where x.company_id = company order by x.version desc limit 1) p
    join bank_accounts b on b.company_id = company and p.days > 0
      and b.changed_at > now() - make_interval(days => p.days + 1)
    cross join lateral (
      select (b.changed_at at time zone o.time_zone)::date + p.days as pays_from_on) d
    where o.id = company and d.pays_from_on > (now() at time zone o.time_zone)::date
$$;

-- People all of whose payments are blocked.
create or replace function private.people_blocked(company uuid) returns setof uuid
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select b.person_id from payment_blocks b
    where b.company_id = company and b.removed_at is null and b.claim_id is null
$$;

-- Claims that are approved and not paid: since when, the company's day of the decision, whether
-- the account waits, whether they are blocked, and the last run whose payment of them came back.
create or replace function private.payable_claims(company uuid)
returns table (person_id uuid, claim_id bigint, cents bigint, reviewed_at timestamptz,
  waits_since timestamptz, reviewed_on date, waits boolean, blocked boolean, returned_in bigint)
language sql stable
begin atomic
  select c.person_id, c.id, c.approved_cents, c.reviewed_at, coalesce(b.returned_at, c.reviewed_at),
      (c.reviewed_at at time zone o.time_zone)::date,
      c.person_id in (select w.person_id from private.accounts_waiting(company) w),
      c.person_id in (select private.people_blocked(company))
        or c.id in (select b.claim_id from payment_blocks b where b.company_id = company
          and b.removed_at is null and b.claim_id is not null), b.run_id
    from claims c join companies o on o.id = c.company_id
    left join (select k.claim_id, max(k.run_id) as run_id, max(i.returned_at) as returned_at
      from pay_items i join pay_claims k on k.company_id = company and k.run_id = i.run_id
        and k.person_id = i.person_id
      where i.company_id = company and i.returned_at is not null group by 1) b on b.claim_id = c.id
    where c.company_id = company and c.payment in ('unpaid', 'returned');
end;

-- Each person's part, and how much of it is withheld.
create or replace function private.payable_parts(company uuid, claims private.payable_claim[])
returns table (person_id uuid, claims integer, claims_cents bigint, withheld_cents bigint)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with part as materialized (
    select t.person_id, count(t.claim_id)::integer as claims,
      coalesce(sum(t.cents), 0)::bigint as cents
      from (select * from unnest(claims) union all
        select distinct i.person_id, null::bigint, 0::bigint from pay_items i
          where i.company_id = company and i.credit_cents > 0
            and i.person_id not in (select w.person_id from private.accounts_waiting(company) w)
            and i.person_id not in (select private.people_blocked(company))) t
      group by t.person_id),
  owed as (
    select o.person_id, sum(o.cents)::bigint as cents
      from private.overpaid(company, array(select p.person_id from part p)) o
      where o.cents > 0 or o.plan_year is null
      group by o.person_id)
  select p.person_id, p.claims, p.cents, least(p.cents, coalesce(o.cents, 0))
    from part p left join owed o on o.person_id = p.person_id
    where p.claims > 0 or o.cents < 0
$$;

-- A person's claims of a run, then all of their accounts: an act on a claim holds the claim first,
-- and whatever moves money holds accounts year by year, in the order of their ids.
create or replace function private.lock_paid(company uuid, run bigint, person uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select from pay_claims p join claims x on x.company_id = company and x.id = p.claim_id
    where p.company_id = company and p.run_id = run and p.person_id = person
    order by x.plan_year, x.category, x.id for no key update of x;
  select from accounts a where a.company_id = company and a.person_id = person
    order by a.plan_year, a.id for no key update;
$$;

-- The bank sent one person's payment back: their claims are approved and unpaid again. One that was
-- reversed meanwhile owes nothing any more; what another run withheld for it, or is about to, is
-- owed to the person.
create or replace function return_payment_of(run bigint, person uuid, reason text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who text[] := private.pay_admin();
  company uuid := who[3];
  me uuid := who[2];
  i pay_items;
  c claims;
  owed bigint;
  forgiven bigint;
  credit bigint := 0;
begin
  perform private.run_to('return_item', run),
    private.refuse(own_benefit_refusal('finance', company, person, me));
  select * into i from pay_items x
    where x.company_id = company and x.run_id = run and x.person_id = person for update;
  perform private.refuse(case when not found then 'not_found' when i.paid_cents = 0
    then 'nothing_was_paid' when i.returned_at is not null then 'returned_already' end);
  -- Banks name people in it.
  reason := (select return_payment_of.reason from profiles p where p.id = person
    and p.erased_at is null);
  perform private.lock_paid(company, run, person);
  for c in select x.* from pay_claims p join claims x on x.company_id = company
    and x.id = p.claim_id
    where p.company_id = company and p.run_id = run and p.person_id = person
    order by x.plan_year, x.category, x.id
  loop
    if c.payment = 'paid' and c.run_id = run then
      update claims x set payment = 'returned', paid_on = null, run_id = null,
        version = x.version + 1
        where x.company_id = company and x.id = c.id returning * into c;
      perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
        'return',
          c.approved_cents, concat_ws(' ', 'claim', c.id, 'run', run), me),
        private.note_event(c, 'payment_returned', me, reason,
          jsonb_build_object('amount_cents', c.approved_cents));
    elsif c.payment = 'reversed' and c.run_id = run then
      owed := least(c.approved_cents, greatest(0, coalesce((select o.cents
        from private.overpaid(company, array[person]) o
        where o.plan_year = c.plan_year and o.category = c.category), 0)));
      forgiven := least(c.approved_cents - owed,
        private.written_off((company, c.plan_year, person, c.category)::private.purse));
      credit := credit + c.approved_cents - owed - forgiven;
      if forgiven > 0 then -- the company has it back after all
        perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
          'return_written_off', forgiven, concat_ws(' ', 'returned claim', c.id, 'run', run), me);
      end if;
      if owed > 0 then
        perform private.move_funds((company, c.plan_year, person, c.category)::private.purse,
          'recover', owed,
          concat_ws(' ', 'returned claim', c.id, 'run', run), me);
      end if;
    end if;
  end loop;
  update pay_items x set returned_at = now(), returned_because = reason, credit_cents = credit
    where x.company_id = company and x.run_id = run and x.person_id = i.person_id;
  update pay_runs x set version = x.version + 1 where x.company_id = company and x.id = run;
  perform notify_person(person, 'claims', 'payment_returned',
      jsonb_build_object('by', case when i.by_bank then 'bank' else 'payroll' end),
      '/dashboard/my-claims'), publish('admins:' || company);
end $$;

create or replace function set_company_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := (private.pay_admin())[3];
begin
  perform private.refuse_unless_fresh();
  insert into company_accounts values (company, set_company_account.holder,
    set_company_account.iban)
    on conflict (company_id) do update set holder = excluded.holder, iban = excluded.iban;
  perform publish('admins:' || company);
end $$;

create or replace function set_my_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who text[] := string_to_array(actor(), ' ');
  before text;
begin
  if who[1] is distinct from 'employee' then
    perform private.refuse('forbidden');
  end if;
  perform private.refuse_unless_fresh();
  select b.iban into before from bank_accounts b
    where b.company_id = who[3]::uuid and b.person_id = who[2]::uuid for update;
  insert into bank_accounts as b (company_id, person_id, holder, iban)
    values (who[3]::uuid, who[2]::uuid, set_my_account.holder, set_my_account.iban)
    on conflict (company_id, person_id) do update
      set holder = excluded.holder, iban = excluded.iban,
        changed_at = case b.iban when excluded.iban then b.changed_at else now() end;
  -- As with a changed password: at once, by mail as well, whatever the person’s switches say. Of an
  -- account it tells the end alone, as all screens do.
  perform add_job('settings:notice', json_build_object('person_id', who[2], 'notice',
      'payout_account_changed', 'facts', json_strip_nulls(json_build_object(
        'change', case when before is null then 'added'
          when before = set_my_account.iban then 'holder' else 'account' end,
        'ends_in', right(set_my_account.iban, 4), 'ended_in', right(before, 4))))),
    publish('person:' || who[2]), publish('admins:' || who[3]);
end $$;

create or replace function my_bank_account() returns table (holder text, iban_end text,
  pays_from_on date)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select b.holder, right(b.iban, 4), w.pays_from_on from bank_accounts b
    left join private.accounts_waiting(actor_company()) w on w.person_id = b.person_id
    where b.company_id = actor_company() and b.person_id = actor_id() and actor_role() = 'employee';
end;

-- Names of the admins who made and released runs: they may have left since.
create or replace function pay_run_people(run bigint) returns table (made_by_name text,
  released_by_name text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select coalesce(m.full_name, 'An admin'), l.full_name from pay_runs r
    left join profiles m on m.id = r.made_by left join profiles l on l.id = r.released_by
    where r.company_id = actor_company() and r.id = run and actor_has('finance', 'auditor');
end;

-- Rows of a released run's files, in the order of people's ids.
create or replace function pay_run_file(run bigint) returns table (person_id uuid, person_name text,
  email text, department text, claim_ids bigint[], claims_cents bigint, withheld_cents bigint,
  paid_cents bigint, holder text, iban text, by_bank boolean, returned boolean)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := (private.pay_admin())[3];
begin
  perform private.refuse(run_refusal('payroll_file', r, null)) from pay_runs r
    where r.company_id = company and r.id = run;
  return query
    select i.person_id, p.full_name, p.email, p.department, array(select c.claim_id
      from pay_claims c
          where c.company_id = company and c.run_id = run and c.person_id = i.person_id
          order by c.claim_id),
        i.claims_cents, i.withheld_cents, i.paid_cents, i.holder, i.iban,
        i.by_bank, i.returned_at is not null
      from pay_items i join profiles p on p.company_id = company and p.id = i.person_id
      where i.company_id = company and i.run_id = run order by p.sort_name, i.person_id;
end $$;

-- The account that each part goes to. Until its release as it is now, with what the releasing admin
-- should look at: given or changed within the last 30 days, the account of somebody else on the
-- platform, too, or one from which a payment came back and that was not given again since.
create or replace view private.accounts_of_runs as
  select i.company_id, i.run_id, i.person_id, coalesce(i.iban_end, right(b.iban, 4)) as iban_end,
      case when b.changed_at > now() - interval '30 days' then b.changed_at end as changed_at,
      b.iban is not null and exists (select from bank_accounts x
        where x.iban = b.iban and x.person_id <> b.person_id) as shared,
      b.iban is not null and exists (select from pay_items x where x.company_id = b.company_id
        and x.person_id = b.person_id and x.returned_at > b.changed_at and x.by_bank) as failed
    from pay_runs r
    join pay_items i on i.company_id = r.company_id and i.run_id = r.id
    left join bank_accounts b on r.status = 'made' and b.company_id = i.company_id
      and b.person_id = i.person_id;

create or replace function pay_account(run bigint, person uuid)
returns table (iban_end text, changed_at timestamptz, shared boolean, failed boolean)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select a.iban_end, a.changed_at, a.shared, a.failed from private.accounts_of_runs a
    where a.company_id = actor_company() and a.run_id = run and a.person_id = person
      and actor_has('finance', 'auditor');
end;

create or replace function accounts_to_check(run bigint) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select a.person_id from private.accounts_of_runs a
    where a.company_id = actor_company() and a.run_id = run and actor_has('finance', 'auditor')
      and (a.changed_at is not null or a.shared or a.failed);
end;

-- Whether an account of the run was changed since it was made and has to wait.
create or replace function account_waits(run bigint) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return actor_has('finance', 'auditor') and exists (
  select from private.accounts_waiting(actor_company()) w
    join pay_items i on i.company_id = actor_company() and i.run_id = run
      and i.person_id = w.person_id
    where i.paid_cents > 0);

grant execute on function return_payment_of, set_company_account, set_my_account, my_bank_account,
  pay_run_people, pay_run_file, pay_account, accounts_to_check, account_waits to healthfund_request;
