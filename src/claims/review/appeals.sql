-- Appeals of what was rejected or approved in part, and reversals of approvals.

-- Appeals once, until `appeal_ends_on`, and only with the money still there. A rejected claim waits
-- for another decision, with its amount on hold again. The rest of a claim approved in part becomes
-- a claim of its own, while the approved part stays approved and is paid. The verdict is that of
-- the limits; its `claim` names the claim that is appealed.
create or replace function appeal_claim(text text, receipts uuid[], verdict text, trace text,
  seal bytea) returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare c claims := private.lock_own_claim('appeal', (private.sealed_verdict(verdict, trace, seal)
  -> 'claim' ->> 'appeals')::bigint);
begin
  perform private.check_receipts(c, receipts, receipts || array(select r.id from receipts r
    where r.company_id = c.company_id and r.claim_id = c.id));
  c := case c.status when 'approved' then private.appeal_rest(c, receipts)
    else private.appeal_rejection(c, receipts) end;
  perform attach_receipts(c.company_id, c.person_id, receipts, c.id);
  perform private.move_money(c, 'appeal', c.amount_cents, c.person_id),
    private.note_event(c, 'appealed', c.person_id, text, jsonb_build_object('amount_cents', case
      when c.appeal_of is not null then c.amount_cents end)),
    private.notify_reviewers('claim_appealed', c);
  if cardinality(receipts) > 0 and c.appeal_of is null then
    perform private.evaluate_soon('claims:reconsider', c.company_id, c.id);
  end if;
  return next c;
end $$;

create or replace function private.appeal_rejection(c claims, receipts uuid[]) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  -- the days before the appeal count as awaited, so the appeal has the whole time for a decision
  awaited double precision := c.awaited_days + (select claim_age(c.submitted_at, null,
      c.awaited_days, o.time_zone, private.days_off(o.id))
    from companies o where o.id = c.company_id);
begin
  update claims x set status = 'pending', stage = 'first_review', attempt = 2, passed_by = '{}',
      lines = private.lines_claimed(x.lines, x.amount_cents), passed_cents = null,
      reviewed_by = null, reviewed_at = null, version = x.version + 1,
      due_at = private.review_due(x.company_id, x.policy_version, x.submitted_at, awaited,
        (x.steps[1]).days),
      receipts = x.receipts + cardinality(appeal_rejection.receipts),
      suspicion = greatest(x.suspicion,
        private.highest_duplicate_score(x, appeal_rejection.receipts)),
      awaited_days = awaited, reminded = 0
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  return c;
end $$;

-- The reviewer who approved less doesn't decide on the rest if somebody else can. The rest passes
-- the steps of the whole bill: claimed in parts it needs no fewer approvals.
create or replace function private.appeal_rest(c claims, receipts uuid[]) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare n claims;
begin
  update claims x set attempt = 2, version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  perform private.note_event(c, 'rest_appealed', c.person_id, null,
    jsonb_build_object('amount_cents', c.amount_cents - c.approved_cents));
  n := c;
  n.amount_cents := c.amount_cents - c.approved_cents;
  n.steps := private.steps_for_rest(c.steps, c.approved_cents);
  perform private.lock_numbers(c.company_id, false);
  insert into claims (company_id, person_id, dependent_id, for_whom, category, type_id, type_name,
      provider, service_on, plan_year, bill_cents, amount_cents, note, receipts, stage, attempt,
      policy_version, spot_check_draw, suspicion, due_at, rejected_by, appeal_of, steps, by_name,
      of_manager, lines)
    values (c.company_id, c.person_id, c.dependent_id, c.for_whom, c.category, c.type_id,
      c.type_name, c.provider, c.service_on, c.plan_year, c.bill_cents, n.amount_cents, c.note,
      cardinality(receipts), 'first_review', 2, c.policy_version, c.spot_check_draw,
      greatest(c.suspicion, private.highest_duplicate_score(c, receipts)),
      private.review_due(c.company_id, c.policy_version, now(), 0, (n.steps[1]).days),
      c.reviewed_by, c.id, n.steps, private.has_named_steps(n.steps),
      private.is_manager(c.person_id),
      private.lines_left(c.lines))
    returning * into n;
  return n;
end $$;

-- Reverses an approval. Before payment the money is available again; after it the person owes it,
-- and their next payouts are lower.
create or replace function reverse_claim(claim bigint, expected_version integer, text text)
returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me uuid := actor_id();
  c claims := private.lock_reviewed_claim('reverse', claim, expected_version);
  was_paid boolean := c.payment = 'paid';
begin
  update claims x set payment = 'reversed', version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  -- A reversed claim has no payment, so its block is removed.
  update payment_blocks b set removed_at = now(), removed_by = me
    where b.company_id = c.company_id and b.claim_id = c.id and b.removed_at is null;
  perform private.move_money(c, case when was_paid then 'reverse_paid' else 'reverse' end,
    c.approved_cents, me),
    private.note_event(c, 'reversed', me, text, jsonb_build_object('amount_cents',
      c.approved_cents)),
    private.notify_claimant(c, 'claim_reversed');
  return next c;
end $$;

grant execute on function appeal_claim, reverse_claim to healthfund_request;
