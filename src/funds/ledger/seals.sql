-- The chain over a company's transfers, and the totals kept from them. Both follow within seconds,
-- in the background, so that moving money never waits for them.

create policy your_companys_chain on transfer_seals for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'owner', 'auditor')));
grant select on transfer_seals to healthfund_request;

-- Every field of a transfer as one text; two different transfers never give the same.
create or replace function private.transfer_content(t transfers) returns bytea
language sql stable
return convert_to(json_build_array(t.company_id, t.id, t.plan_year, t.from_account, t.to_account,
  t.amount_cents, t.from_balance_cents, t.to_balance_cents, t.event, t.cause, t.claim_id,
  t.run_id, t.undoes, t.source_id, t.person_id, t.actor_id, t.occurred_on,
  extract(epoch from t.posted_at), t.note)::text, 'UTF8');

create or replace function private.chained_hash(before bytea, content bytea) returns bytea
language sql immutable strict return sha256(before || content);

create or replace aggregate private.chain(bytea) (sfunc = private.chained_hash, stype = bytea,
  initcond = '');

-- The effect of unsealed transfers on the totals. (`offset 0` looks each one up by its key, even if
-- the statistics are older than what a bulk act just wrote.)
create or replace view private.unsealed_changes as
  select u.company_id, u.transfer_id, t.plan_year, a.kind, coalesce(a.category, '') as category,
      (t.posted_at at time zone c.time_zone)::date as day, e.change_cents
    from unsealed_transfers u
    join companies c on c.id = u.company_id
    cross join lateral (select * from transfers x
      where x.company_id = u.company_id and x.id = u.transfer_id offset 0) t
    cross join lateral (values (t.from_account, -t.amount_cents), (t.to_account, t.amount_cents))
      e (account_id, change_cents)
    cross join lateral (select * from accounts x where x.company_id = u.company_id
      and x.plan_year = t.plan_year and x.id = e.account_id offset 0) a;

-- Seals up to `most` transfers of a company and adds them to its totals. Answers how many; none
-- while another session does it.
create or replace function seal_transfers(company uuid, most integer) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  head ledger_heads;
  sealed bigint[];
begin
  insert into ledger_heads (company_id) values (company) on conflict do nothing;
  select * into head from ledger_heads h where h.company_id = company for update skip locked;
  if not found then return 0; end if;
  sealed := array(select u.transfer_id from unsealed_transfers u
    where u.company_id = company order by u.transfer_id limit most);
  if cardinality(sealed) = 0 then return 0; end if;
  with entry as (
    select t.id, row_number() over (order by t.id) as at, private.transfer_content(t) as content
      from transfers t where t.company_id = company and t.id = any (sealed)),
  made as (
    insert into transfer_seals (company_id, number, transfer_id, hash)
      select company, head.number + e.at, e.id,
          private.chain(case when e.at = 1 then head.hash || e.content
            else e.content end) over (order by e.at)
        from entry e
      returning number, hash)
  update ledger_heads h set number = m.number, hash = m.hash
    from (select number, hash from made order by number desc limit 1) m
    where h.company_id = company;
  perform private.add_to_totals(company, sealed);
  delete from unsealed_transfers u where u.company_id = company and u.transfer_id = any (sealed);
  perform private.note_low_balances(company, sealed), private.forget_low_balances(company, sealed);
  if cardinality(sealed) < most then perform private.note_alerts(company); end if;
  return cardinality(sealed);
end $$;

create or replace function private.add_to_totals(company uuid, sealed bigint[]) returns void
language sql
begin atomic
  with change as materialized (
    select plan_year, kind, category, day, sum(change_cents)::bigint as change_cents
      from private.unsealed_changes
      where company_id = company and transfer_id = any (sealed)
      group by plan_year, kind, category, day),
  daily as (
    insert into daily_totals as d (company_id, plan_year, kind, category, day, change_cents)
      select company, c.* from change c
      on conflict (company_id, plan_year, kind, category, day)
        do update set change_cents = d.change_cents + excluded.change_cents)
  insert into kept_totals as k (company_id, plan_year, kind, category, balance_cents)
    select company, plan_year, kind, category, sum(change_cents)::bigint from change
      group by plan_year, kind, category
    on conflict (company_id, plan_year, kind, category)
      do update set balance_cents = k.balance_cents + excluded.balance_cents;
end;

-- Balances of a company by kind and category as of this very moment, without adding up its people.
create or replace view private.fund_totals as
  select company_id, plan_year, kind, nullif(category, '') as category,
      sum(change_cents)::bigint as balance_cents
    from (select company_id, plan_year, kind, category, balance_cents as change_cents
      from kept_totals
      union all select company_id, plan_year, kind, category, change_cents
        from private.unsealed_changes) c
    group by company_id, plan_year, kind, category;

create or replace view fund_totals with (security_barrier) as
  select * from private.fund_totals t
    where t.company_id = (select actor_for_company()) or (select actor_role()) = 'super_admin';
comment on view fund_totals is 'Balances by kind and category, now: the company''s for its admin, all for the provider.';
grant select on fund_totals to healthfund_request;

-- The totals day by day: a past balance is the sum of the changes up to its day.
create or replace view private.fund_changes as
  select company_id, plan_year, kind, nullif(category, '') as category, day, change_cents
    from (select company_id, plan_year, kind, category, day, change_cents from daily_totals
      union all
      select company_id, plan_year, kind, category, day, change_cents
        from private.unsealed_changes) c;

create or replace view fund_changes with (security_barrier) as
  select * from private.fund_changes c
    where c.company_id = (select actor_for_company()) or (select actor_role()) = 'super_admin';
comment on view fund_changes is 'How the totals changed, day by day of the company.';
grant select on fund_changes to healthfund_request;
