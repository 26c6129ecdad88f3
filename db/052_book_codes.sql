-- What a company's payroll and bookkeeping call what is paid: wage types, accounts, DATEV's numbers.

create table book_codes (
  company_id uuid not null references companies on delete restrict,
  item       text not null check (item in (
               'wage_prevention', 'wage_treatment', 'wage_solidarity', 'wage_correction',
               'expense_prevention', 'expense_treatment', 'expense_solidarity', 'write_off',
               'payable', 'bank', 'payroll', 'transit',
               'datev_consultant', 'datev_client', 'datev_digits', 'datev_year')),
  code       text not null,
  primary key (company_id, item),
  constraint book_code_invalid check (case
    when item like 'wage\_%' then code ~ '^[A-Za-z0-9]{1,20}$'
    when item = 'datev_consultant' then code ~ '^[1-9]\d{3,6}$' and code <> '1000'
    when item = 'datev_client' then code ~ '^[1-9]\d{0,4}$'
    when item = 'datev_digits' then code ~ '^[4-8]$'
    when item = 'datev_year' then code ~ '^([1-9]|1[0-2])$'
    else code ~ '^[A-Za-z0-9][A-Za-z0-9./-]{0,19}$' end)
);
comment on table book_codes is 'By company, what its own payroll and books call each thing (docs/books.md). What is not named has no row.';
alter table book_codes enable row level security;

-- The account itself goes with an erased person; the books keep which way it was.
alter table pay_items add column by_bank boolean not null default false;
comment on column pay_items.by_bank is 'Paid by the bank''s file; else with the salary. Known from the release on.';
update pay_items set by_bank = true where iban is not null;
create index pay_items_returned on pay_items (company_id, returned_at) where returned_at is not null;
