-- Receipts: a file is always named, by its receipt's row or as a leftover; whoever opens one leaves
-- a trace.

-- Keys that wrap the key of each file, themselves wrapped by what follows from the installation's
-- key.
create table private.file_keys (
  id          integer generated always as identity primary key,
  wrapped_key bytea not null,
  made_at     timestamptz not null default now(),
  retired_at  timestamptz
);
comment on table private.file_keys is 'Keys that wrap the keys of files: the newest wraps, retired ones open until all is re-wrapped.';
create unique index one_file_key_in_use on private.file_keys ((true)) where retired_at is null;
alter table private.file_keys enable row level security;

-- Files that no row names: on their way in (then due in an hour), or left by a row that is gone.
create table private.leftover_files (
  storage_key text primary key,
  due_at      timestamptz not null default now()
);
comment on table private.leftover_files is 'Files that no receipt names yet, or any more. Written before a file is, so that none is ever lost sight of.';
create index leftover_files_by_age on private.leftover_files (due_at);
alter table private.leftover_files enable row level security;

-- Seven parts of a likeness: two that differ in at most six bits have one of them in common.
create function private.likeness_parts(likeness bigint) returns integer[]
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
return array[(likeness & 511), 1024 + (likeness >> 9 & 511), 2048 + (likeness >> 18 & 511),
  3072 + (likeness >> 27 & 511), 4096 + (likeness >> 36 & 511), 5120 + (likeness >> 45 & 511),
  6144 + (likeness >> 54 & 1023)]::integer[];

create table receipts (
  company_id        uuid not null,
  id                uuid not null default gen_random_uuid(),
  person_id         uuid not null,
  claim_id          bigint,
  restricted        boolean not null default false,
  file_name         text not null check (length(file_name) between 1 and 200),
  media_type        text not null check (media_type in
                      ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  size_bytes        integer not null check (size_bytes > 0),
  sha256            bytea not null check (length(sha256) = 32),
  likeness          bigint,
  likeness_parts    integer[] generated always as (private.likeness_parts(likeness)) stored,
  pages             integer not null check (pages between 1 and 100),
  width             integer not null,
  height            integer not null,
  storage_key       text not null,
  file_key          integer not null references private.file_keys on delete restrict,
  wrapped_key       bytea not null,
  parts             jsonb not null,
  read_state        text not null default 'waiting'
                      check (read_state in ('waiting', 'reading', 'read', 'unreadable')),
  read_tries        integer not null default 0,
  read_touched_at   timestamptz not null default now(),
  read_amount_cents bigint check (read_amount_cents > 0),
  read_currency     text check (read_currency ~ '^[A-Z]{3}$'),
  read_on           date,
  read_provider     text check (length(read_provider) between 1 and 100),
  -- Where on the receipt it was read: shares of the page, as {amount, on, provider}.
  read_marks        jsonb not null default '{}',
  -- The person whose receipt it is may black out parts of it before it is part of a claim.
  blacked_times     integer not null default 0 check (blacked_times >= 0),
  blacked_reads     text[] not null default '{}'
                      check (blacked_reads <@ array['amount', 'on', 'provider']),
  unseen            jsonb not null default '{}',
  created_at        timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id)
    on update cascade on delete cascade
);
comment on table receipts is 'A receipt as it was re-encoded and sealed: unattached for a day at most, then of one claim. `sha256` is of the file as it was sent; the text that was read is not kept.';
comment on column receipts.restricted is 'Was sent while the company restricted its receipts, and stays so when it no longer does.';
comment on column receipts.blacked_times is 'How often its person blacked out parts of it: each time its file was made again, and the one before removed.';
comment on column receipts.blacked_reads is 'Which of what was read stood where it is black now.';
comment on column receipts.unseen is 'Read from parts that are blacked out now, for the checks alone: amount, currency and day, and hashes of the provider''s name to compare with. No login reads it.';
create index receipts_of_claim on receipts (company_id, claim_id) where claim_id is not null;
create index receipts_unattached on receipts (company_id, person_id, created_at)
  where claim_id is null;
create index receipts_unattached_by_age on receipts (created_at) where claim_id is null;
create index receipts_to_read on receipts (read_touched_at)
  where read_state in ('waiting', 'reading');
create index receipts_by_file on receipts (company_id, sha256) where claim_id is not null;
create index receipts_by_likeness on receipts using gin (company_id, likeness_parts)
  where claim_id is not null and likeness is not null;
-- A file is looked up by its whole name alone.
create index receipts_by_storage_key on receipts using hash (storage_key);
create index receipts_by_file_key on receipts (file_key);
alter table receipts enable row level security;

-- Openings of receipts. A person's own are recorded here, too, but not shown as somebody else's.
create table receipt_openings (
  company_id  uuid not null,
  id          bigint generated always as identity,
  receipt_id  uuid not null,
  person_id   uuid not null,
  opener_id   uuid not null,
  opener_name text not null,
  opener_role text not null,
  what        text not null check (what in ('picture', 'file')),
  purpose     text check (char_length(purpose) between 3 and 200),
  at          timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, receipt_id) references receipts on delete cascade
);
comment on table receipt_openings is 'An opening of a receipt, by whom and when, written in the act that opened it, readable by the person whose receipt it is.';
comment on column receipt_openings.purpose is 'Why a restricted receipt was opened, as its opener said: then it is open to them for half an hour.';
create index receipt_openings_by_receipt on receipt_openings (company_id, receipt_id, id desc);
alter table receipt_openings enable row level security;
