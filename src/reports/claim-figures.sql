-- Claim reports: what was claimed and decided in a period, by what, in how many working days.
-- Read-only, so a standby answers them as well.

-- People whose claims stand behind what is used and held, and behind what is paid, still payable
-- and overpaid.
create or replace function private.report_claimants(company uuid, from_on date, to_on date)
  returns table (company_id uuid, currency text, category text, person_id uuid, used numeric,
    held numeric, payable numeric, paid numeric, overpaid numeric)
language sql stable
begin atomic
  with scope as materialized (select * from private.report_scope(company, from_on, to_on))
  select s.company_id, s.currency, o.category, t.person_id,
      sum(t.amount_cents * ((o.kind = any (used_kinds()))::int
        - (f.kind = any (used_kinds()))::int)),
      sum(t.amount_cents * ((o.kind = 'held')::int - (f.kind = 'held')::int)),
      sum(t.amount_cents * ((o.kind = 'payable')::int - (f.kind = 'payable')::int)),
      sum(t.amount_cents * ((o.kind = 'paid')::int - (f.kind = 'paid')::int)),
      sum(t.amount_cents * ((o.kind = 'overpaid')::int - (f.kind = 'overpaid')::int))
    from scope s
    join transfers t on t.company_id = s.company_id and t.plan_year = s.plan_year
    join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
      and f.id = t.from_account
    join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
      and o.id = t.to_account
    where t.posted_at < s.ended_at and t.event in ('claim_held', 'claim_appealed',
      'claim_released', 'release_undone', 'claim_approved', 'claim_undone',
      'claim_reversed', 'claim_paid', 'payment_returned', 'overpaid_recovered',
      'overpaid_paid_back', 'overpaid_written_off', 'written_off_returned')
    group by 1, 2, 3, 4;
end;

-- A decision takes working days since the claim was submitted, less those in which its employee was
-- asked. The claim has those, except for a decision that was appealed, as the claim then counts all
-- days until the appeal: for that one its events have them. Null if the claim has them.
create or replace function private.days_awaited_until(company uuid, claim bigint, decision integer,
  zone text, days_off date[]) returns double precision
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if not exists (select from claim_events a where a.company_id = company and a.claim_id = claim
      and a.event = 'appealed' and a.number > decision) then
    return null;
  end if;
  return (select coalesce(sum(working_days(e.at, zone, days_off)
      - working_days(q.at, zone, days_off)), 0)
    from claim_events e
    cross join lateral (select x.at from claim_events x where x.company_id = e.company_id
      and x.claim_id = e.claim_id and x.event = 'asked' and x.number < e.number
      order by x.number desc limit 1) q
    where e.company_id = company and e.claim_id = claim
      and e.event in ('answered', 'question_withdrawn') and e.number < decision);
end $$;

-- Claims made and decided in the period, per person and type.
create or replace function private.report_claims(company uuid, from_on date, to_on date)
  returns table (company_id uuid, currency text, month date, category text, type_name text,
    person_id uuid, claimed integer, claimed_cents bigint, approved integer, approved_cents bigint,
    rejected integer, automatic integer, reviewed integer, days double precision, in_time integer)
language sql stable
begin atomic
  with scope as materialized (
    select s.*, private.days_off(s.company_id) as days_off
      from private.report_scope(company, from_on, to_on) s),
  happened as materialized (
    select e.*, s.currency, s.time_zone, s.days_off,
        date_trunc('month', e.at at time zone s.time_zone)::date as month
      from claim_events e join scope s on s.company_id = e.company_id
      where e.at >= from_on::timestamptz - interval '1 day'
        and e.at < to_on::timestamptz + interval '2 days'
        and e.at >= s.began_at and e.at < s.ended_at
        and e.undone_at is null
        and e.event in ('submitted', 'approved', 'approved_by_policy', 'rejected'))
  select h.company_id, h.currency, h.month, c.category::text, c.type_name, c.person_id,
      count(*) filter (where h.event = 'submitted')::int,
      coalesce(sum(c.amount_cents) filter (where h.event = 'submitted'), 0)::bigint,
      count(*) filter (where h.event in ('approved', 'approved_by_policy'))::int,
      coalesce(sum(h.amount_cents) filter (where h.event in ('approved', 'approved_by_policy')),
        0)::bigint,
      count(*) filter (where h.event = 'rejected')::int,
      count(*) filter (where h.event = 'approved_by_policy')::int,
      count(*) filter (where h.event in ('approved', 'rejected'))::int,
      coalesce(sum(d.days), 0),
      count(*) filter (where d.days <= p.review_days)::int
    from happened h
    join claims c on c.company_id = h.company_id and c.id = h.claim_id
    join claim_policies p on p.company_id = c.company_id and p.version = c.policy_version
    left join lateral (select greatest(0, working_days(h.at, h.time_zone, h.days_off)
        - working_days(c.submitted_at, h.time_zone, h.days_off)
        - coalesce(case when c.attempt > 1 then private.days_awaited_until(c.company_id, c.id,
          h.number, h.time_zone, h.days_off) end, c.awaited_days)) as days
      where h.event in ('approved', 'rejected')) d on true
    group by 1, 2, 3, 4, 5, 6;
end;

-- The present outcome of claims first submitted in the period. An appealed rest counts as submitted
-- with its claim.
create or replace function private.report_outcomes(company uuid, from_on date, to_on date)
  returns table (currency text, category text, person_id uuid, outcome text, claims bigint,
    cents bigint)
language sql stable
begin atomic
  with scope as materialized (select * from private.report_scope(company, from_on, to_on))
  select s.currency, c.category::text, c.person_id,
      case when c.status = 'approved' then c.payment::text else c.status::text end,
      count(*), sum(c.amount_cents)::bigint
    from claims c join scope s on s.company_id = c.company_id
    where c.submitted_at >= s.began_at and c.submitted_at < s.ended_at and c.appeal_of is null
    group by 1, 2, 3, 4;
end;
