-- Claims that change with time: overdue, expired, evaluated again.

-- The path of a single claim's page; for several, of the queue.
create or replace function private.claims_path(claims bigint, first bigint, filter text)
returns text
language sql immutable
return case when claims = 1 then '/' || first else filter end;

-- Marks claims that are past their target and notifies reviewers, once for each claim.
create or replace function private.mark_overdue(most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  of_company record;
  marked integer := 0;
begin
  for of_company in
    with late as materialized (
      select company_id, id from claims where due_at < now() and not overdue
        order by due_at limit most for no key update skip locked),
    noted as (
      update claims c set overdue = true from late l
        where c.company_id = l.company_id and c.id = l.id returning c.company_id, c.id)
    select company_id, count(*) as claims, min(id) as first from noted group by company_id
  loop
    marked := marked + of_company.claims;
    perform notify_right_holders(of_company.company_id, 'claims_overdue',
        jsonb_build_object('claims', of_company.claims, 'claim', of_company.first),
        private.claims_path(of_company.claims, of_company.first, '?overdue=true')),
      private.publish_now('admins:' || of_company.company_id);
  end loop;
  return marked;
end $$;

-- Notifies those who decide when half of the time is over, the policy's or the step's own: once for
-- each claim.
create or replace function private.notify_half_way(most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  of_company record;
  claims_reminded integer := 0;
begin
  for of_company in
    with terms as materialized (
      select p.company_id, p.version, h.half_of_it, h.half_of_longest
        from claim_policies p join companies o on o.id = p.company_id
        cross join lateral (select
            private.after_working_days(now(), p.review_days / 2.0, o.time_zone, d.off),
            private.after_working_days(now(), greatest(p.review_days,
              (select max(s.days) from unnest(p.steps) s)) / 2.0, o.time_zone, d.off)
          from (select private.days_off(o.id)) d (off)) h (half_of_it, half_of_longest)
        where exists (select from claims x where x.company_id = p.company_id
          and x.status = 'pending' and x.policy_version = p.version)),
    half as materialized (
      select c.company_id, c.id from claims c
        join terms t on t.company_id = c.company_id and t.version = c.policy_version
        where c.due_at > now() and c.due_at <= t.half_of_longest and not c.overdue
          and c.reminded = 0 and c.due_at <= coalesce(
            private.step_due(c.company_id, (next_step(c)).days / 2.0), t.half_of_it)
        order by c.due_at limit most for no key update of c skip locked),
    noted as (
      update claims c set reminded = 1 from half h
        where c.company_id = h.company_id and c.id = h.id returning c.company_id, c.id)
    select company_id, count(*) as claims, min(id) as first from noted group by company_id
  loop
    claims_reminded := claims_reminded + of_company.claims;
    perform notify_right_holders(of_company.company_id, 'claims_half_way',
      jsonb_build_object('claims', of_company.claims, 'claim', of_company.first),
      private.claims_path(of_company.claims, of_company.first, ''));
  end loop;
  return claims_reminded;
end $$;

-- Notifies the company's owner, too, when twice the time is over: once for each claim.
create or replace function private.notify_twice_overdue(most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  of_company record;
  owner uuid;
  reviews boolean;
  claims_reminded integer := 0;
begin
  for of_company in
    with late as materialized (
      select c.company_id, c.id from claims c
        join companies o on o.id = c.company_id
        join claim_policies p on p.company_id = c.company_id and p.version = c.policy_version
        where c.overdue and c.reminded < 2 and private.after_working_days(c.due_at,
          coalesce((next_step(c)).days, p.review_days), o.time_zone, private.days_off(o.id)) < now()
        order by c.due_at limit most for no key update of c skip locked),
    noted as (
      update claims c set reminded = 2 from late l
        where c.company_id = l.company_id and c.id = l.id returning c.company_id, c.id)
    select company_id, count(*) as claims, min(id) as first from noted group by company_id
  loop
    claims_reminded := claims_reminded + of_company.claims;
    owner := private.owner_of(of_company.company_id);
    owner := coalesce(private.stand_in('owner', of_company.company_id, owner), owner);
    reviews := 'reviewer'
      = any (string_to_array(private.rights_of(of_company.company_id, owner), ','));
    perform notify_person(owner, 'claims_twice_overdue',
      jsonb_build_object('claims', of_company.claims, 'claim', of_company.first),
      case when reviews then 'claims'
          || private.claims_path(of_company.claims, of_company.first, '?overdue=true')
        else 'settings#rights' end);
  end loop;
  return claims_reminded;
end $$;

create or replace function private.time_to_answer() returns interval language sql immutable
return interval '45 days';

-- Withdraws claims whose question was not answered in time; their money is available again. A
-- person who is suspended, alone or with their company, may be back, so their claims wait.
create or replace function private.expire_claims(most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  c claims;
  expired integer := 0;
begin
  for c in select x.* from claims x where x.asked_at < now() - private.time_to_answer()
      and not exists (select from companies o where o.id = x.company_id and o.status = 'suspended')
      and not exists (select from profiles p where p.id = x.person_id
        and may_be_back(p.status, p.has_left))
    order by x.company_id, x.person_id, x.plan_year, x.category, x.id
    limit most for no key update skip locked
  loop
    update claims x set status = 'withdrawn', stage = null, asked_at = null, awaits_reading = false,
        reviewed_at = now(), version = x.version + 1
      where x.company_id = c.company_id and x.id = c.id returning * into c;
    perform private.end_hold(c), private.note_event(c, 'expired', null),
      private.notify_claimant(c, 'claim_expired',
        claim_again_refusal(c.company_id, c.plan_year, c.person_id)),
      private.publish_now('person:' || c.person_id), private.publish_now('admins:' || c.company_id);
    expired := expired + 1;
  end loop;
  return expired;
end $$;

-- A person or company that was suspended has at least 14 days left to answer. The days
-- skipped were the employee's to answer, so they don't count as the reviewers' time.
create or replace function private.leave_days_to_answer(company uuid, person uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  since constant timestamptz := now() - (private.time_to_answer() - interval '14 days');
  zone constant text := (select o.time_zone from companies o where o.id = company);
  off constant date[] := private.days_off(company);
begin
  update claims c set asked_at = since, awaited_days = c.awaited_days
      + working_days(since, zone, off) - working_days(c.asked_at, zone, off)
    where c.company_id = company and c.asked_at < since
      and (person is null or c.person_id = person);
end $$;

create or replace function private.extend_time_of_company() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.leave_days_to_answer(new.id, null);
  return null;
end $$;
create or replace trigger time_to_answer after update of status on companies
  for each row when (old.status = 'suspended' and new.status <> 'suspended')
  execute function private.extend_time_of_company();

create or replace function private.extend_time_of_person() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.leave_days_to_answer(new.company_id, new.id);
  return null;
end $$;
create or replace trigger time_to_answer after update of status on profiles
  for each row when (old.status = 'suspended' and new.status <> 'suspended'
    and new.company_id is not null)
  execute function private.extend_time_of_person();

-- `job`: claims:reconsider, or claims:compare, which looks at duplicates alone.
create or replace function private.evaluate_soon(job text, company uuid, claim bigint) returns void
language sql
begin atomic
  select add_job(job, json_build_object('company_id', company, 'id', claim),
    concat_ws(' ', job, company, claim));
end;

-- Evaluates a waiting claim once more when one of its receipts has been read.
create or replace function private.reconsider_claim() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if exists (select from claims c
      where c.company_id = new.company_id and c.id = new.claim_id and c.status = 'pending') then
    perform private.evaluate_soon('claims:reconsider', new.company_id, new.claim_id);
  end if;
  return null;
end $$;
create or replace trigger claim_is_evaluated_again after update of read_state on receipts
  for each row when (new.claim_id is not null and new.read_state in ('read', 'unreadable')
    and old.read_state in ('waiting', 'reading'))
  execute function private.reconsider_claim();

-- Locks a claim and answers its facts as they are now; null if it no longer waits.
create or replace function private.evaluate_again(company uuid, claim bigint) returns json
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare c claims;
begin
  perform private.lock_claimant(x.person_id) from claims x where x.company_id = company
    and x.id = claim;
  select * into c from claims x where x.company_id = company and x.id = claim
    and x.status = 'pending' for no key update;
  if not found then return null; end if;
  return json_build_object('spot_check_draw', private.claim_draw(company, claim),
    'people_decide', private.people_decide(company, claim),
    'draft', c,
    'facts', private.claim_facts(c, array(select r.id from receipts r
        where r.company_id = company and r.claim_id = c.id order by r.created_at, r.id),
      c.policy_version));
end $$;

-- Keeps the outcome of a second evaluation; while another receipt is being read, nothing. Reviewers
-- who were notified keep the version they see, and only trace and likeness change. Receipts may
-- have come with an answer or an appeal: then the trace goes to that event, and the claim keeps its
-- `receipt_agrees` and its draw, by which other terms are previewed (private.evaluated_claims).
create or replace function private.note_evaluation(company uuid, claim bigint, decision jsonb,
  trace json)
returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  c claims;
  automatic boolean;
  waited boolean;
  -- The claimant sent more since.
  added constant boolean := exists (select from claim_events e where e.company_id = company
    and e.claim_id = claim and e.event in ('answered', 'appealed'));
begin
  if (decision -> 'awaits_reading')::boolean then return; end if;
  select (decision -> 'automatic')::boolean, x.awaits_reading
    into automatic, waited from claims x where x.company_id = company and x.id = claim;
  waited := waited or automatic;
  update claims x set awaits_reading = false,
      receipt_agrees = case when added then x.receipt_agrees
        else (decision -> 'receipt_agrees')::boolean end,
      spot_check_draw = case when added then x.spot_check_draw
        else (decision -> 'spot_check_draw')::smallint end,
      suspicion = (decision -> 'suspicion')::smallint, version = x.version + waited::integer
    where x.company_id = company and x.id = claim returning * into c;
  if c.suspicion > 0 then
    perform private.mark_duplicates(c, array(select r.id from receipts r
      where r.company_id = company and r.claim_id = claim), decision -> 'alike');
  end if;
  if waited then perform private.note_event(c, 're_evaluated', null); end if;
  update claim_events e set trace = note_evaluation.trace
    where e.company_id = company and e.claim_id = claim
      and e.number = case when waited then c.version else (select max(x.number) from claim_events x
        where x.company_id = company and x.claim_id = claim
          and (x.trace is not null or x.event in ('answered', 'appealed'))) end;
  if automatic then perform private.approve_by_policy(c);
  elsif waited then perform private.notify_reviewers('claim_submitted', c);
  end if;
  perform private.publish_now('person:' || c.person_id), private.publish_now('admins:' || company);
end $$;

-- A claim has begun or ceased to count as a possible duplicate: pending claims like it are compared
-- again, so that the queue shows what their pages show.
create or replace function private.compare_like_claims() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.evaluate_soon('claims:compare', c.company_id, c.id) from claims c
    where c.company_id = new.company_id and c.status = 'pending' and c.id <> new.id
      and c.id in (
        select x.id from claims x where x.company_id = new.company_id
          and x.person_id = new.person_id and x.service_on = new.service_on
          and x.bill_cents = new.bill_cents
        union all
        select t.claim_id from receipt_duplicates(new.company_id, new.person_id, array(
          select r.id from receipts r
            where r.company_id = new.company_id and r.claim_id = new.id)) t);
  return null;
end $$;
create or replace trigger compare_those_like_it after update of status, payment on claims
  for each row when (private.still_counts(old.status, old.payment)
    <> private.still_counts(new.status, new.payment))
  execute function private.compare_like_claims();
