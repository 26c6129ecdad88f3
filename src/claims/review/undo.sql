-- Undoing a decision: the claim and its money are as they were before.

-- Columns that a decision changes. `awaits_reading` is not among them: a person has looked at the
-- claim, so it no longer waits for a reading.
create or replace function private.columns_to_undo(c claims) returns jsonb
language sql immutable
return jsonb_build_object('status', c.status, 'stage', c.stage, 'payment', c.payment,
  'approved_cents', c.approved_cents, 'passed_by', c.passed_by,
  'passed_cents', c.passed_cents, 'lines', c.lines,
  'rejected_by', c.rejected_by, 'reviewed_by', c.reviewed_by, 'reviewed_at', c.reviewed_at,
  'due_at', c.due_at, 'overdue', c.overdue, 'reminded', c.reminded, 'asked_at', c.asked_at);

create or replace function private.allow_undo_claim(c claims, before jsonb,
  notice text) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select private.allow_undo(c.company_id, 'claim ' || c.id, c.version, before, notice)
$$;

create or replace function undo_claim(claim bigint) returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  me constant uuid := actor_id();
  d private.decisions;
  was claims; -- decided
  now_is claims;
begin
  select * into was from claims x where x.company_id = actor_company() and x.id = claim
      and actor_has('reviewer') for no key update;
  if not found then perform private.refuse('not_found'); end if;
  d := private.undo(was.company_id, 'claim ' || was.id);
  perform private.refuse(coalesce(claim_refusal('undo', was, me),
    case when was.version <> d.version then 'changed_meanwhile' end));
  now_is := jsonb_populate_record(was, d.before);
  update claims x set status = now_is.status, stage = now_is.stage, payment = now_is.payment,
      approved_cents = now_is.approved_cents, passed_by = now_is.passed_by,
      passed_cents = now_is.passed_cents, lines = now_is.lines, rejected_by = now_is.rejected_by,
      reviewed_by = now_is.reviewed_by, reviewed_at = now_is.reviewed_at, due_at = now_is.due_at,
      overdue = now_is.overdue, reminded = now_is.reminded, asked_at = now_is.asked_at,
      version = x.version + 1, undone = x.undone + 1
    where x.company_id = was.company_id and x.id = was.id returning * into now_is;
  update claim_events e set undone_at = now()
    where e.company_id = was.company_id and e.claim_id = was.id and e.number = was.version;
  if was.status = 'approved' then
    perform private.move_money(now_is, 'undo', was.approved_cents, me);
  end if;
  if was.status <> 'pending' and was.amount_cents > coalesce(was.approved_cents, 0) then
    perform private.hold_again(now_is, was.amount_cents - coalesce(was.approved_cents, 0));
  end if;
  perform publish('admins:' || was.company_id);
  return next now_is;
end $$;

-- The person may have used the money that the decision released.
create or replace function private.hold_again(c claims, cents bigint) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.move_money(c, 'hold_again', cents, actor_id());
exception when check_violation then
  perform private.refuse('undo_money_used');
end $$;

grant execute on function undo_claim to healthfund_request;
