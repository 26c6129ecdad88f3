-- A payment can be kept out of payouts until somebody lets it go: of one claim, or all of a person.
create table payment_blocks (
  company_id uuid not null,
  id         uuid not null default gen_random_uuid(),
  person_id  uuid not null,
  claim_id   bigint,
  reason     text not null check (length(reason) between 3 and 500),
  placed_by  uuid not null,
  placed_at  timestamptz not null default now(),
  removed_by uuid,
  removed_at timestamptz,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  foreign key (company_id, claim_id) references claims (company_id, id) on delete cascade
);
comment on table payment_blocks is 'What is kept out of payouts, by whom and why: one claim of a person, or (without a claim) everything of theirs, until the block is removed. The reason is for who pays and who audits, never for the person while it stands.';
create unique index payment_blocked_already on payment_blocks (company_id, person_id, coalesce(claim_id, 0))
  where removed_at is null;
create index payment_blocks_of_claim on payment_blocks (company_id, claim_id);
create index payment_blocks_standing on payment_blocks (company_id, placed_at, id) where removed_at is null;
alter table payment_blocks enable row level security;
