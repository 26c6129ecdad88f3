-- Claims: who sees them, and what the record of changes keeps of them. Companies, plan years,
-- policies and people have no foreign keys from here: nothing could violate them, and they slowed
-- down submissions (docs/decisions/009-claims.md).

create policy your_own_and_your_companys on claims for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_employee()) or (select actor_has('reviewer'))));
grant select on claims to healthfund_request;
-- The record leaves out the content: treatment, provider and dependent are shown on the claim's
-- own pages only.
create or replace trigger audit after insert or update or delete on claims
  for each row execute function audited('version', 'type_id', 'type_name', 'provider', 'note',
    'dependent_id', 'for_whom', 'service_on', 'category', 'spot_check_draw', 'due_at',
    'awaited_days', 'suspicion', 'awaits_reading', 'receipt_agrees', 'overdue', 'steps',
    'by_name', 'of_manager', 'lines');
-- The trigger's function takes the whole row apart, so it runs only when the provider is not one
-- line.
create or replace trigger as_one_line before insert or update of provider on claims
  for each row when (new.provider is distinct from one_line(new.provider))
  execute function private.keep_as_line('provider');
create or replace trigger numbered before insert on claims
  for each row execute function private.set_number();

-- Whether a claim still counts: its bill and receipts are taken, and limits count it.
create or replace function private.still_counts(status text, payment text) returns boolean
language sql immutable
return status in ('pending', 'approved') and payment is distinct from 'reversed';

-- Whether a claim waits for a payout: approved and in none yet, or its payment came back.
create or replace function private.awaits_payout(payment text) returns boolean
language sql immutable
return payment in ('unpaid', 'returned');

-- Whether a claim is still to be paid: in no payout yet, or in one that is not released.
create or replace function private.is_to_be_paid(payment text) returns boolean
language sql immutable
return private.awaits_payout(payment) or payment = 'in_run';

create policy of_claims_you_see on claim_events for select using (
  company_id = (select actor_company())
    and ((select actor_has('reviewer'))
      or exists (select from claims c where c.company_id = claim_events.company_id
        and c.id = claim_events.claim_id and c.person_id = (select actor_id()))
      and undone_at is null));
grant select on claim_events to healthfund_request;
