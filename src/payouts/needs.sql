-- Money that is to go out.

create or replace function private.pay_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'pay_run_made', 1, r.id, null::uuid, null::uuid, null::integer, r.paid_cents, r.made_at,
      r.pay_on::timestamp at time zone o.time_zone, '/dashboard/claims/payouts?payout=' || r.id
    from pay_runs r join companies o on o.id = r.company_id
    where r.company_id = p.company_id and r.status = 'made'
      and run_refusal('release', r, p.id) is null
  union all
  -- A payout is to be made once a claim has been payable for a week, by its approval or its
  -- returned payment; the first payout at once. The line counts all claims that the payout would
  -- have. With no claim it counts people to whom withheld money is owed back.
  select case when c.claims > 0 then 'payout_to_make' else 'withheld_to_give_back' end,
      coalesce(nullif(c.claims, 0), o.people)::integer, null, null, null, null, null,
      least(c.since, o.since), null, '/dashboard/claims/payouts'
    from (select count(*) as claims, min(n.waits_since) as since
        from (select t.waits_since from private.payable_claims(p.company_id) t
          where not t.left_out order by t.reviewed_at limit 100) n) c
      cross join (select count(*) as people, min(b.returned_at) as since
        from private.payable_parts(p.company_id, '{}') k
        cross join lateral (select max(i.returned_at) as returned_at from pay_items i
          where i.company_id = p.company_id and i.person_id = k.person_id) b) o
    where least(c.since, o.since) < now() - interval '7 days'
      or c.claims > 0 and not private.has_paid(p.company_id)
  union all
  select 'overpayment', 1, null, l.id, l.id, null, sum(o.cents)::bigint, null, null,
      '/dashboard/claims/payouts'
    from (select distinct d.id from accounts a join profiles d on d.id = a.person_id
        where a.company_id = p.company_id and a.kind = 'overpaid' and a.balance_cents > 0
          and d.has_left and d.id <> p.id) l
      cross join lateral private.overpayments_of(p.company_id, l.id) o group by l.id
  union all
  -- The bank file needs the company's account: at first as soon as there is a claim to pay or a
  -- payout to release, later when a payout pays somebody by bank. A company may pay all by payroll.
  select 'company_account', 1, null, null, null, null, null, null, null,
      '/dashboard/claims/payouts'
    where not exists (select from company_accounts a where a.company_id = p.company_id)
      and (not private.has_paid(p.company_id)
          and (exists (select from claims c where c.company_id = p.company_id
              and private.awaits_payout(c.payment))
            or exists (select from pay_runs r where r.company_id = p.company_id
              and r.status = 'made'))
        or exists (select from pay_runs r join pay_items i on i.company_id = r.company_id
            and i.run_id = r.id and i.by_bank and i.paid_cents > 0 and i.returned_at is null
            and i.iban_end is not null
          where r.company_id = p.company_id and r.status = 'released'
            and r.without_account < r.people))
$$;
