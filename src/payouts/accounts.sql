-- Bank accounts: where payouts go, and where the company pays them from.

create or replace trigger audit after insert or update or delete on bank_accounts
  for each row execute function audited('iban', 'holder');

create policy your_companys on company_accounts for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on company_accounts to healthfund_request;
create or replace trigger audit after insert or update or delete on company_accounts
  for each row execute function audited('iban', 'holder');

-- People whose bank account is so new that the policy lets it wait, and the first day on which it
-- is paid to. Days are the company's; the bound in hours is a day longer.
create or replace function private.accounts_waiting(company uuid)
returns table (person_id uuid, pays_from_on date)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select b.person_id, d.pays_from_on
    from companies o
    cross join private.policy_in_force(company) p
    join bank_accounts b on b.company_id = company and p.account_wait_days > 0
      and b.changed_at > now() - make_interval(days => p.account_wait_days + 1)
    cross join lateral (
      select (b.changed_at at time zone o.time_zone)::date + p.account_wait_days as pays_from_on) d
    where o.id = company and d.pays_from_on > (now() at time zone o.time_zone)::date
$$;

-- Sets the account that payouts are made from, and notifies owners; the same account again is no
-- change. A payout that was paid keeps its account: another bank doesn't know the message, and
-- would pay it again. Until its pay day is over a payout takes a corrected account, and one without
-- an account takes the first.
create or replace function set_company_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  before company_accounts;
begin
  perform private.refuse_unless_fresh(), private.lock_pay_runs(company);
  select * into before from company_accounts a where a.company_id = company for update;
  insert into company_accounts (company_id, holder, iban)
    values (company, set_company_account.holder, set_company_account.iban)
    on conflict (company_id) do update set holder = excluded.holder, iban = excluded.iban;
  update pay_runs r set debtor_holder = set_company_account.holder,
      debtor_iban = set_company_account.iban
    where r.company_id = company and r.status = 'released'
      and (r.debtor_iban is null or r.pay_on >= private.today_at(company));
  if (before.holder, before.iban) is distinct from (holder, iban) then
    perform notify_right_holders(company, 'company_account_changed',
      jsonb_build_object('ends_in', right(iban, 4),
        'change', case when before.iban is null then 'added' else 'changed' end));
  end if;
  perform publish('admins:' || company);
end $$;

create or replace function set_my_account(holder text, iban text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  me uuid := actor_id();
  before text;
begin
  perform private.require_role('employee'), private.refuse_unless_fresh();
  select b.iban into before from bank_accounts b
    where b.company_id = company and b.person_id = me for update;
  insert into bank_accounts as b (company_id, person_id, holder, iban)
    values (company, me, set_my_account.holder, set_my_account.iban)
    on conflict (company_id, person_id) do update
      set holder = excluded.holder, iban = excluded.iban,
        changed_at = case b.iban when excluded.iban then b.changed_at else now() end;
  -- The person is always notified at once, by mail as well, as of a changed password. The notice,
  -- like all screens, shows only the account's last digits.
  perform add_job('settings:notice', json_build_object('person_id', me, 'notice',
      'payout_account_changed', 'facts', json_strip_nulls(json_build_object(
        'change', case when before is null then 'added'
          when before = set_my_account.iban then 'holder' else 'account' end,
        'ends_in', right(set_my_account.iban, 4), 'ended_in', right(before, 4))))),
    publish('person:' || me), publish('admins:' || company);
end $$;

create or replace function my_bank_account() returns table (holder text, iban_end text,
  pays_from_on date)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select b.holder, right(b.iban, 4), w.pays_from_on from bank_accounts b
    left join private.accounts_waiting(actor_company()) w on w.person_id = b.person_id
    where b.company_id = actor_company() and b.person_id = actor_id() and actor_role() = 'employee';
end;

-- The account that each payment goes to: until the release as it is now, with what the releasing
-- admin should check. That is an account given or changed within 30 days, one that somebody else on
-- the platform has, too, or one that sent a payment back and was not given again since.
create or replace view private.accounts_of_runs as
  select i.company_id, i.run_id, i.person_id, coalesce(i.iban_end, right(b.iban, 4)) as iban_end,
      case when b.changed_at > now() - interval '30 days' then b.changed_at end as changed_at,
      b.iban is not null and exists (select from bank_accounts x
        where x.iban = b.iban and x.person_id <> b.person_id) as shared,
      b.iban is not null and exists (select from pay_items x where x.company_id = b.company_id
        and x.person_id = b.person_id and x.returned_at > b.changed_at and x.by_bank) as failed,
      i.paid_cents
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

-- Accounts to check, and people whom payroll pays, as things are now: accounts come and go until
-- the release.
create or replace function run_accounts(run bigint)
returns table (person_id uuid, to_check boolean, missing boolean)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select a.person_id, f.to_check, f.missing from private.accounts_of_runs a
    cross join lateral (select a.changed_at is not null or a.shared or a.failed as to_check,
      a.iban_end is null and a.paid_cents > 0 as missing) f
    where a.company_id = actor_company() and a.run_id = run and actor_has('finance', 'auditor')
      and (f.to_check or f.missing);
end;

-- Whether an account of the run was changed since it was made and has to wait.
create or replace function account_waits(run bigint) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return actor_has('finance', 'auditor') and exists (
  select from private.accounts_waiting(actor_company()) w
    join pay_items i on i.company_id = actor_company() and i.run_id = run
      and i.person_id = w.person_id
    where i.paid_cents > 0);

grant execute on function set_company_account, set_my_account, my_bank_account, pay_account,
  run_accounts, account_waits to healthfund_request;
