-- Questions to the employee about a claim, their answers, and withdrawing a question.

create or replace function ask_about_claim(claim bigint, expected_version integer, text text)
  returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  c claims := private.lock_reviewed_claim('ask', claim, expected_version);
  before jsonb := private.columns_to_undo(c);
begin
  update claims x set stage = 'information_asked', asked_at = now(), due_at = null, overdue = false,
      version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  perform private.note_event(c, 'asked', actor_id(), text),
    private.allow_undo_claim(c, before, 'question_asked');
  return next c;
end $$;

-- Gives the claim back to its reviewers, with as much time as they had left when they asked. A step
-- with days of its own has all of them again. A claim that was overdue still is.
create or replace function private.resume_review(c claims, receipts uuid[]) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  zone text := (select time_zone from companies where id = c.company_id);
  off date[] := private.days_off(c.company_id);
  awaited double precision := c.awaited_days + working_days(now(), zone, off)
    - working_days(c.asked_at, zone, off);
  due constant timestamptz := private.review_due(c.company_id, c.policy_version, c.submitted_at,
    awaited, (next_step(c)).days);
begin
  update claims x set asked_at = null, awaited_days = awaited,
      stage = case when x.passed_by = '{}' then 'first_review' else 'further_review' end,
      due_at = due, overdue = due < now(), version = x.version + 1,
      receipts = x.receipts + cardinality(resume_review.receipts),
      suspicion = greatest(x.suspicion,
        private.highest_duplicate_score(x, resume_review.receipts))
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  return c;
end $$;

create or replace function answer_claim(claim bigint, text text, receipts uuid[])
  returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare c claims := private.lock_own_claim('answer', claim);
begin
  perform private.check_receipts(c, receipts, receipts);
  perform attach_receipts(c.company_id, c.person_id, receipts, c.id);
  c := private.resume_review(c, receipts);
  perform private.note_event(c, 'answered', c.person_id, text),
    private.notify_reviewers('claim_answered', c);
  if cardinality(receipts) > 0 then
    perform private.evaluate_soon('claims:reconsider', c.company_id, c.id);
  end if;
  return next c;
end $$;

-- Withdraws a question that was a mistake, or that nobody will answer: reviewers may decide without
-- an answer.
create or replace function withdraw_question(claim bigint, expected_version integer)
returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare c claims := private.lock_reviewed_claim('withdraw_question', claim, expected_version);
begin
  c := private.resume_review(c, '{}');
  perform private.note_event(c, 'question_withdrawn', actor_id()),
    publish('person:' || c.person_id);
  return next c;
end $$;

-- Checks further receipts of a claim. None of `looked_at` may belong to another claim that still
-- counts.
create or replace function private.check_receipts(c claims, receipts uuid[], looked_at uuid[])
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.refuse(case
    when c.receipts + cardinality(receipts) > private.claim_receipts_max() then 'too_many_receipts'
    when cardinality(receipts) > (select count(distinct r) from unnest(receipts) r)
      then 'receipt_used' end);
  if cardinality(looked_at) > 0 and exists (
    select from receipt_duplicates(c.company_id, c.person_id,
    looked_at) t
      join claims x on x.company_id = c.company_id and x.id = t.claim_id
      where t.own and t.same_file and x.id <> c.id
        and private.still_counts(x.status, x.payment)) then
    perform private.refuse('receipt_used');
  end if;
end $$;

create or replace function private.highest_duplicate_score(c claims, receipts uuid[])
returns integer
language sql stable
return case when cardinality(receipts) = 0 then 0 else coalesce((
  select max((t ->> 'score')::integer)
    from json_array_elements(
      private.claim_duplicates(c.company_id, c.person_id, c.id, receipts)) t),
      0) end;

grant execute on function ask_about_claim, answer_claim, withdraw_question to healthfund_request;
