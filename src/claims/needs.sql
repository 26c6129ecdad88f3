-- Claims that wait for an admin's decision, or for their person.

-- Claims that an admin is to decide on. Appeals, further approvals and claims that name the admin
-- are looked up separately, so that a long queue does not hide them. While a new reviewer counts as
-- one with the giver (counted_with), claims of either stay with the reviewers before them. A need
-- begins with the claim's last event, or with its submission if it has none or was overdue before.
create or replace function private.claim_needs(p profiles, most integer)
returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with found as (
    (select id from claims where company_id = p.company_id and stage = 'first_review'
      order by id limit most)
    union (select id from claims where company_id = p.company_id and stage = 'further_review'
      order by id limit most)
    union (select id from claims where company_id = p.company_id and status = 'pending'
      and attempt > 1 order by id limit most)
    union (select c.id from claims c where c.company_id = p.company_id and c.status = 'pending'
      and c.by_name and p.id = any (named_in_step(p.company_id, (next_step(c)).who,
        (next_step(c)).person_ids) || (next_step(c)).deputy_id)
      order by c.id limit most)),
  waiting as (
    select case when c.stands then 'claim_waits_a_day'
        when c.refusal = 'decided_by_you' then
          case when c.is_owner then 'claim_needs_second_admin' else 'claim_lacks_reviewer' end
        when c.stage = 'further_review' then 'claim_approved_step'
        when c.attempt > 1 then 'claim_appealed'
        when l.event = 'answered' then 'claim_answered' else 'claim_submitted' end as kind,
        c.*, l.at
      from (select rights_given(p.company_id) as given,
          p.id in (select private.holders(p.company_id, 'owner')) as is_owner offset 0) g
        cross join found f
        cross join lateral (select x.id, x.person_id, x.stage, x.attempt,
            coalesce(x.passed_cents, x.amount_cents) as amount_cents, x.submitted_at,
            x.due_at, x.version, x.passed_by, x.awaits_reading,
            x.receipt_agrees and x.suspicion = 0 and bulk_approval_refusal(x) is null as plain,
            g.is_owner, d.refusal,
            d.refusal = 'admin_too_new' and not exists (select from rights_now r
              where r.company_id = p.company_id and r.kind = 'reviewer'
                and claim_refusal_given('approve', x, r.person_id, g.given) is null) as stands
          from claims x cross join lateral (
            select claim_refusal_given('approve', x, p.id, g.given) as refusal offset 0) d
          where x.company_id = p.company_id and x.id = f.id limit 1) c
        left join lateral (select e.event, e.at from claim_events e
          where c.version > 1 and e.company_id = p.company_id and e.claim_id = c.id
            and e.event in ('answered', 'appealed', 'approved_step') and e.undone_at is null
          order by e.number desc limit 1) l on true
      where not c.awaits_reading and c.stage <> 'information_asked'
        and (c.refusal is null or c.stands or c.refusal = 'decided_by_you'
          and not another_holder('reviewer', p.company_id,
            variadic c.passed_by || c.person_id)))
  select t.kind, 1, t.id, t.person_id, null::uuid,
      case when t.kind = 'claim_submitted' and t.plain then t.version end,
      t.amount_cents, case when t.at <= coalesce(t.due_at, t.at) then t.at else t.submitted_at end,
      t.due_at, case t.kind when 'claim_needs_second_admin' then '/dashboard/settings#rights'
        else '/dashboard/claims/' || t.id end
    from waiting t
$$;

-- A person's own needs; of their claims the latest two hundred are looked at.
create or replace function private.own_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with mine as materialized (
    select * from claims c where c.company_id = p.company_id and c.person_id = p.id
      order by c.id desc limit 200)
  select 'question_asked', 1, c.id, null::uuid, null::uuid, null::integer, c.amount_cents,
      c.asked_at, c.asked_at + private.time_to_answer(), '/dashboard/my-claims/' || c.id
    from mine c where c.stage = 'information_asked'
  union all
  select 'account_missing', count(*)::integer, null, null, null, null,
      sum(c.approved_cents)::bigint, min(c.reviewed_at), null, '/dashboard/my-claims'
    from mine c where private.awaits_payout(c.payment) and not exists (select
      from bank_accounts b where b.company_id = p.company_id and b.person_id = p.id)
    having count(*) > 0
  union all
  select 'payment_returned', 1, null, null, null, null, sum(i.paid_cents)::bigint,
      max(i.returned_at), null, '/dashboard/my-claims'
    from pay_items i join bank_accounts b on b.company_id = p.company_id and b.person_id = p.id
    where i.company_id = p.company_id and i.person_id = p.id and i.returned_at > b.changed_at
      and i.by_bank
      -- A claim's payment may have come back more than once: the last one counts.
      and i.run_id in (select (select max(k.run_id) from pay_claims k
          join pay_items r on r.company_id = k.company_id and r.run_id = k.run_id
            and r.person_id = k.person_id and r.returned_at is not null
          where k.company_id = p.company_id and k.claim_id = c.id)
        from mine c where c.payment = 'returned') having count(*) > 0
  union all
  select 'appeal_ends', 1, c.id, null, null, null, c.amount_cents, c.reviewed_at,
      (appeal_ends_on(c::claims) + 1)::timestamp at time zone o.time_zone,
      '/dashboard/my-claims/' || c.id
    from mine c join companies o on o.id = c.company_id
    where c.status = 'rejected' and claim_refusal('appeal', c::claims, p.id) is null
      and appeal_ends_on(c::claims) < company_today(c.company_id) + 14
$$;
