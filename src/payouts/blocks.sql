-- Payments that payouts leave out until somebody with Finance removes the block: of one claim, or
-- all to a person.

create policy your_companys on payment_blocks for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on payment_blocks to healthfund_request;
create or replace trigger audit after insert or update or delete on payment_blocks
  for each row execute function audited();

-- All payments that the next payout could make: with what it leaves out and why, what it withholds
-- or gives back, and returned ones.
create or replace function due_payments(cut_off date) returns table (person_id uuid, cents bigint,
  withheld_cents bigint, waits boolean, without_account boolean, blocked boolean, claims json,
  returned json)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := private.paying_company();
begin
  return query
    with due as materialized (
      select * from private.payable_claims(company, cut_off)),
    part as (
      select * from private.payable_parts(company, array(
        select (d.person_id, d.claim_id, d.cents)::private.payable_claim from due d
          where not d.left_out))),
    owed as (
      select d.person_id, d.claim_id, d.cents, d.waits, d.blocked, d.returned_in from due d
      union all
      select p.person_id, null, 0, false, false, null from part p where p.claims = 0)
    select t.person_id, sum(t.cents)::bigint,
        coalesce((select p.withheld_cents from part p where p.person_id = t.person_id), 0),
        bool_or(t.waits), not exists (select from bank_accounts b where b.company_id = company
          and b.person_id = t.person_id),
        t.person_id in (select private.blocked_people(company)),
        coalesce(json_agg(json_build_object('id', t.claim_id, 'cents', t.cents, 'blocked',
          t.blocked) order by t.claim_id) filter (where t.claim_id is not null), '[]'),
        (select json_build_object('at', i.returned_at, 'because', i.returned_because,
            'by_bank', i.by_bank, 'same_account', i.by_bank and exists (select from bank_accounts b
              where b.company_id = company and b.person_id = i.person_id
                and b.changed_at < i.returned_at))
          from pay_items i where i.company_id = company and i.run_id = max(t.returned_in)
            and i.person_id = t.person_id)
      from owed t group by t.person_id;
end $$;

-- The amount that a block keeps out of payouts now.
create or replace function blocked_cents(person uuid, claim bigint) returns bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select coalesce(sum(c.approved_cents), 0)::bigint from claims c
  where actor_has('finance', 'auditor') and c.company_id = actor_company()
    and c.person_id = person and (claim is null or c.id = claim)
    and private.awaits_payout(c.payment));

-- The blocks of one's own payments, without their reasons.
create or replace function my_payment_blocks() returns table (everything boolean, claim_ids json)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select coalesce(bool_or(b.claim_id is null), false),
      coalesce(json_agg(b.claim_id) filter (where b.claim_id is not null), '[]')
    from payment_blocks b where b.company_id = actor_company() and b.person_id = actor_id()
      and b.removed_at is null;
end;

-- Blocking waits for payouts here, so a payment that is being released is either paid or left out,
-- never both.
create or replace function block_payment(person uuid, claim bigint, reason text) returns uuid
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  me uuid := actor_id();
  payment text;
  made uuid;
begin
  perform private.lock_pay_runs(company);
  perform from profiles p where p.company_id = company and p.id = person;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(own_money_refusal('finance', person, me));
  if claim is not null then
    -- A claim that is not approved, or reversed, has no payment.
    select c.payment into payment from claims c where c.company_id = company and c.id = claim
      and c.person_id = person and c.payment <> 'reversed' for no key update;
    if not found then perform private.refuse('not_found'); end if;
    if payment = 'paid' then perform private.refuse('claim_already_paid'); end if;
    -- The undo of the approval ends: it would leave the block without a payment.
    perform private.end_undo(company, 'claim ' || claim);
  end if;
  insert into payment_blocks (company_id, person_id, claim_id, reason, placed_by)
    values (company, person, claim, block_payment.reason, me) returning id into made;
  perform private.take_from_run(r, person, claim) from pay_runs r
    where r.company_id = company and r.status = 'made' and exists (select from pay_items i
      left join pay_claims c on c.company_id = company and c.run_id = r.id
        and c.person_id = person and c.claim_id = claim
      where i.company_id = company and i.run_id = r.id and i.person_id = person
        and (claim is null or c.claim_id = claim));
  perform private.notify_of_block('payment_blocked', company, person, claim);
  return made;
end $$;

create or replace function unblock_payment(block uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  b payment_blocks;
begin
  perform private.lock_pay_runs(company);
  select * into b from payment_blocks x where x.company_id = company and x.id = block for update;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(own_money_refusal('finance', b.person_id, actor_id()));
  if b.removed_at is not null then perform private.refuse('block_already_removed'); end if;
  update payment_blocks x set removed_at = now(), removed_by = actor_id()
    where x.company_id = company and x.id = block;
  perform private.notify_of_block('payment_unblocked', company, b.person_id, b.claim_id);
end $$;

create or replace function private.notify_of_block(what text, company uuid, person uuid,
  claim bigint) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  select notify_person(person, what, jsonb_strip_nulls(jsonb_build_object('claim', claim))),
    publish('person:' || person), publish('admins:' || company)
$$;

-- Takes claims out of a run that is not released: they are again unpaid, or returned by the bank,
-- of which their owner is asked.
create or replace function private.take_claims_from_run(company uuid, run bigint, person uuid,
  claim bigint) returns void
language sql set search_path = public, pg_catalog, pg_temp as $$
  with back as (
    update claims c set run_id = null, version = c.version + 1, payment = case when exists (
        select from claim_events e where e.company_id = c.company_id and e.claim_id = c.id
          and e.event = 'payment_returned') then 'returned' else 'unpaid' end
      where c.company_id = company and c.run_id = run and c.payment = 'in_run'
        and (person is null or c.person_id = person) and (claim is null or c.id = claim)
      returning c.*)
  insert into claim_events (company_id, claim_id, number, event, by_id, by_role)
    select b.company_id, b.id, b.version, 'taken_from_run', actor_id(), 'company_admin' from back b
$$;

-- Takes one claim, or all of a person, out of a run that is not released. The amount withheld from
-- the rest is computed again, and a run without payments is cancelled.
create or replace function private.take_from_run(r pay_runs, person uuid, claim bigint) returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.take_claims_from_run(r.company_id, r.id, person, claim);
  delete from pay_items i
    where i.company_id = r.company_id and i.run_id = r.id and i.person_id = person;
  perform private.add_pay_items(r.company_id, r.id, array[person]);
  perform private.sum_up_run(r.company_id, r.id);
  update pay_runs x set version = x.version + 1, status = case when exists (
      select from pay_items i where i.company_id = r.company_id and i.run_id = r.id)
      then x.status else 'cancelled' end
    where x.company_id = r.company_id and x.id = r.id;
end $$;

grant execute on function due_payments, blocked_cents, my_payment_blocks, block_payment,
  unblock_payment to healthfund_request;
