-- A company may keep receipts from its reviewers, who then decide by the checks alone.
alter table companies add column receipts_restricted boolean not null default false;
comment on column companies.receipts_restricted is 'Its reviewers decide without seeing receipts: one opens to who has the right to them, for a purpose that the employee is told.';
alter table receipts add column restricted boolean not null default false;
comment on column receipts.restricted is 'Was sent while the company restricted its receipts, and stays so when it no longer does.';
alter table receipt_openings add column purpose text check (char_length(purpose) between 3 and 200);
comment on column receipt_openings.purpose is 'Why a restricted receipt was opened, as its opener said: then it is open to them for half an hour.';

alter table company_rights drop constraint company_rights_kind_check,
  add constraint company_rights_kind_check
    check (kind in ('owner', 'people', 'reviewer', 'receipts', 'finance', 'auditor', 'viewer'));
