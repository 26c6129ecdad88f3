-- The next delivery of each webhook. Run by workers alone.

-- Fields of a recorded row that did not change, and whether the decision that the entry is about
-- was undone.
create or replace function private.about_entry(l audit_log) returns jsonb
language sql stable
return case l.table_name
  when 'claims' then (select jsonb_build_object('person_id', c.person_id, 'category', c.category,
      'plan_year', c.plan_year, 'amount_cents', c.amount_cents, 'currency', o.currency,
      'approved_cents', c.approved_cents,
      'automatic', c.automatic, 'undone', exists (select from claim_events e
        where e.company_id = c.company_id and e.claim_id = c.id and e.at = l.at
          and e.undone_at is not null))
    from claims c join companies o on o.id = c.company_id
    where c.company_id = l.company_id and c.id = l.row_id::bigint)
  when 'pay_runs' then (select jsonb_build_object('cut_off_on', r.cut_off_on, 'pay_on', r.pay_on,
      'claims', r.claims, 'people', r.people, 'claims_cents', r.claims_cents,
      'withheld_cents', r.withheld_cents, 'paid_cents', r.paid_cents, 'currency', o.currency)
    from pay_runs r join companies o on o.id = r.company_id
    where r.company_id = l.company_id and r.id = l.row_id::bigint)
  when 'profiles' then (select jsonb_build_object('role', p.role, 'account_state', p.account_state,
      'joined_on', p.joined_on, 'left_on', p.left_on, 'erased', p.erased_at = l.at
        and not exists (select from audit_log x where x.row_id = l.row_id
          and x.table_name = 'profiles' and x.id > l.id))
    from profiles p where p.id = l.row_id::uuid and p.company_id = l.company_id)
  when 'dependents' then (select jsonb_build_object('person_id', d.person_id, 'status', d.status,
      'covered_from', d.covered_from, 'covered_to', d.covered_to, 'undone', exists (
        select from dependent_events e where e.company_id = d.company_id and e.dependent_id = d.id
          and e.at = l.at and e.undone_at is not null))
    from dependents d where d.company_id = l.company_id and d.id = l.row_id::uuid)
  else (select jsonb_build_object('currency', o.currency) from companies o where o.id
    = l.company_id) end;

-- The sealed entries of a company after a number, up to the first whose decision can still be
-- undone: nobody is told of that one yet, nor of anything after it.
create or replace function private.entries_sealed_since(company uuid, reached bigint, most integer)
returns table (number bigint, audit_id bigint, at timestamptz, actor_id uuid, actor_role text,
  act text, table_name text, row_id text, was jsonb, now jsonb, about jsonb)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with next as materialized (
    select s.number, l as entry from audit_seals s join audit_log l on l.id = s.audit_id
      where s.company_id = company and s.number > reached order by s.number limit most),
  open as (
    select min(o.number) as number from (
      select max(n.number) as number from next n
        join private.decisions d on d.company_id = company and d.subject = case (n.entry).table_name
          when 'claims' then 'claim ' when 'dependents' then 'dependent ' end || (n.entry).row_id
        group by d.subject) o)
  select n.number, (n.entry).id, (n.entry).at, (n.entry).actor_id, (n.entry).actor_role,
      (n.entry).act, (n.entry).table_name, (n.entry).row_id, coalesce((n.entry).before, '{}'),
      coalesce((n.entry).after, '{}'), coalesce(private.about_entry(n.entry), '{}')
    from next n cross join open o where o.number is null or n.number < o.number
    order by n.number
$$;

-- The next delivery of a webhook: a test or a replay first; then, if it is sent in order, only the
-- oldest.
create or replace function private.next_delivery(w webhooks) returns webhook_deliveries
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare d webhook_deliveries;
begin
  if w.removed_at is not null then return null; end if;
  select * into d from webhook_deliveries x
    where x.company_id = w.company_id and x.webhook_id = w.id and x.status = 'waiting' and x.apart
      and x.next_at <= clock_timestamp()
    order by x.next_at, x.id limit 1;
  if found then return d; end if;
  if w.status <> 'active' or w.rests_until > clock_timestamp() then return null; end if;
  if w.in_order then
    select * into d from webhook_deliveries x
      where x.company_id = w.company_id and x.webhook_id = w.id and x.status = 'waiting'
        and not x.apart
      order by x.id limit 1;
    return case when d.next_at <= clock_timestamp() then d end;
  end if;
  select * into d from webhook_deliveries x
    where x.company_id = w.company_id and x.webhook_id = w.id and x.status = 'waiting'
      and not x.apart and x.next_at <= clock_timestamp()
    order by x.next_at, x.id limit 1;
  return d;
end $$;

-- A webhook has a bounded number of waiting deliveries: later entries stay in the record until
-- there is room.
create or replace function private.has_room(w webhooks) returns boolean
language sql stable
return (select count(*) < 1000 from (select from webhook_deliveries d
  where d.company_id = w.company_id and d.webhook_id = w.id and d.status = 'waiting' limit 1000) x);

-- Webhooks with something to do, in random order, so that none is always last.
create or replace function private.due_webhooks(most integer, besides uuid[])
returns table (company_id uuid, id uuid)
language sql stable
begin atomic
  select w.company_id, w.id from webhooks w
    join companies c on c.id = w.company_id and c.status = 'active'
    left join audit_heads h on h.company_id = w.company_id
    where w.removed_at is null and w.id <> all (besides)
      and ((private.next_delivery(w)).id is not null
        or w.status = 'active' and w.reached < h.number and private.has_room(w)
          and coalesce(w.rests_until <= clock_timestamp(), true))
    order by random() limit most;
end;

create or replace function private.note_separate_delivery(company uuid, webhook uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  update webhooks w set tried_at = now() where w.company_id = company and w.id = webhook;
  select publish('admins:' || company);
$$;

create or replace function private.note_success(company uuid, webhook uuid) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare was webhooks;
begin
  select * into was from webhooks w where w.company_id = company and w.id = webhook
    for no key update;
  update webhooks w set failures = 0, failing_since = null, rests_until = null, tried_at = now(),
      delivered_at = now()
    where w.company_id = company and w.id = webhook;
  if was.failing_since is not null then perform publish('admins:' || company); end if;
end $$;

-- Notes a failure. Three days of nothing but failures stop the webhook, or `stops` does, and owners
-- are notified. Nothing is lost: all that failed since then waits.
create or replace function private.note_failure(company uuid, webhook uuid, rest_s integer,
  stops text) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  w webhooks;
  reason text := stops;
begin
  update webhooks x set failures = least(x.failures + 1, 1000), tried_at = now(),
      failing_since = coalesce(x.failing_since, now()),
      rests_until = case when rest_s > 0 then now() + make_interval(secs => rest_s) end
    where x.company_id = company and x.id = webhook returning * into w;
  if w.failing_since < now() - interval '3 days' then reason := coalesce(reason, 'failing'); end if;
  if reason is not null and w.removed_at is null then
    update webhook_deliveries d set status = 'waiting'
      where d.company_id = company and d.webhook_id = webhook and d.status = 'failed'
        and not d.apart and d.tried_at >= w.failing_since;
  end if;
  if reason is not null and w.status = 'active' and w.removed_at is null then
    update webhooks x set status = 'stopped', stopped_for = reason
      where x.company_id = company and x.id = webhook;
    perform private.notify_of_webhook(w, 'webhook_stopped');
  end if;
  if reason is not null or w.failures = 1 then perform publish('admins:' || company); end if;
end $$;
