-- Sending a claim, and withdrawing it.

-- `by_id` is the actor in an act, null for the system. `details`: reason, amount_cents.
create or replace function private.note_event(c claims, event text, by_id uuid,
  text text default null,
  details jsonb default '{}') returns void
language sql
begin atomic
  -- Some events must say why, as the other side reads it.
  select private.refuse(case when note_event.event in ('rejected', 'asked', 'answered', 'appealed',
        'reversed') and note_event.text is null
      or note_event.event = 'rejected' and details ->> 'reason' is null then 'invalid_input' end);
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role, text, reason,
      amount_cents)
    values (c.company_id, c.id, c.version, note_event.event, note_event.by_id,
      case when note_event.by_id is null then 'system' else actor_role() end, note_event.text,
      details ->> 'reason', (details -> 'amount_cents')::bigint);
end;

-- When a review is due: the policy's working days after the submission, and those that the
-- reviewers did not have the claim. A step with days of its own has all of them from now on.
-- PL/pgSQL plans the query once per session, and every submission asks.
create or replace function private.review_due(company uuid, policy integer,
  submitted_at timestamptz, awaited_days double precision, step_days double precision)
returns timestamptz
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
begin
  if step_days is not null then return private.step_due(company, step_days); end if;
  return (select private.after_working_days(review_due.submitted_at,
      review_due.awaited_days + p.review_days, o.time_zone, private.days_off(o.id))
    from claim_policies p, companies o
    where p.company_id = company and p.version = policy and o.id = company);
end $$;

-- Held by each submission from before its claim has a number until it is committed. A system that
-- reads claims by number waits for it, so that no lower number appears after it has read a higher
-- one.
create or replace function private.lock_numbers(company uuid, reads boolean) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  place constant integer := hashtext('numbers of claims');
  theirs constant integer := hashtext(company::text);
begin
  if reads then perform pg_advisory_xact_lock(place, theirs);
  else perform pg_advisory_xact_lock_shared(place, theirs);
  end if;
end $$;

-- A verdict of the rules on a claim, sealed by the server (verdicts.server.ts) for this transaction
-- and this actor: nobody who can run SQL as the request login can decide on a claim of their own.
create or replace function private.sealed_verdict(verdict text, trace text, seal bytea)
returns jsonb
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare v jsonb := verdict;
begin
  -- A missing part makes the hash null, and the comparison with it.
  if (seal = sha256((select s.verdict_key from private.secret s)
        || sha256(convert_to(verdict, 'UTF8')) || sha256(convert_to(trace, 'UTF8')))) is not true
      or (v ->> 'by')::uuid is distinct from actor_id()
      or v ->> 'within' is distinct from concat_ws(' ', pg_backend_pid(),
        extract(epoch from now())) then
    raise exception 'this verdict does not come from the rules' using errcode = '42501';
  end if;
  return v;
end $$;

-- Submits a claim by a verdict. Its `claim` has the person's fields, and the policy version and
-- plan year that the rules used; it is refused if those, or the category of its type, have changed
-- since. Its `decision` is {automatic, awaits_reading, receipt_agrees, spot_check_draw, suspicion,
-- alike}. The trace is kept as it comes. approve_by_policy checks an automatic approval once more.
create or replace function submit_claim(verdict text, trace text, seal bytea) returns claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  v constant jsonb := private.sealed_verdict(verdict, trace, seal);
  decision constant jsonb := v -> 'decision';
  receipts constant uuid[] := v ->> 'receipts';
  company constant uuid := actor_company();
  person constant uuid := actor_id();
  n claims := jsonb_populate_record(null::claims, v -> 'claim');
  c claims;
begin
  perform private.require_role('employee');
  n.company_id := company;
  n.person_id := person;
  n.steps := private.steps_of(n, n.policy_version);
  select t.name, private.review_due(company, p.version, now(), 0, (n.steps[1]).days)
    into n.type_name, n.due_at
    from private.policy_in_force(company) p
      join claim_types t on t.company_id = company and t.id = n.type_id
      join plan_years y on y.company_id = company and y.starts_on = n.plan_year
    where p.version = n.policy_version and t.category = n.category
      and n.service_on between y.starts_on and y.ends_on;
  if not found then perform private.refuse('changed_meanwhile'); end if;
  perform private.lock_numbers(company, false);
  insert into claims (company_id, person_id, dependent_id, for_whom, category, type_id, type_name,
      provider, service_on, plan_year, bill_cents, amount_cents, note, receipts, stage,
      policy_version, spot_check_draw, awaits_reading, receipt_agrees, suspicion, due_at, steps,
      by_name, of_manager, lines)
    values (company, person, n.dependent_id, n.for_whom, n.category, n.type_id, n.type_name,
      n.provider, n.service_on, n.plan_year, n.bill_cents, n.amount_cents, n.note,
      cardinality(receipts), 'first_review', n.policy_version,
      (decision -> 'spot_check_draw')::smallint, (decision -> 'awaits_reading')::boolean,
      (decision -> 'receipt_agrees')::boolean, (decision -> 'suspicion')::smallint, n.due_at,
      n.steps, private.has_named_steps(n.steps), private.is_manager(person),
      private.lines_claimed(n.lines, n.amount_cents))
    returning * into c;
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role, amount_cents,
      trace)
    values (company, c.id, 1, 'submitted', person, 'employee', c.amount_cents,
      submit_claim.trace::json);
  if cardinality(receipts) > 0 then
    perform attach_receipts(company, person, receipts, c.id);
  end if;
  perform private.move_money(c, 'hold', c.amount_cents, person);
  if c.suspicion > 0 then perform private.mark_duplicates(c, receipts, decision -> 'alike'); end if;
  if (decision -> 'automatic')::boolean then c := private.approve_by_policy(c);
  elsif not c.awaits_reading and not private.reviewers_know(company) then
    perform private.notify_reviewers('claim_submitted', c);
  end if;
  perform publish('person:' || person || ' admins:' || company);
  return c;
end $$;

-- Marks pending claims that are more like this one than like any claim before. One that is being
-- decided on right now is skipped, not waited for: its page looks for itself. Index lookups only:
-- few of all pending claims are alike.
create or replace function private.mark_duplicates(c claims, receipts uuid[], alike jsonb)
returns void
language sql
  set enable_hashjoin = off set enable_mergejoin = off
begin atomic
  with found as (
    select t.claim_id, t.score from receipt_duplicates(c.company_id, c.person_id, receipts) t
    union all
    select a.claim_id, a.score
      from jsonb_to_recordset(coalesce(alike, '[]')) a (claim_id bigint, score integer)),
  waiting as (
    select x.company_id, x.id, f.score
      from (select claim_id, max(score) as score from found group by claim_id) f
        cross join lateral (select y.company_id, y.id from claims y
          where y.company_id = c.company_id and y.id = f.claim_id and y.status = 'pending'
            and y.suspicion < f.score
          limit 1 for no key update skip locked) x
      where f.claim_id <> all ((select private.claims_of_bill(c.company_id, c.id))::bigint[]))
  update claims x set suspicion = w.score::smallint from waiting w
    where x.company_id = w.company_id and x.id = w.id;
end;

-- Once somebody has asked about a claim, passed it on or decided on it, no rule approves it: not
-- when the answer brings a receipt, and not when the decision is undone or appealed.
create or replace function private.people_decide(company uuid, claim bigint) returns boolean
language sql stable
return (select c.attempt > 1 or exists (select from claim_events e
    where e.company_id = company and e.claim_id = claim and e.by_id <> c.person_id)
  from claims c where c.company_id = company and c.id = claim);

-- Approves only what the claim's own policy lets pass, whatever the verdict says, with the lower
-- draw of an earlier claim about the same bill.
create or replace function private.approve_by_policy(c claims) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare p claim_policies;
begin
  select * into p from claim_policies where company_id = c.company_id
    and version = c.policy_version;
  if not found or p.by_id = c.person_id or private.people_decide(c.company_id, c.id)
      or c.receipts = 0 or c.suspicion > 0
      or not private.terms_approve(c.receipt_agrees, c.amount_cents,
        private.claim_draw(c.company_id, c.id), p.auto_approve_cents, p.spot_check_percent)
      or (select count(*) from claims x join companies o on o.id = x.company_id
        where x.company_id = c.company_id and x.person_id = c.person_id
          and private.is_automatic_in(private.month_of(c.submitted_at, o.time_zone), o.time_zone,
            x.automatic, x.submitted_at)) >= p.auto_approve_per_month then
    perform private.refuse('needs_a_person');
  end if;
  update claims x set status = 'approved', stage = null, payment = 'unpaid', automatic = true,
      awaits_reading = false, approved_cents = x.amount_cents, reviewed_at = now(), due_at = null,
      version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  perform private.move_money(c, 'approve', c.amount_cents, null);
  perform private.note_event(c, 'approved_by_policy', null, null,
    jsonb_build_object('amount_cents', c.amount_cents));
  perform private.notify_claimant(c, 'claim_approved');
  return c;
end $$;

create or replace function private.notify_claimant(c claims, code text,
  again_refusal text default null) returns void
language sql
begin atomic
  select notify_person(c.person_id, code, jsonb_build_object('claim', c.id,
      'claimed_cents', c.amount_cents, 'approved_cents', c.approved_cents,
      'currency', o.currency) || jsonb_strip_nulls(jsonb_build_object('again', again_refusal)),
      c.id::text)
    from companies o where o.id = c.company_id;
end;

-- Locks the person's own claim for an act; otherwise raises why not. Another person's claim is not
-- found.
create or replace function private.lock_own_claim(act text, claim bigint) returns claims
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare c claims;
begin
  select * into c from claims x where x.company_id = actor_company() and x.id = claim
    and x.person_id = actor_employee() for no key update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(claim_refusal(act, c, c.person_id)), publish('person:' || c.person_id),
    private.end_undo(c.company_id, 'claim ' || c.id), publish('admins:' || c.company_id);
  return c;
end $$;

-- Makes the money on hold for a claim available again, in the same plan year.
create or replace function private.end_hold(c claims) returns void
language sql
begin atomic
  select private.move_money(c, 'release', c.amount_cents, actor_id());
end;

create or replace function withdraw_claim(claim bigint) returns setof claims
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare c claims := private.lock_own_claim('withdraw', claim);
begin
  update claims x set status = 'withdrawn', stage = null, due_at = null, asked_at = null,
      overdue = false, awaits_reading = false, reviewed_at = now(), version = x.version + 1
    where x.company_id = c.company_id and x.id = c.id returning * into c;
  perform private.end_hold(c), private.note_event(c, 'withdrawn', c.person_id);
  return next c;
end $$;

grant execute on function submit_claim, withdraw_claim to healthfund_request;
