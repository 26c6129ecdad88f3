-- How long a new or changed account waits for its first payout: as each company's policy says, not at all by default.
alter table claim_policies add column account_wait_days smallint not null default 0
  check (account_wait_days between 0 and 60);

-- Who else is paid to the same account is looked up before each release.
create index bank_accounts_by_iban on bank_accounts (iban);
