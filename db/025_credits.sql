-- A debt that one run kept back, and whose own payment came back after all, is given back by the next run.

alter table pay_items add column credit_cents bigint not null default 0 check (credit_cents >= 0),
  drop constraint no_more_kept_back_than_paid,
  add constraint no_more_kept_back_than_paid check (offset_cents <= claims_cents);
comment on column pay_items.offset_cents is 'What is kept back; below zero where more is given back that was kept back for a payment that never arrived.';
comment on column pay_items.credit_cents is 'The payment came back, and so much had been kept back for reversed claims of it: owed to the person.';
create index pay_items_credited on pay_items (company_id, person_id) where credit_cents > 0;
alter table pay_offsets drop constraint pay_offsets_cents_check,
  add constraint pay_offsets_cents_check check (cents > 0 or cents < 0 and plan_year is null);
