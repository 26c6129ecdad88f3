-- Proving the ledger: its chain, its balances, its totals.

-- The first broken seal: a transfer changed, gone or unknown to the chain, or a seal gone.
create or replace function private.first_broken_seal(company uuid, out fault text,
  out transfer_id bigint)
language sql stable
begin atomic
  with link as (
    select s.number, s.transfer_id, s.hash, t.id is null as gone,
        lag(s.number, 1, 0::bigint) over w as before,
        private.chained_hash(lag(s.hash, 1, ''::bytea) over w,
          private.transfer_content(t)) as should
      from transfer_seals s
      left join transfers t on t.company_id = s.company_id and t.id = s.transfer_id
      where s.company_id = company
      window w as (order by s.number))
  select f.fault, f.transfer_id from (
    select l.number, l.transfer_id, case
        when l.number <> l.before + 1 then 'seal_missing'
        when l.gone then 'transfer_deleted'
        else 'transfer_changed' end as fault
      from link l
      where l.number <> l.before + 1 or l.gone or l.hash is distinct from l.should
    union all
    select h.number, null, 'seal_missing' from ledger_heads h
      where h.company_id = company and h.number > 0 and not exists (
        select from transfer_seals s
          where s.company_id = company and s.number = h.number and s.hash = h.hash)
    union all
    select 9223372036854775807, t.id, 'transfer_inserted' from transfers t
      where t.company_id = company
        and not exists (select from transfer_seals s
          where s.company_id = company and s.transfer_id = t.id)
        and not exists (select from unsealed_transfers u
          where u.company_id = company and u.transfer_id = t.id)
    union all
    select 9223372036854775807, u.transfer_id, 'transfer_deleted' from unsealed_transfers u
      where u.company_id = company and not exists (select from transfers t
        where t.company_id = company and t.id = u.transfer_id)) f
    order by f.number, f.transfer_id limit 1;
end;

-- Every entry of a person's accounts; a transfer between two of them is two.
create or replace function private.entries_of_person(company uuid, person uuid)
returns table (id bigint, plan_year date, account_id bigint, change bigint, after bigint)
language sql stable
begin atomic
  select t.id, a.plan_year, a.id, -t.amount_cents, t.from_balance_cents
    from accounts a join transfers t on t.company_id = company and t.plan_year = a.plan_year
      and t.from_account = a.id
    where a.company_id = company and a.person_id = person
  union all
  select t.id, a.plan_year, a.id, t.amount_cents, t.to_balance_cents
    from accounts a join transfers t on t.company_id = company and t.plan_year = a.plan_year
      and t.to_account = a.id
    where a.company_id = company and a.person_id = person;
end;

-- The first entry whose balance does not follow from the entries before it, or else the first
-- account whose balance is not that of its last entry: of a company, or of one person. The part for
-- the other of the two reads nothing.
create or replace function private.first_wrong_balance(company uuid, person uuid, out fault text,
  out transfer_id bigint, out account_id bigint)
language sql stable
begin atomic
  with account as (
    select a.* from accounts a where a.company_id = company and person is null
    union all
    select a.* from accounts a where a.company_id = company and a.person_id = person),
  entry as (
    select t.id, t.plan_year, t.from_account as account_id, -t.amount_cents as change,
        t.from_balance_cents as after
      from transfers t where t.company_id = company and person is null
    union all
    select t.id, t.plan_year, t.to_account, t.amount_cents, t.to_balance_cents
      from transfers t where t.company_id = company and person is null
    union all
    select * from private.entries_of_person(company, person)),
  running as (
    select e.*, sum(e.change) over w as should, lead(e.id) over w is null as last
      from entry e window w as (partition by e.plan_year, e.account_id order by e.id))
  select f.fault, f.id, f.account_id from (
    select 1 as rank, 'balance_after_wrong' as fault, r.id, r.account_id
      from running r where r.after <> r.should
    union all
    select 2, 'balance_wrong', null, a.id
      from account a left join running r
        on r.plan_year = a.plan_year and r.account_id = a.id and r.last
      where a.balance_cents <> coalesce(r.should, 0)) f
    order by f.rank, f.id, f.account_id limit 1;
end;

-- Each plan year's balances add up to nothing, and the kept totals are what the accounts say.
create or replace function private.wrong_totals(company uuid) returns text
language sql stable
return case
  when exists (select from accounts where company_id = company
    group by plan_year having sum(balance_cents) <> 0) then 'sum_not_zero'
  when exists (select from (
      select plan_year, kind, category, sum(balance_cents) as cents from accounts
        where company_id = company group by plan_year, kind, category) a
    full join (select * from private.fund_totals where company_id = company) t
      on t.plan_year = a.plan_year and t.kind = a.kind and t.category is not distinct
        from a.category
    where coalesce(a.cents, 0) <> coalesce(t.balance_cents, 0)) then 'totals_wrong'
  when exists (select from (
      select plan_year, person_id, category, sum(balance_cents) as cents from accounts
        where company_id = company and person_id is not null
        group by plan_year, person_id, category) a
    full join (select * from grants where company_id = company) g
      on g.plan_year = a.plan_year and g.person_id = a.person_id and g.category = a.category
    where coalesce(a.cents, 0) <> coalesce(g.granted_cents + g.carried_cents
      + g.adjusted_cents, 0)) then 'grant_wrong'
  when exists (select from (
      select plan_year, person_id, category, sum(cents) as cents from balance_adjustments
        where company_id = company and status = 'confirmed'
        group by plan_year, person_id, category) c
    full join (
      select x.plan_year, x.person_id, x.category, sum(case t.event when 'adjusted_up'
          then t.amount_cents else -t.amount_cents end) as cents
        from transfers t join accounts x on x.company_id = company and x.plan_year = t.plan_year
          and x.id = case t.event when 'adjusted_up' then t.to_account else t.from_account end
        where t.company_id = company and t.event in ('adjusted_up', 'adjusted_down')
        group by x.plan_year, x.person_id, x.category) t
      on t.plan_year = c.plan_year and t.person_id = c.person_id and t.category = c.category
    where coalesce(c.cents, 0) <> coalesce(t.cents, 0)) then 'adjustment_wrong'
  end;

-- Recomputes chain, balances after, balances and sums, all in one snapshot.
create or replace function verify_ledger(company uuid) returns ledger_check
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  done ledger_check;
begin
  if private.is_request() and (actor_role() = 'super_admin'
      or (actor_has('owner', 'finance', 'auditor') and company = actor_company())) is not true then
    perform private.refuse('forbidden');
  end if;
  select count(*) into done.transfers from transfers where company_id = company;
  select count(*) into done.accounts from accounts where company_id = company;
  select s.fault, s.transfer_id into done.fault, done.transfer_id
    from private.first_broken_seal(company) s;
  if done.fault is null then
    select b.fault, b.transfer_id, b.account_id into done.fault, done.transfer_id, done.account_id
      from private.first_wrong_balance(company, null) b;
  end if;
  if done.fault is null then done.fault := private.wrong_totals(company); end if;
  return done;
end $$;

grant execute on function verify_ledger to healthfund_request;
