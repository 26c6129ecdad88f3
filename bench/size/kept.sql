-- Rows that follow from the claims: runs, balances of accounts, and kept totals.
insert into pay_runs (company_id, id, status, cut_off_on, pay_on, made_at, made_by, released_at, released_by, claims, people,
    claims_cents, withheld_cents, paid_cents, without_account, version)
  select m.company_id, m.run_id, case when m.paid_at <= now() then 'released' else 'made' end, m.put_at::date,
      m.paid_at::date, m.put_at, c.maker, case when m.paid_at <= now() then m.paid_at end,
      case when m.paid_at <= now() then c.checker end, count(*), count(distinct m.person_id), sum(m.cents), 0,
      sum(m.cents), 0, case when m.paid_at <= now() then 2 else 1 end
    from size.made m join size.company c on c.n = m.cn
    where m.status = 'approved' and m.put_at <= now()
    group by m.company_id, m.run_id, m.put_at, m.paid_at, c.maker, c.checker;
insert into pay_items (company_id, run_id, person_id, claims, claims_cents, withheld_cents, holder, iban, by_bank)
  select m.company_id, m.run_id, m.person_id, count(*), sum(m.cents), 0,
      case when m.paid_at <= now() then b.holder end, case when m.paid_at <= now() then b.iban end, m.paid_at <= now()
    from size.made m join bank_accounts b on b.person_id = m.person_id
    where m.status = 'approved' and m.put_at <= now()
    group by m.company_id, m.run_id, m.person_id, m.paid_at, b.holder, b.iban;
insert into pay_claims (company_id, run_id, person_id, claim_id, cents)
  select company_id, run_id, person_id, claim_id, cents from size.made
    where status = 'approved' and put_at <= now();

insert into accounts (company_id, plan_year, id, kind, category, person_id, balance_cents)
  overriding system value
  with used as (
    select pn, cat, coalesce(sum(cents) filter (where status in ('approved', 'pending')), 0) as gone,
        coalesce(sum(cents) filter (where status = 'pending'), 0) as held,
        coalesce(sum(cents) filter (where status = 'approved' and (paid_at <= now()) is not true), 0) as payable,
        coalesce(sum(cents) filter (where status = 'approved' and paid_at <= now()), 0) as paid
      from size.made group by pn, cat)
  select p.company_id, p.plan_year, b.accounts + p.pn::bigint * 9 + k.at, k.kind, k.category,
      p.id, case k.kind when 'available' then k.cents - coalesce(u.gone, 0) when 'held' then coalesce(u.held, 0)
        when 'payable' then coalesce(u.payable, 0) else coalesce(u.paid, 0) end
    from size.base b
    cross join size.person p
    cross join (values (0, 0, 'available', 'prevention', 20000), (1, 1, 'available', 'treatment', 70000),
      (2, 2, 'available', 'solidarity', 10000), (3, 0, 'held', 'prevention', 0), (4, 1, 'held', 'treatment', 0),
      (5, 0, 'payable', 'prevention', 0), (6, 1, 'payable', 'treatment', 0), (7, 0, 'paid', 'prevention', 0),
      (8, 1, 'paid', 'treatment', 0)) k (at, cat, kind, category, cents)
    left join used u on u.pn = p.pn and u.cat = k.cat
    where p.active order by p.pn, k.at;
select setval(pg_get_serial_sequence('accounts', 'id'), max(id)) from accounts;

insert into claim_totals
  select company_id, status, category, type_id, count(*), sum(amount_cents), coalesce(sum(approved_cents), 0),
      count(*) filter (where overdue)
    from claims group by 1, 2, 3, 4;
select count(setval(to_regclass('private.claims_of_' || translate(l.company_id::text, '-', '')), l.last))
  from (select company_id, max(claim_id) as last, min(private.next_number('claims', company_id)) from size.made
    group by company_id) l;
select count(setval(to_regclass('private.pay_runs_of_' || translate(l.company_id::text, '-', '')), l.last))
  from (select company_id, max(id) as last, min(private.next_number('pay_runs', company_id)) from pay_runs
    group by company_id) l;
