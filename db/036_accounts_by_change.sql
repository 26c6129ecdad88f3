-- Whose account waits is looked for among those that were changed lately.
create index bank_accounts_by_change on bank_accounts (company_id, changed_at);
