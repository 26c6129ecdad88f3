-- Whom a company declined it does not let in by a rule later: only by name.
alter table profiles add column declined_by uuid references companies on delete set null;
comment on column profiles.declined_by is 'The company whose admin declined this person’s request last: its auto-registration passes them over.';

-- An appeal brings receipts now.
drop function if exists appeal_claim(bigint, text);

-- Approved claims are counted without those whose approval was reversed; they are few.
create index claims_reversed on claims (company_id) where payment = 'reversed';
