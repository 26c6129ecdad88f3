-- The events of claims, and their money.
insert into claim_events (company_id, claim_id, number, event, at, by_id, by_role, reason, amount_cents, trace)
  select company_id, claim_id, no,
      case no when 1 then 'submitted' when 3 then 'put_in_run' when 4 then 'paid'
        else case when automatic then 'approved_by_policy' else status end end, at,
      case when no = 1 or status = 'withdrawn' then person_id when no = 2 and automatic then null
        when no = 4 then checker else maker end,
      case when no = 1 or status = 'withdrawn' then 'employee' when no = 2 and automatic then 'system'
        else 'company_admin' end,
      case when no = 2 and status = 'rejected' then 'not_covered' end,
      case when no in (1, 4) or no = 2 and status = 'approved' then cents end,
      case no when 1 then regexp_replace(format('[
        {"rule":"amount_and_bill","outcome":"fine","facts":{"bill_cents":%1$s,"amount_cents":%1$s}},
        {"rule":"type_of_claim","outcome":"fine","facts":{"type":"%2$s"}},
        {"rule":"for_oneself","outcome":"fine","facts":{}},
        {"rule":"service_date","outcome":"fine","facts":{"today":"%3$s","service_on":"%3$s"}},
        {"rule":"plan_year","outcome":"fine","facts":{"plan_year":"%4$s"}},
        {"rule":"employment","outcome":"fine","facts":{"service_on":"%3$s"}},
        {"rule":"filing_deadline","outcome":"fine","facts":{"today":"%3$s","filing_ends_on":"%5$s"}},
        {"rule":"available_balance","outcome":"fine","facts":{"left_cents":%6$s,"amount_cents":%1$s}},
        {"rule":"receipt","outcome":"fine","facts":{"receipts":1,"receipt_above_cents":2500}},
        {"rule":"automatic_limit","outcome":"%7$s","facts":{"amount_cents":%1$s,"auto_approve_cents":5000}},
        {"rule":"receipt_match","outcome":"fine","facts":{"found":"agrees","read_on":"%3$s",
          "bill_cents":%1$s,"service_on":"%3$s","read_amount_cents":%1$s}},
        {"rule":"duplicates","outcome":"fine","facts":{"alike":false}},
        {"rule":"automatic_this_month","outcome":"fine","facts":{"at_most":4,"this_month":0}},
        {"rule":"spot_check","outcome":"fine","facts":{"below":5,"spot_check_draw":%8$s}},
        {"rule":"approvals_needed","facts":{"approvers":1},"outcome":"human"}]',
        cents, type_name, sent_at::date, plan_year, plan_year + 455, full_cents - used_cents,
        case when cents > 5000 then 'human' else 'fine' end, g / 7 % 100), '\n *', '', 'g')::json end
    from size.step cross join lateral (select case cat when 0 then 20000 else 70000 end as full_cents) f
    order by place;

insert into transfers (company_id, plan_year, from_account, to_account, amount_cents, from_balance_cents,
    to_balance_cents, event, cause, claim_id, run_id, person_id, actor_id, occurred_on, posted_at)
  select company_id, plan_year, available + from_at, available + to_at, cents, from_cents, to_cents, event,
      event || ' claim ' || claim_id || case no when 4 then ' run ' || run_id else ' 1' end, claim_id,
      case no when 4 then run_id end, person_id,
      case when no = 1 or status = 'withdrawn' then person_id when no = 4 then checker when not automatic then maker end,
      at::date, at
    from size.step cross join lateral (select case cat when 0 then 20000 else 70000 end as full_cents) f
    -- A person's nine accounts: three available, then held, payable and paid of two categories.
    join (values (1, '', 'claim_held', 0, 3), (2, 'approved', 'claim_approved', 3, 5),
        (2, 'released', 'claim_released', 3, 0), (4, '', 'claim_paid', 5, 7)) k (at_no, fate, event, from_at, to_at)
      on k.at_no = no and (no <> 2 or k.fate = case status when 'approved' then 'approved' else 'released' end)
    cross join lateral (select case no when 1 then full_cents - used_cents - cents else 0 end as from_cents,
      case when no = 4 then used_cents + cents when k.fate = 'released' then full_cents - used_cents else cents end
        as to_cents) b
    order by place;
