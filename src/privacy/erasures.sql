-- Requests for erasure: asked by the person, decided by HR and then by the provider.

create policy your_own on erasures for select using (person_id = (select actor_id()));
create policy for_hr on erasures for select using (
  (select actor_has('people')) and of_company = (select actor_company()));
-- The provider is asked once HR has agreed, or where there is no HR.
create policy for_the_provider on erasures for select using (
  (select actor_role()) = 'super_admin'
    and (of_company is null or hr_at is not null and status <> 'requested'));
grant select on erasures to healthfund_request;
create or replace trigger audit after insert or update or delete on erasures
  for each row execute function audited('reason', 'refusal');

-- Blockers of an erasure, worst first. For the owner's functions: `erasure_blockers` checks who
-- may ask.
create or replace function private.blockers_of(person uuid)
returns table (code text, items bigint, cents bigint)
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare p profiles;
begin
  select * into p from profiles where id = person;
  if p.role = 'super_admin' and not exists (select from profiles x
      where x.role = 'super_admin' and x.status = 'active' and x.id <> person) then
    return query select 'erasure_last_super_admin', 1::bigint, null::bigint;
  end if;
  if is_last_owner(p.company_id, person) then
    return query select 'erasure_only_admin', 1::bigint, null::bigint;
  end if;
  if p.company_id is null then return; end if;
  return query select 'erasure_open_claims', count(*), sum(c.amount_cents)::bigint from claims c
    where c.company_id = p.company_id and c.person_id = person and c.status = 'pending'
    having count(*) > 0;
  return query select 'erasure_unpaid_claims', count(*), sum(c.approved_cents)::bigint from claims c
    where c.company_id = p.company_id and c.person_id = person
      and private.is_to_be_paid(c.payment) having count(*) > 0;
  -- Payments wait for their pay day: until then Finance may pass on the file, which would lack
  -- them.
  return query select 'erasure_unpaid_claims', count(*), sum(i.paid_cents)::bigint
    from pay_items i join pay_runs r on r.company_id = i.company_id and r.id = i.run_id
    where i.company_id = p.company_id and i.person_id = person and r.status = 'released'
      and r.pay_on > company_today(p.company_id) and i.returned_at is null and i.paid_cents > 0
    having count(*) > 0;
  return query select 'erasure_unpaid_claims', 1::bigint, -o.cents
    from private.amounts_to_withhold(p.company_id, array[person]) o where o.cents < 0
      and o.plan_year is null;
  return query select 'erasure_overpaid', count(*), sum(a.balance_cents)::bigint from accounts a
    where a.company_id = p.company_id and a.person_id = person and a.kind = 'overpaid'
      and a.balance_cents > 0 having count(*) > 0;
end $$;

create or replace function erasure_blockers(person uuid)
returns table (code text, items bigint, cents bigint, currency text)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if person = actor_id() and actor_role() <> 'waiting' or exists (select from erasures e
      where e.person_id = person and (actor_has('people')
        and e.of_company = actor_company()
        or actor_role() = 'super_admin' and e.status <> 'requested')) then
    return query select b.*, c.currency from private.blockers_of(person) b
      left join profiles p on p.id = person left join companies c on c.id = p.company_id;
  end if;
end $$;

-- Why the actor may not answer a request now; null where they may. HR answers new requests, the
-- provider those passed on. Only the actor may see blockers, so for anybody else as `me` only the
-- act of refusing can be asked about.
create or replace function erasure_refusal(act text, e erasures, me uuid) returns text
language sql stable
return case
  when e.status <> case when exists (select from profiles p where p.id = me
      and p.role = 'super_admin') then 'with_provider' else 'requested' end then 'erasure_decided'
  when e.person_id = me then 'yourself'
  when act = 'approve' then (select b.code from erasure_blockers(e.person_id) b limit 1) end;

-- Why the caller may not request erasure now; null where they may. Money and claims can still be
-- settled while it waits, but somebody else must be there before it is requested.
create or replace function request_erasure_refusal() returns text
language sql stable
return case
  when exists (select from erasures e where e.person_id = actor_id()
      and e.status in ('requested', 'with_provider', 'under_way')) then 'erasure_already_requested'
  else (select b.code from erasure_blockers(actor_id()) b
    where b.code in ('erasure_last_super_admin', 'erasure_only_admin') limit 1) end;

create or replace function request_erasure(reason text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  p profiles;
  to_provider boolean;
  made uuid;
begin
  if actor_role() not in ('employee', 'company_admin', 'super_admin') then
    perform private.refuse('forbidden');
  end if;
  perform private.refuse_unless_fresh();
  select * into strict p from profiles where id = actor_id() for no key update;
  perform private.refuse(request_erasure_refusal());
  to_provider := p.company_id is null or not another_holder('people', p.company_id, p.id);
  insert into erasures (person_id, of_company, status, reason, hr_at)
    values (p.id, p.company_id, case when to_provider then 'with_provider' else 'requested' end,
      request_erasure.reason, case when to_provider and p.company_id is not null then now() end)
    returning id into made;
  perform private.notify_of_erasure(p.id, p.company_id),
    case when to_provider then private.notify_supers('erasure_waits')
      else notify_right_holders(p.company_id, 'erasure_waits') end;
  return made;
end $$;

create or replace function private.notify_of_erasure(person uuid, company uuid) returns void
language sql
begin atomic
  select publish('person:' || person), publish('admins:' || company), publish('supers');
end;

-- Passes requests on to the provider if nobody in the company can decide: no admin is left who may,
-- or the company is suspended.
create or replace function private.send_erasures_to_provider() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare e erasures;
begin
  for e in select * from erasures x where x.status = 'requested'
      and (not another_holder('people', x.of_company, x.person_id) or exists (select
        from companies c where c.id = x.of_company and c.status = 'suspended'))
    order by x.id for update skip locked
  loop
    update erasures x set status = 'with_provider', hr_at = now() where x.id = e.id;
    perform private.notify_supers('erasure_waits'),
      private.notify_of_erasure(e.person_id, e.of_company);
  end loop;
end $$;

create or replace function withdraw_erasure() returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare e erasures;
begin
  select * into e from erasures x where x.person_id = actor_id() and actor_role() <> 'waiting'
    and x.status in ('requested', 'with_provider') for update;
  if not found then perform private.refuse('no_erasure_requested'); end if;
  update erasures set status = 'withdrawn', ended_at = now() where id = e.id;
  perform private.notify_of_erasure(e.person_id, e.of_company);
end $$;

-- Locks a request for the answer of this admin or provider.
create or replace function private.lock_erasure(act text, erasure uuid) returns erasures
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare e erasures;
begin
  select * into e from erasures x where x.id = erasure and (
      actor_has('people') and x.of_company = actor_company()
      or actor_role() = 'super_admin' and (x.of_company is null or x.hr_at is not null))
    for update;
  if not found then perform private.refuse('not_found'); end if;
  if act = 'approve' then
    -- Erasures are serialized: two at once would each count on the other person staying.
    perform pg_advisory_xact_lock(hashtextextended('erasures', 0));
    -- Waits for a claim that is being submitted right now, which blocks the erasure. It comes
    -- before the profile in the order of locks.
    perform private.lock_claimant(e.person_id);
    perform from profiles where id = e.person_id for update;
  end if;
  perform private.refuse(coalesce(erasure_refusal(act, e, actor_id()), case act
    when 'approve' then too_wide_refusal((select json_agg(g)
      from private.count_items_to_erase(e.person_id) g)) end));
  return e;
end $$;

create or replace function approve_erasure(erasure uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  e erasures := private.lock_erasure('approve', erasure);
  going jsonb;
begin
  if actor_has('people') then
    update erasures set status = 'with_provider', hr_id = actor_id(), hr_at = now() where id = e.id;
    perform private.notify_supers('erasure_waits');
  else
    going := (select jsonb_object_agg(g.kind, g.items)
      from private.count_items_to_erase(e.person_id) g);
    perform private.erase_person(e.person_id, e.id);
    update erasures set status = 'under_way', reason = null, provider_id = actor_id(),
      provider_at = now(),
        gone = going
      where id = e.id;
    if e.of_company is not null then
      perform notify_person(p.id, 'erasure_granted')
        from private.holders(e.of_company, 'people') p (id);
    end if;
  end if;
  perform private.notify_of_erasure(e.person_id, e.of_company);
end $$;

create or replace function refuse_erasure(erasure uuid, refusal text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare e erasures := private.lock_erasure('refuse', erasure);
begin
  update erasures x set status = 'refused', refusal = refuse_erasure.refusal, ended_at = now(),
      refused_side = case actor_role() when 'company_admin' then 'hr' else 'provider' end,
      hr_id = case actor_role() when 'company_admin' then actor_id() else x.hr_id end,
      hr_at = case actor_role() when 'company_admin' then now() else x.hr_at end,
      provider_id = case actor_role() when 'super_admin' then actor_id() end,
      provider_at = case actor_role() when 'super_admin' then now() end
    where x.id = e.id;
  perform notify_person(e.person_id, 'erasure_refused'),
    private.notify_of_erasure(e.person_id, e.of_company);
end $$;

grant execute on function erasure_blockers, erasure_refusal, request_erasure_refusal,
  request_erasure, withdraw_erasure, approve_erasure, refuse_erasure to healthfund_request;
