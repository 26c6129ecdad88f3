-- Receipts: a file is always named, by its receipt's row or as a leftover; whoever opens one leaves a trace.

-- Keys that wrap the key of each file, themselves wrapped by what follows from the installation's key.
create table wall.file_keys (
  id          integer generated always as identity primary key,
  wrapped_key bytea not null,
  made_at     timestamptz not null default now(),
  retired_at  timestamptz
);
comment on table wall.file_keys is 'Keys that wrap the keys of files: the newest wraps, retired ones open until all is re-wrapped.';
alter table wall.file_keys enable row level security;
create unique index one_file_key_in_use on wall.file_keys ((true)) where retired_at is null;

-- Files that no row names: on their way in (then due in an hour), or left by a row that is gone.
create table wall.leftover_files (
  storage_key text primary key,
  due_at      timestamptz not null default now()
);
comment on table wall.leftover_files is 'Files that no receipt names yet, or any more. Written before a file is, so that none is ever lost sight of.';
alter table wall.leftover_files enable row level security;
create index leftover_files_by_age on wall.leftover_files (due_at);

-- Seven parts of a likeness: two that differ in at most six bits have one of them in common.
create function wall.likeness_parts(likeness bigint) returns integer[]
language sql immutable parallel safe set search_path = pg_catalog
return array[(likeness & 511), 1024 + (likeness >> 9 & 511), 2048 + (likeness >> 18 & 511),
  3072 + (likeness >> 27 & 511), 4096 + (likeness >> 36 & 511), 5120 + (likeness >> 45 & 511),
  6144 + (likeness >> 54 & 1023)]::integer[];

create table receipts (
  company_id        uuid not null,
  id                uuid not null default gen_random_uuid(),
  person_id         uuid not null,
  claim_id          bigint,
  file_name         text not null check (length(file_name) between 1 and 200),
  media_type        text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  size_bytes        integer not null check (size_bytes > 0),
  sha256            bytea not null check (length(sha256) = 32),
  likeness          bigint,
  pages             integer not null check (pages between 1 and 100),
  width             integer not null,
  height            integer not null,
  storage_key       text not null,
  file_key          integer not null references wall.file_keys on delete restrict,
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
  created_at        timestamptz not null default now(),
  likeness_parts    integer[] generated always as (wall.likeness_parts(likeness)) stored,
  primary key (company_id, id),
  foreign key (company_id, person_id) references profiles (company_id, id)
    on update cascade on delete cascade
);
comment on table receipts is 'A receipt as it was re-encoded and sealed: unattached for a day at most, then of one claim. `sha256` is of the file as it was sent; the text that was read is not kept.';
create index receipts_of_claim on receipts (company_id, claim_id) where claim_id is not null;
create index receipts_unattached on receipts (company_id, person_id, created_at) where claim_id is null;
create index receipts_unattached_by_age on receipts (created_at) where claim_id is null;
create index receipts_to_read on receipts (read_touched_at) where read_state in ('waiting', 'reading');
create index receipts_by_file on receipts (company_id, sha256) where claim_id is not null;
create index receipts_by_likeness on receipts using gin (company_id, likeness_parts)
  where claim_id is not null and likeness is not null;
create index receipts_by_storage on receipts (company_id, storage_key);
create index receipts_by_file_key on receipts (file_key);

alter table receipts enable row level security;
create policy your_own on receipts for select using (
  person_id = (select actor_id()) and company_id = (select actor_company())
  and (select actor_role()) = 'employee');
create policy your_companys_claims on receipts for select using (
  company_id = (select actor_company()) and claim_id is not null
  and (select actor_role()) = 'company_admin');
-- Where the file is and what opens it is told by `open_receipt` alone, which writes down that it did.
grant select (company_id, id, person_id, claim_id, file_name, media_type, size_bytes, pages, width,
  height, read_state, read_amount_cents, read_currency, read_on, read_provider, created_at)
  on receipts to healthfund_request;
create trigger audit after insert or update or delete on receipts
  for each row execute function audited('file_name', 'sha256', 'likeness', 'likeness_parts',
    'storage_key', 'file_key', 'wrapped_key', 'parts', 'read_state', 'read_tries', 'read_touched_at',
    'read_amount_cents', 'read_currency', 'read_on', 'read_provider');

-- Who looked into a receipt. A person's own looks are here too, but not told as somebody's.
create table receipt_openings (
  company_id  uuid not null,
  id          bigint generated always as identity,
  receipt_id  uuid not null,
  person_id   uuid not null,
  opener_id   uuid not null,
  opener_name text not null,
  opener_role text not null,
  what        text not null check (what in ('picture', 'file')),
  at          timestamptz not null default now(),
  primary key (company_id, id),
  foreign key (company_id, receipt_id) references receipts on delete cascade
);
comment on table receipt_openings is 'Who opened a receipt and when, written in the act that opened it, readable by the person whose receipt it is.';
create index receipt_openings_by_receipt on receipt_openings (company_id, receipt_id, id desc);
alter table receipt_openings enable row level security;
create policy of_your_receipts on receipt_openings for select using (
  person_id = (select actor_id()) and company_id = (select actor_company()));
grant select on receipt_openings to healthfund_request;

-- A file goes with its last row (a copy for another claim shares it), in the same transaction or not at all.
create function wall.leave_file() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(old.storage_key, 1));
  if not exists (select from receipts
      where company_id = old.company_id and storage_key = old.storage_key) then
    insert into wall.leftover_files (storage_key) values (old.storage_key)
      on conflict (storage_key) do update set due_at = now();
    perform add_job('receipts:sweep', key => 'receipts sweep');
  end if;
  return null;
end $$;
create trigger leave_file after delete on receipts
  for each row execute function wall.leave_file();

-- For claims: ties receipts to a claim, or says that one of them is gone. Answers what was read from each.
create function attach_receipts(company uuid, person uuid, receipts uuid[], claim bigint)
returns table (id uuid, read_state text, read_amount_cents bigint, read_currency text, read_on date,
  read_provider text)
language plpgsql security definer set search_path = public, pg_catalog as $$
#variable_conflict use_column
declare wanted uuid[] := array(select distinct unnest(attach_receipts.receipts));
begin
  perform from receipts r where r.company_id = company and r.id = any (wanted) order by r.id for update;
  if (select count(*) from receipts r where r.company_id = company and r.id = any (wanted)
      and r.person_id = person and coalesce(r.claim_id, claim) = claim) <> cardinality(wanted) then
    raise exception 'receipt_gone' using errcode = 'HF422';
  end if;
  return query update receipts r set claim_id = claim
    where r.company_id = company and r.id = any (wanted)
    returning r.id, r.read_state, r.read_amount_cents, r.read_currency, r.read_on, r.read_provider;
end $$;

-- For claims: the same or a like receipt on other claims of the company. `score` is 100 for the same file;
-- a likeness whose read amount or date differs is another receipt from the same printer, and left out.
create function receipt_twins(company uuid, person uuid, receipts uuid[])
returns table (receipt_id uuid, claim_id bigint, own boolean, same_file boolean, score integer)
language sql stable security definer set search_path = public, pg_catalog
begin atomic
  select m.id, o.claim_id, bool_or(o.person_id = receipt_twins.person), bool_or(o.sha256 = m.sha256),
      max(case when o.sha256 = m.sha256 then 100
        else 95 - 5 * bit_count((o.likeness # m.likeness)::bit(64))::integer end)
    from receipts m join receipts o on o.company_id = m.company_id and o.id <> m.id
      and o.claim_id is not null and o.claim_id is distinct from m.claim_id
    where m.company_id = receipt_twins.company and m.id = any (receipt_twins.receipts)
      and (o.sha256 = m.sha256
        or (o.likeness_parts && m.likeness_parts
          and bit_count((o.likeness # m.likeness)::bit(64)) <= 6
          and coalesce(o.read_amount_cents = m.read_amount_cents, true)
          and coalesce(o.read_on = m.read_on, true)))
    group by m.id, o.claim_id;
end;

-- Both are for functions of ours: which claims are alike is never told to a person.
revoke execute on function attach_receipts(uuid, uuid, uuid[], bigint),
  receipt_twins(uuid, uuid, uuid[]), wall.likeness_parts(bigint), wall.leave_file() from public;
