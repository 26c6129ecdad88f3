-- The chain over the transfers of every company and the totals kept from them, as seal_transfers makes them of one.
-- Alerts of low balances are not made: the next seal of a company makes the company's.
with content as materialized (
  select t.company_id, t.id, private.transfer_content(t) as content,
      row_number() over (partition by t.company_id order by t.id) as number
    from transfers t),
made as (
  insert into transfer_seals (company_id, number, transfer_id, hash)
    select company_id, number, id, private.chain(content) over (partition by company_id order by number)
      from content returning company_id, number, hash)
insert into ledger_heads (company_id, number, hash)
  select distinct on (company_id) company_id, number, hash from made order by company_id, number desc;
delete from unsealed_transfers;

insert into daily_totals (company_id, plan_year, kind, category, day, change_cents)
  select t.company_id, t.plan_year, a.kind, coalesce(a.category, ''), t.posted_at::date, sum(e.change_cents)
    from transfers t
    cross join lateral (values (t.from_account, -t.amount_cents), (t.to_account, t.amount_cents)) e (account_id, change_cents)
    join accounts a on a.id = e.account_id
    group by 1, 2, 3, 4, 5;
insert into kept_totals (company_id, plan_year, kind, category, balance_cents)
  select company_id, plan_year, kind, category, sum(change_cents) from daily_totals group by 1, 2, 3, 4;
