-- Facts for the rules of a claim (src/claims/rules/rule-facts.ts), read in one statement.

-- The working days that reviewers have had a claim: not while its employee was asked.
create or replace function claim_age(submitted_at timestamptz, stood_at timestamptz,
  awaited_days double precision, zone text, days_off date[]) returns double precision
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return greatest(0, working_days(coalesce(stood_at, now()), zone, days_off)
  - working_days(submitted_at, zone, days_off) - awaited_days);

-- The plan year of a bill, and what the person has in it. A function in `from` without a `set` of
-- its own is inlined.
create or replace function private.year_facts(company uuid, person uuid, category text,
  service_on date, left_on date)
returns table (year json, available_cents bigint, plan_group text, coming json)
language sql stable
begin atomic
  select json_build_object('plan_year', y.starts_on, 'ends_on', y.ends_on,
        'filing_ends_on', u.filing_ends_on, 'takes_claims',
        filing_refusal(y, u.filing_ends_on, private.today_at(company)) is null),
      a.balance_cents,
      (select g.plan_group from grants g where g.company_id = company
        and g.plan_year = y.starts_on and g.person_id = person
        and g.category = year_facts.category),
      (select json_build_object('on', m.on_day, 'cents', m.cents)
        from private.next_grants(company, person, y.starts_on) m
        where m.category = year_facts.category)
    from plan_years y
    cross join lateral (
      select filing_ends_on(y.ends_on, y.filing_days, left_on,
        y.leaver_filing_days) as filing_ends_on) u
    left join accounts a on a.company_id = company and a.plan_year = y.starts_on
      and a.person_id = person and a.kind = 'available' and a.category = year_facts.category
    where y.company_id = company and service_on between y.starts_on and y.ends_on;
end;

-- The receipts of a claim or of a draft, as they were read.
create or replace function private.receipt_facts(company uuid, person uuid, claim bigint,
  provider text, receipts uuid[])
returns table (facts json)
language sql stable
begin atomic
  select json_agg(json_build_object('id', i.id, 'there', r.id is not null,
      'claim_id', nullif(r.claim_id, claim), 'read_state', r.read_state,
      'read_amount_cents', private.amount_on_receipt(r),
      'read_currency', coalesce(r.read_currency, r.unseen ->> 'currency'),
      'read_on', private.date_on_receipt(r), 'read_provider', r.read_provider,
      'same_provider', private.same_provider(r.unseen -> 'provider', provider),
      'blacked_reads', coalesce(r.blacked_reads, '{}')))
    from unnest(receipts) i (id) left join receipts r
      on r.company_id = company and r.id = i.id and r.person_id = person;
end;

-- The facts about a claim. `n` is the claim, or as much of a draft as is known (without an id).
-- `terms` is the policy version that decides it, if that is not the newest. A claim keeps the steps
-- of its submission.
create or replace function private.claim_facts(n claims, receipts uuid[],
  terms integer default null)
returns json
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  zone text;
  month date;
  main json;
  past json;
  of_dependent json;
  of_receipts json := '[]';
  duplicates json := '[]';
  bill_claims bigint[] := '{}';
begin
  select c.time_zone, json_build_object('today', (now() at time zone c.time_zone)::date,
      'currency', c.currency,
      'policy', json_build_object('version', p.version, 'auto_approve_cents', p.auto_approve_cents,
        'auto_approve_per_month', p.auto_approve_per_month,
        'spot_check_percent', p.spot_check_percent, 'receipt_above_cents', p.receipt_above_cents,
        'steps', p.steps, 'review_days', p.review_days,
        'by_claimant', coalesce(p.by_id = n.person_id, false)),
      'steps', s.steps,
      'person', json_build_object('joined_on', f.joined_on, 'left_on', f.left_on),
      'type', case when t.id is not null then json_build_object('name', t.name,
        'category', t.category, 'active', t.active) end,
      'year', y.year, 'available_cents', coalesce(y.available_cents, 0),
      'plan_group', y.plan_group, 'coming', y.coming)
    into zone, main
    from companies c
    join profiles f on f.id = n.person_id
    join claim_policies p on p.company_id = n.company_id
      and p.version = coalesce(terms, (select w.version
        from private.policy_in_force(n.company_id) w))
    cross join lateral (select case when n.id is null then private.steps_of(n, p.version)
      else n.steps end as steps offset 0) s
    left join claim_types t on t.company_id = n.company_id and t.id = n.type_id
    left join private.year_facts(n.company_id, n.person_id, n.category, n.service_on, f.left_on) y
      on true
    where c.id = n.company_id;
  month := private.month_of(coalesce(n.submitted_at, now()), zone);
  if n.id is not null then bill_claims := private.claims_of_bill(n.company_id, n.id); end if;
  select json_build_object(
      'automatic', count(*) filter (where
        private.is_automatic_in(month, zone, c.automatic, c.submitted_at)),
      'same', coalesce(json_agg(json_build_object('claim_id', c.id, 'provider', c.provider)
        order by c.id) filter (where c.service_on = n.service_on
          and c.bill_cents = n.bill_cents and private.still_counts(c.status, c.payment)
          and c.id <> all (bill_claims)), '[]'))
    into past
    from claims c where c.company_id = n.company_id and c.person_id = n.person_id;
  if n.dependent_id is not null then
    select json_build_object('full_name', d.full_name, 'covered',
        covers(n.company_id, n.person_id, d.id, n.service_on))
      into of_dependent
      from dependents d where d.company_id = n.company_id and d.person_id = n.person_id
        and d.id = n.dependent_id;
  end if;
  if cardinality(receipts) > 0 then
    select r.facts into of_receipts
      from private.receipt_facts(n.company_id, n.person_id, n.id, n.provider, receipts) r;
    duplicates := private.claim_duplicates(n.company_id, n.person_id, n.id, receipts);
  end if;
  return json_build_object('main', main, 'past', past, 'dependent', of_dependent,
    'receipts', of_receipts, 'duplicates', duplicates, 'limits', case when n.id is null
      then private.limits_of(n.company_id, n.person_id) else '[]' end,
    'earlier_draw', case when n.id is null then (select min(d.draw)
      from private.draws_of_like_claims(
      n.company_id, n.person_id, n.service_on, n.bill_cents, receipts) d) end);
end $$;

-- A claim together with the one whose rest it claims, or that claims its rest: they share a bill.
create or replace function private.claims_of_bill(company uuid, claim bigint) returns bigint[]
language sql stable
return array(
  select c.id from claims c where c.company_id = company and c.id = claim
  union all select c.appeal_of from claims c
    where c.company_id = company and c.id = claim and c.appeal_of is not null
  union all select c.id from claims c where c.company_id = company and c.appeal_of = claim);

-- Other claims that still count with the same or a like receipt; not whose they are.
create or replace function private.claim_duplicates(company uuid, person uuid, itself bigint,
  receipts uuid[]) returns json
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select coalesce(json_agg(json_build_object(
      'kind', case when t.same_file then 'same_file' else 'same_picture' end, 'score', t.score,
      'claim_id', case when t.own then t.claim_id end) order by t.score desc, t.claim_id), '[]')
    from (select t.claim_id, t.own, bool_or(t.same_file) as same_file, max(t.score) as score
      from receipt_duplicates(company, person, receipts) t
      join claims c on c.company_id = company and c.id = t.claim_id
      where c.id <> all (array(select unnest(private.claims_of_bill(company, itself))))
        and (private.still_counts(c.status, c.payment) or c.status = 'rejected' and not t.own)
      group by t.claim_id, t.own) t
$$;

-- The draws of this person's claims with a like receipt, or with the same day and bill: submitting
-- again gives no second chance.
create or replace function private.draws_of_like_claims(company uuid, person uuid, service_on date,
  bill_cents bigint, receipts uuid[]) returns table (claim_id bigint, draw smallint)
language sql stable
begin atomic
  select c.id, c.spot_check_draw from claims c
    where c.company_id = company and c.person_id = person
      and (c.service_on = draws_of_like_claims.service_on
          and c.bill_cents = draws_of_like_claims.bill_cents
        or cardinality(draws_of_like_claims.receipts) > 0 and c.id in (select t.claim_id
          from receipt_duplicates(company, person, draws_of_like_claims.receipts) t
          where t.own));
end;

-- The draw of a claim: its own, or the lower one of an earlier claim like it.
create or replace function private.claim_draw(company uuid, claim bigint) returns smallint
language sql stable
begin atomic
  select min(d.draw) from claims c
    cross join lateral private.draws_of_like_claims(company, c.person_id, c.service_on,
      c.bill_cents,
      array(select r.id from receipts r where r.company_id = company and r.claim_id = claim)) d
    where c.company_id = company and c.id = claim and d.claim_id <= claim;
end;

-- Claims of one person are evaluated one after the other, so that each of two at the same moment
-- knows of the other.
create or replace function claim_facts(draft jsonb, receipts uuid[], locks boolean) returns json
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare n claims := jsonb_populate_record(null::claims, draft);
begin
  perform private.require_role('employee');
  n.id := null;
  n.company_id := actor_company();
  n.person_id := actor_id();
  if locks then perform private.lock_claimant(n.person_id); end if;
  return private.claim_facts(n, receipts);
end $$;

create or replace function private.lock_claimant(person uuid) returns void language sql
return pg_advisory_xact_lock(hashtextextended('claims of ' || person, 0));

-- Years the form offers, with what is left in each.
create or replace function claim_years(company uuid, person uuid)
returns table (plan_year date, ends_on date, filing_ends_on date, available json)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select y.starts_on, y.ends_on, u.filing_ends_on,
      json_build_object('prevention', coalesce(a.prevention, 0), 'treatment',
        coalesce(a.treatment, 0),
        'solidarity', coalesce(a.solidarity, 0))
    from profiles p
    join plan_years y on y.company_id = p.company_id
    cross join lateral (
      select filing_ends_on(y.ends_on, y.filing_days, p.left_on,
        y.leaver_filing_days) as filing_ends_on) u
    left join lateral (select sum(balance_cents) filter (where category
      = 'prevention') as prevention,
        sum(balance_cents) filter (where category = 'treatment') as treatment,
        sum(balance_cents) filter (where category = 'solidarity') as solidarity
      from accounts where company_id = company and plan_year = y.starts_on and person_id = person
        and kind = 'available') a on true
    where p.company_id = company and p.id = person and person = actor_id()
      and y.starts_on <= company_today(company)
      and filing_refusal(y, u.filing_ends_on, company_today(company)) is null
    order by y.starts_on desc;
end;

-- The history of a claim, with names: for its employee and its company's admins.
create or replace function claim_story(claim bigint)
returns table (number integer, event text, at timestamptz, by_name text, by_role text, text text,
  reason text, amount_cents bigint, trace json, undone_at timestamptz)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select e.number, e.event, e.at, p.full_name, e.by_role, e.text, e.reason, e.amount_cents, e.trace,
      e.undone_at
    from claims c
    join claim_events e on e.company_id = c.company_id and e.claim_id = c.id
    left join profiles p on p.id = e.by_id
    where c.company_id = actor_company() and c.id = claim
      and (actor_has('reviewer') or actor_role() = 'employee' and c.person_id = actor_id()
        and e.undone_at is null)
    order by e.number;
end;

-- The claim's facts for its reviewer: claims like it, what its employee has left. Receipts are left
-- out, as some may not be open to this reviewer: the queries for receipts know which.
create or replace function review_facts(claim bigint) returns json
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select (private.claim_facts(c, array(select r.id from receipts r
        where r.company_id = c.company_id and r.claim_id = c.id), c.policy_version)::jsonb
      || '{"receipts": []}')::json
    from claims c
    where c.company_id = actor_company() and c.id = claim and actor_has('reviewer');
end;

grant execute on function claim_facts, claim_years, claim_story, review_facts to
  healthfund_request;
