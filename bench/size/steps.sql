-- Events of claims from one moment to another, in order of time: everything written of them follows from it.
drop table if exists size.step;
create unlogged table size.step as
with near as materialized (
  select m.*, (m.put_at <= now()) is true as is_put, (m.paid_at <= now()) is true as is_paid
    from size.made m
    where m.sent_at >= current_setting('size.from')::timestamptz - interval '45 days'
      and m.sent_at < current_setting('size.until')::timestamptz)
select (row_number() over (order by s.at, n.cn, n.claim_id, s.no))::bigint as place, s.no, s.at, n.*, c.maker, c.checker,
    b.accounts + n.pn::bigint * 9 + n.cat as available, md5(n.company_id || ' ' || n.claim_id)::uuid as receipt_id
  from size.base b
  cross join near n
  join size.company c on c.n = n.cn
  cross join lateral (values (1, n.sent_at, true), (2, n.answered_at, n.status <> 'pending'),
    (3, n.put_at, n.is_put), (4, n.paid_at, n.is_paid)) s (no, at, is_so)
  where s.is_so and s.at >= current_setting('size.from')::timestamptz
    and s.at < current_setting('size.until')::timestamptz;

create unlogged table if not exists size.item as
select place, no, at, company_id, run_id, person_id, maker, 0 as claims, cents from size.step limit 0;
truncate size.item;
insert into size.item
  select min(place), no, at, company_id, run_id, person_id, maker, count(*), sum(cents)
    from size.step where no in (3, 4) group by company_id, run_id, no, at, person_id, maker;
analyze size.step, size.item;
