-- A person's needs: read from the facts, oldest first, each with who waits, since when and until
-- when. One query feeds the page, the badge, the bell and the morning's mail, so they cannot
-- disagree. At most a hundred of a kind are read: beyond that nobody counts.

-- Claims an admin is to decide on. Appeals, further approvals and claims that wait for them by
-- name are looked up separately, so that no long queue hides them. For a day after a right is given
-- its holder and its giver count as one (hands_of): a claim then stays with those it waits for. The
-- need began with the claim's
-- last event, or with the claim where there was none.
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
      and c.by_name and p.id = any (step_named(p.company_id, (next_step(c)).who,
        (next_step(c)).person_ids) || (next_step(c)).deputy_id)
      order by c.id limit most)),
  waiting as (
    select case when c.stands then 'claim_waits_a_day'
        when c.refusal = 'decided_by_you' then 'claim_needs_second_admin'
        when c.stage = 'further_review' then 'claim_approved_step'
        when c.attempt > 1 then 'claim_appealed'
        when l.event = 'answered' then 'claim_answered' else 'claim_submitted' end as kind,
        c.*, l.at
      from (select rights_given(p.company_id) as given offset 0) g cross join found f
        cross join lateral (select x.id, x.person_id, x.stage, x.attempt, x.amount_cents,
            x.submitted_at, x.due_at, x.version, x.passed_by, x.awaits_reading,
            x.receipt_agrees and x.suspicion = 0 and many_refusal(x) is null as plain,
            d.refusal, d.refusal = 'admin_too_new' and not exists (select from rights_now r
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
      t.amount_cents, coalesce(t.at, t.submitted_at), t.due_at,
      case t.kind when 'claim_needs_second_admin' then '/dashboard/settings#rights'
        else '/dashboard/claims/' || t.id end
    from waiting t
$$;

-- Money that is to go out, and people who are to be let in.
create or replace function private.pay_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'pay_run_made', 1, r.id, null::uuid, null::uuid, null::integer, r.paid_cents, r.made_at,
      r.pay_on::timestamp at time zone o.time_zone, '/dashboard/claims/payouts?payout=' || r.id
    from pay_runs r join companies o on o.id = r.company_id
    where r.company_id = p.company_id and r.status = 'made'
      and run_refusal('release', r, p.id) is null
  union all
  -- Once one was approved, or came back, a week ago and is in no payout yet, all that the next
  -- payout would hold; before the first payout of all, at once. The sum is the payout's:
  -- overpayments are in it, too.
  select 'payout_to_make', count(*)::integer, null, null, null, null, null,
      min(c.waits_since), null, '/dashboard/claims/payouts'
    from (select t.waits_since from private.payable_claims(p.company_id) t
      where not t.waits and not t.blocked order by t.reviewed_at limit 100) c
    having min(c.waits_since) < now() - interval '7 days'
      or count(*) > 0 and not private.has_paid(p.company_id)
  union all
  select 'debt', 1, null, l.id, l.id, null, sum(o.cents)::bigint, null, null,
      '/dashboard/claims/payouts'
    from (select distinct d.id from accounts a join profiles d on d.id = a.person_id
        where a.company_id = p.company_id and a.kind = 'overpaid' and a.balance_cents > 0
          and d.has_left and d.id <> p.id) l
      cross join lateral private.debt_of(p.company_id, l.id) o group by l.id
$$;

create or replace function private.people_needs(p profiles, rights text[])
returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select case a.role when 'employee' then 'join_requested' else 'admin_requested' end, 1,
      null::bigint, a.id, a.id, null::integer, null::bigint, a.asked_at,
      null::timestamptz, '/dashboard/employees'
    from (select * from profiles x where x.company_id = p.company_id
      and x.account_state = 'requested'
      order by x.asked_at limit 100) a
    where person_refusal('approve', a::profiles, p.id) is null
      and case a.role when 'employee' then 'people' else 'owner' end = any (rights)
  union all
  select 'dependent_waits', 1, null, d.person_id, d.id, null, null, d.added_at, null,
      '/dashboard/employees'
    from (select * from dependents x where x.company_id = p.company_id and x.status = 'requested'
      order by x.added_at, x.id limit 100) d
    where 'people' = any (rights) and dependent_refusal('approve', d::dependents, p.id) is null
  union all
  select 'erasure_waits', 1, null, e.person_id, e.id, null, null, e.asked_at,
      e.asked_at + interval '1 month', '/dashboard/erasures'
    from (select * from erasures x where x.of_company = p.company_id and x.status = 'asked'
      order by x.asked_at limit 100) e where e.person_id <> p.id and 'people' = any (rights)
$$;

-- Conditions that keep a company from working at all.
create or replace function private.company_needs(p profiles, rights text[])
returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  select 'company_inactive', 1, null::bigint, null::uuid, null::uuid, null::integer, null::bigint,
      o.created_at, null::timestamptz, '/dashboard/company-admin'
    from companies o where o.id = p.company_id and o.status = 'pending'
      and 'owner' = any (rights)
  union all
  select 'people_missing', 1, null, null, null, null, null, o.created_at, null,
      '/dashboard/employees'
    from companies o left join headcounts h on h.company_id = o.id
    where o.id = p.company_id and 'people' = any (rights)
      and coalesce(h.pending + h.active + h.suspended + h.has_left, 0) = 0
  union all
  select 'group_empty', 1, null, null, null, null, null, null, null,
      '/dashboard/employees/groups'
    from employee_groups g where g.company_id = p.company_id and 'people' = any (rights)
      and private.empty_departments(p.company_id, g.departments) <> '{}'
  union all
  select 'import_waits', 1, null, null, i.id, null, null, i.asked_at, null,
      '/dashboard/employees/file'
    from imports i where i.company_id = p.company_id and i.status = 'waiting'
      and 'people' = any (rights) and import_refusal('approve', i, p.id) is null
  union all
  select 'grants_wait', w.people::integer, null, null, null, null,
      (w.prevention_cents + w.treatment_cents + w.solidarity_cents)::bigint, null, null,
      '/dashboard/funds'
    from waiting_totals w where w.company_id = p.company_id and w.people > 0
      and 'finance' = any (rights)
      and w.plan_year = current_plan_year(p.company_id)
  union all
  -- For the bank's file of the first payout, once there is one to make or to release.
  select 'company_account', 1, null, null, null, null, null, null, null,
      '/dashboard/claims/payouts'
    where 'finance' = any (rights)
      and not exists (select from company_accounts a where a.company_id = p.company_id)
      and (exists (select from claims c where c.company_id = p.company_id
          and c.payment in ('unpaid', 'returned'))
        or exists (select from pay_runs r where r.company_id = p.company_id
          and r.status = 'made'))
      and not private.has_paid(p.company_id)
  union all
  -- The first money: nobody gets any of it before it is in a category.
  select 'money_to_allocate', 1, null, null, null, null, a.balance_cents, null, null,
      '/dashboard/funds'
    from accounts a where a.company_id = p.company_id and a.kind = 'unallocated'
      and 'finance' = any (rights)
      and a.plan_year = current_plan_year(p.company_id) and a.balance_cents > 0
      and not exists (select from private.fund_totals f where f.company_id = a.company_id
        and f.plan_year = a.plan_year and f.category is not null and f.balance_cents > 0)
$$;

-- The provider's own.
create or replace function private.provider_needs(p profiles) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  (select 'company_founded', 1, null::bigint, o.id, o.id, null::integer, null::bigint, o.created_at,
      null::timestamptz, '/dashboard/companies/' || o.id
    from companies o where o.status = 'pending' order by o.created_at limit 100)
  union all
  (select case a.role when 'super_admin' then 'super_requested' else 'admin_requested' end, 1,
      null, a.id, a.id, null, null, a.asked_at, null, '/dashboard/users?status=pending'
    from profiles a where a.account_state = 'requested' and a.role <> 'employee'
    order by a.asked_at limit 100)
  union all
  (select 'inquiry', 1, null, l.id, l.id, null, null, l.received_at, null,
      '/dashboard/inquiries?state=open'
    from inquiries l where l.answered_at is null and not l.suspect order by l.received_at limit 100)
  union all
  (select 'erasure_waits', 1, null, e.person_id, e.id, null, null, coalesce(e.hr_at, e.asked_at),
      e.asked_at + interval '1 month', '/dashboard/erasures'
    from erasures e where e.status = 'with_provider' and e.person_id <> p.id
    order by e.asked_at limit 100)
$$;

-- A person's own: of their claims the latest two hundred are looked at.
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
    from mine c where c.payment in ('unpaid', 'returned') and not exists (select
      from bank_accounts b where b.company_id = p.company_id and b.person_id = p.id)
    having count(*) > 0
  union all
  select 'payment_returned', 1, null, null, null, null, sum(i.paid_cents)::bigint,
      max(i.returned_at), null, '/dashboard/my-claims'
    from pay_items i join bank_accounts b on b.company_id = p.company_id and b.person_id = p.id
    where i.company_id = p.company_id and i.person_id = p.id and i.returned_at > b.changed_at
      and i.by_bank
      -- Of a claim whose payment came back more than once, the last of them.
      and i.run_id in (select (select max(k.run_id) from pay_claims k
          join pay_items r on r.company_id = k.company_id and r.run_id = k.run_id
            and r.person_id = k.person_id and r.returned_at is not null
          where k.company_id = p.company_id and k.claim_id = c.id)
        from mine c where c.payment = 'returned') having count(*) > 0
  union all
  select 'appeal_ends', 1, c.id, null, null, null, c.amount_cents, c.reviewed_at,
      (appeal_until(c::claims) + 1)::timestamp at time zone o.time_zone,
      '/dashboard/my-claims/' || c.id
    from mine c join companies o on o.id = c.company_id
    where c.status = 'rejected' and claim_refusal('appeal', c::claims, p.id) is null
      and appeal_until(c::claims) < company_today(c.company_id) + 14
$$;

-- `notices`: only what these events may tell of, where that is claims alone; `most` of those.
create or replace function private.needs_of(person uuid, notices notifications[] default null,
  most integer default 100)
returns setof private.need
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  rights text[];
begin
  select * into p from profiles where id = person and status = 'active';
  if p.role = 'super_admin' then return query select * from private.provider_needs(p);
  elsif p.has_rights then
    rights := string_to_array(private.rights_of(p.company_id, p.id), ',');
    if 'reviewer' = any (rights) then
      return query select * from private.claim_needs(p, most);
    end if;
    if 'claim' = all (select left(t.code, 5) from unnest(notices) t) and notices is not null then
      return;
    end if;
    if 'finance' = any (rights) then return query select * from private.pay_needs(p)
      union all select * from private.adjustment_needs(p); end if;
    if 'owner' = any (rights) then return query select * from private.policy_needs(p); end if;
    return query select * from private.people_needs(p, rights)
      union all select * from private.company_needs(p, rights);
  end if;
  if p.role = 'employee' or p.has_own then
    return query select * from private.own_needs(p);
  end if;
  return query select 'data_ready', 1, null::bigint, null::uuid, x.id, null::integer,
      null::bigint, x.made_at, x.expires_at, '/dashboard/settings#data'
    from data_exports x where x.person_id = person and x.status = 'ready' and x.downloads = 0
      and x.expires_at > now();
end $$;

-- As lines: few of a kind stand each by itself, many are one line that leads to their list.
create or replace function private.need_lines(person uuid) returns setof private.need
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with numbered as (
    select n.*, row_number() over w as at, count(*) over k as together, sum(n.items) over k as all,
        sum(n.cents) over k as sum, min(n.due_at) over k as first_due
      from private.needs_of(person) n
      window k as (partition by n.kind), w as (partition by n.kind order by n.since, n.number))
  select n.kind, case when together > 3 then n.all::integer else n.items end,
      case when together <= 3 then n.number end, case when together <= 3 then n.about_id end,
      case when together <= 3 then n.thing_id end, case when together <= 3 then n.version end,
      case when together > 3 then n.sum::bigint else n.cents end, n.since,
      case when together > 3 then n.first_due else n.due_at end,
      case when together <= 3 then n.path end
    from numbered n where together <= 3 or n.at = 1
    order by n.since nulls last, n.kind, n.number
$$;

-- For whoever asks: with the names of who waits, which no mail has.
create or replace function needs_you() returns table (kind text, items integer, number bigint,
  thing_id uuid, version integer, cents bigint, since timestamptz, due_at timestamptz,
  overdue boolean, path text, who text, rights json, given_by text[])
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select n.kind, n.items, n.number, n.thing_id, n.version, n.cents, n.since, n.due_at,
      coalesce(n.due_at < now(), false), n.path,
      -- Asked one by one: a join would read all there are.
      coalesce((select case when actor_role() <> 'super_admin' or p.asked_at is null
            then p.full_name else concat_ws(', ', p.full_name, p.email, 'of '
              || (select o.name from companies o where o.id = p.company_id)) end
          from profiles p where p.id = n.about_id),
        (select o.name from companies o where o.id = n.about_id),
        (select l.company from inquiries l where l.id = n.about_id)), w.rights, w.given_by
    from private.need_lines(actor_id()) n
      left join lateral (
        select json_agg(json_build_object('id', r.id, 'kind', r.kind)) as rights,
            array_agg(distinct g.full_name) as given_by
          from private.rights_to_confirm(actor_company(), actor_id()) r
            left join profiles g on g.id = r.given_by
          where n.kind = 'right_waits' and r.person_id = n.thing_id) w on true
    where actor_role() <> 'waiting';
end;
grant execute on function needs_you to healthfund_request;
