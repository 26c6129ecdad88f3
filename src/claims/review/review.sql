-- Deciding on a claim: approve, reject.

-- Locks a claim of the admin's company for an act, in the version that the admin saw; otherwise
-- raises why not.
create or replace function private.lock_reviewed_claim(act text, claim bigint,
  expected_version integer)
returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare c claims;
begin
  select * into c from claims x where x.company_id = actor_company() and x.id = claim
    and actor_has('reviewer') for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(coalesce(claim_refusal(act, c, actor_id()),
      case when c.version <> expected_version then 'changed_meanwhile' end)),
    private.end_undo(c.company_id, 'claim ' || c.id), publish('admins:' || c.company_id);
  return c;
end $$;

-- Approves all of a claim, or a part with the reason; a claim with lines, line by line. If it needs
-- further approvals it waits for another reviewer, who may lower the amount and never raise it.
create or replace function approve_claim(claim bigint, expected_version integer,
  amount_cents bigint, text text, lines jsonb)
returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me uuid := actor_id();
  c claims := private.lock_reviewed_claim('approve', claim, expected_version);
  before jsonb := private.columns_to_undo(c);
  cents bigint := coalesce(approve_claim.amount_cents, c.passed_cents, c.amount_cents);
  held bigint := c.amount_cents;
begin
  if lines is not null or amount_cents is not null and c.lines <> '{}' then
    c.lines := private.lines_decided(c.lines, lines, amount_cents);
    cents := private.lines_approved_cents(c.lines);
  end if;
  perform private.check_approved(cents, c.amount_cents, c.passed_cents,
      text is not null or lines is not null),
    private.refuse(case when cents < 1 then 'approved_nothing' else limit_refusal(c, cents) end);
  if another_step_follows(c.steps, c.passed_by) then
    c := private.approve_step(c, me, cents);
    perform private.note_event(c, 'approved_step', me, text,
      jsonb_build_object('amount_cents', cents)),
      private.allow_undo_claim(c, before, 'claim_approved_step');
    return next c;
    return;
  end if;
  update claims x set status = 'approved', stage = null, payment = 'unpaid', approved_cents = cents,
      lines = c.lines, reviewed_by = me, reviewed_at = now(), due_at = null, overdue = false,
      awaits_reading = false, version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  if cents < held then
    perform private.move_money(c, 'release', held - cents, me);
  end if;
  perform private.move_money(c, 'approve', cents, me),
    private.note_event(c, 'approved', me, text, jsonb_build_object('amount_cents', cents)),
    private.allow_undo_claim(c, before, case when cents < held then 'claim_approved_in_part'
      else 'claim_approved' end);
  return next c;
end $$;

-- Approves the current step. Days and reminders of a step's own end and begin with the step.
create or replace function private.approve_step(c claims, by_id uuid, cents bigint) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  days constant double precision := ((steps_to_come(c.steps, c.passed_by))[2]).days;
  due constant timestamptz := private.review_due(c.company_id, c.policy_version, c.submitted_at,
    c.awaited_days, days);
begin
  update claims x set stage = 'further_review', passed_by = x.passed_by || approve_step.by_id,
      passed_cents = cents, lines = c.lines, awaits_reading = false, due_at = due,
      overdue = x.overdue and due < now(), version = x.version + 1,
      reminded = case when coalesce((next_step(c)).days, days) is null then x.reminded else 0 end
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  return c;
end $$;

create or replace function reject_claim(claim bigint, expected_version integer, reason text,
  text text) returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me uuid := actor_id();
  c claims := private.lock_reviewed_claim('reject', claim, expected_version);
  before jsonb := private.columns_to_undo(c);
begin
  update claims x set status = 'rejected', stage = null, rejected_by = me, reviewed_by = me,
      reviewed_at = now(), due_at = null, overdue = false, awaits_reading = false,
      version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  perform private.end_hold(c),
    private.note_event(c, 'rejected', me, text, jsonb_build_object('reason', reason)),
    private.allow_undo_claim(c, before, 'claim_rejected');
  return next c;
end $$;

grant execute on function approve_claim, reject_claim to healthfund_request;
