-- Receipts: sent, kept, looked at, used again, removed. A file is always named, by its receipt's
-- row or as a leftover.

-- Whether a reviewer may see one: restricted ones for half an hour after they said why.
create or replace function receipt_opens(receipt uuid, restricted boolean) returns boolean
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return actor_has('reviewer') and (
  not receipt_opens.restricted
    and not (select c.receipts_restricted from companies c where c.id = actor_company())
  or actor_has('receipts') and exists (
    select from receipt_openings o where o.company_id = actor_company()
      and o.receipt_id = receipt_opens.receipt and o.opener_id = actor_id()
      and o.purpose is not null and o.at > now() - interval '30 minutes'));

-- How many receipts of a claim, and of the one it appeals, a reviewer may not see.
create or replace function restricted_receipts(claim bigint) returns integer
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select count(*)::integer
  from claims c join receipts r on r.company_id = c.company_id and r.claim_id in (c.id, c.appeal_of)
  where c.company_id = actor_company() and c.id = restricted_receipts.claim
    and actor_has('reviewer') and not receipt_opens(r.id, r.restricted));

-- Holders of rights see their own receipts, too: as reviewers they may meet them.
create policy your_own on receipts for select using (
  person_id = (select actor_id()) and company_id = (select actor_company()));
create policy your_companys_claims on receipts for select using (
  company_id = (select actor_company()) and claim_id is not null
  and (select actor_has('reviewer')) and receipt_opens(id, restricted));
-- The file's place and key are left out: only `open_receipt` answers them, and records that it did.
grant select (company_id, id, person_id, claim_id, file_name, media_type, size_bytes, pages, width,
  height, read_state, read_amount_cents, read_currency, read_on, read_provider, read_marks,
  restricted, blacked_times, blacked_reads, created_at)
  on receipts to healthfund_request;
create or replace trigger audit after insert or update or delete on receipts
  for each row execute function audited('file_name', 'sha256', 'likeness', 'likeness_parts',
    'storage_key', 'file_key', 'wrapped_key', 'parts', 'read_state', 'read_tries',
    'read_touched_at', 'read_amount_cents', 'read_currency', 'read_on', 'read_provider',
    'read_marks', 'blacked_reads', 'unseen');
create or replace trigger as_one_line before insert or update of file_name on receipts
  for each row execute function private.keep_as_line('file_name');

create policy of_your_receipts on receipt_openings for select using (
  person_id = (select actor_id()) and company_id = (select actor_company()));
grant select on receipt_openings to healthfund_request;

-- A file goes with its last row (a copy for another claim shares it), in the same transaction or
-- not at all.
create or replace function private.leave_file() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(old.storage_key, 1));
  if not exists (select from receipts
      where company_id = old.company_id and storage_key = old.storage_key) then
    insert into private.leftover_files (storage_key) values (old.storage_key)
      on conflict (storage_key) do update set due_at = now();
    perform add_job('receipts:sweep', key => 'receipts sweep');
  end if;
  return null;
end $$;
create or replace trigger leave_file after delete on receipts
  for each row execute function private.leave_file();

-- The name of the file of a receipt; that of one that is blacked out adds to it.
create or replace function private.file_place(company uuid, receipt uuid) returns text
language sql immutable
return company || '/' || left(receipt::text, 2) || '/' || receipt;

-- A file is about to come. Its name is written down first, so that it is found again whatever
-- happens.
create or replace function open_upload() returns table (id uuid, storage_key text)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.require_role('employee');
  perform private.require_room_for_receipt();
  id := gen_random_uuid();
  storage_key := private.file_place(actor_company(), id);
  insert into private.leftover_files (storage_key, due_at)
    values (open_upload.storage_key, now() + interval '1 hour');
  return next;
end $$;

-- How many receipts a claim has at most, and how many of a person wait for a claim.
create or replace function private.claim_receipts_max() returns integer language sql immutable
return 5;
create or replace function private.unattached_receipts_max() returns integer language sql immutable
return 20;

-- Serializes a person's uploads, so that the limit counts each of them, but no copies for Claim
-- again: their person does not see them, and no file more is kept for them.
create or replace function private.require_room_for_receipt() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(actor_id()::text, 2));
  if (select count(*) from receipts where company_id = actor_company() and person_id = actor_id()
      and claim_id is null and id not in (select copied_receipts(actor_company())))
        >= private.unattached_receipts_max() then
    perform private.refuse('receipts_already_waiting');
  end if;
end $$;

-- The file is there: from now on its receipt names it.
create or replace function keep_upload(upload jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare r receipts := jsonb_populate_record(null::receipts, upload);
begin
  perform private.require_role('employee');
  if r.storage_key is distinct from private.file_place(actor_company(), r.id) then
    perform private.refuse('forbidden');
  end if;
  perform private.require_room_for_receipt();
  delete from private.leftover_files l where l.storage_key = r.storage_key;
  -- an hour has passed
  if not found then perform private.refuse('receipt_gone'); end if;
  insert into receipts (company_id, id, person_id, file_name, media_type, size_bytes, sha256,
      likeness, pages, width, height, storage_key, file_key, wrapped_key, parts, restricted)
    select c.id, r.id, actor_id(), r.file_name, r.media_type, r.size_bytes, r.sha256,
        r.likeness, r.pages, r.width, r.height, r.storage_key, r.file_key, r.wrapped_key, r.parts,
        c.receipts_restricted
      from companies c where c.id = actor_company();
  perform private.queue_reading(actor_company(), r.id), publish('person:' || actor_id());
end $$;

-- An upload that came to no receipt goes, with whatever there is of its file. If a receipt was made
-- after all, nothing happens.
create or replace function drop_upload(storage_key text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  update private.leftover_files l set due_at = now() where l.storage_key = drop_upload.storage_key
    and split_part(l.storage_key, '/', 1) = actor_company()::text;
  if found then perform add_job('receipts:sweep', key => 'receipts sweep'); end if;
end $$;

-- A person who may see the file learns where it is and what opens it, and that is written down. A
-- second request within a minute is the same look.
create or replace function open_receipt(receipt uuid, what text)
  returns table (file_name text, media_type text,
  pages integer, storage_key text, file_key integer, wrapped_key bytea, parts jsonb)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  r receipts;
  -- small pictures can be read, too
  looked_at text := case what when 'glance' then 'picture' else what end;
begin
  select * into r from receipts where company_id = actor_company() and id = receipt
    and (person_id = actor_id()
      or claim_id is not null and receipt_opens(id, restricted));
  if not found then perform private.refuse('not_found'); end if;
  if (what = 'file' or r.person_id <> actor_id()) and not exists (
      select from receipt_openings o where o.company_id = r.company_id and o.receipt_id = r.id
        and o.opener_id = actor_id() and o.what = looked_at
        and o.at > now() - interval '1 minute') then
    insert into receipt_openings (company_id, receipt_id, person_id, opener_id, opener_name,
      opener_role, what)
      select r.company_id, r.id, r.person_id, p.id, p.full_name, actor_role(), looked_at
        from profiles p where p.id = actor_id();
    if r.person_id <> actor_id() then perform publish('person:' || r.person_id); end if;
  end if;
  return query select r.file_name, r.media_type, r.pages, r.storage_key, r.file_key, r.wrapped_key,
    r.parts;
end $$;

-- Restricted receipts of a claim open for half an hour to who has the right to them and says why;
-- whose they are is told that it was done, and reads why beside them.
create or replace function open_receipts(claim bigint, purpose text) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare c claims;
begin
  perform private.require_right('reviewer');
  select * into c from claims x where x.company_id = actor_company() and x.id = claim
    and x.person_id <> actor_id();
  if not found then perform private.refuse('not_found'); end if;
  if not actor_has('receipts') then perform private.refuse('receipts_not_for_you'); end if;
  insert into receipt_openings (company_id, receipt_id, person_id, opener_id, opener_name,
      opener_role, what, purpose)
    select r.company_id, r.id, r.person_id, p.id, p.full_name, actor_role(), 'picture',
        open_receipts.purpose
      from receipts r join profiles p on p.id = actor_id()
      where r.company_id = c.company_id and r.claim_id in (c.id, c.appeal_of);
  if not found then perform private.refuse('receipt_gone'); end if;
  perform notify_person(c.person_id, 'receipts_opened', jsonb_build_object('claim', c.id),
    c.id::text);
end $$;

create or replace function remove_receipt(receipt uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare r receipts;
begin
  select * into r from receipts where company_id = actor_company() and id = receipt
    and person_id = actor_id() and actor_role() = 'employee' for update;
  if not found then perform private.refuse('not_found'); end if;
  if r.claim_id is not null then perform private.refuse('receipt_attached'); end if;
  delete from receipts where company_id = r.company_id and id = r.id;
  perform publish('person:' || actor_id());
end $$;

-- The same files for another claim: rows that share what is stored, and those made for it a while
-- ago where its form was opened before. Older ones may be swept before they are sent.
create or replace function reuse_receipts(ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  receipt_ids uuid[] := array(select distinct unnest(ids));
  made uuid[];
begin
  perform private.require_role('employee');
  perform from receipts where company_id = actor_company() and id = any (receipt_ids)
    order by id for update;
  with originals as (
    select o.*, (select r.id from receipts r
          where r.company_id = o.company_id and r.person_id = o.person_id and r.claim_id is null
            and r.storage_key = o.storage_key and r.created_at > now() - interval '12 hours'
          order by r.id limit 1) as there
      from receipts o where o.company_id = actor_company() and o.person_id = actor_id()
        and o.id = any (receipt_ids) and o.claim_id is not null),
  copies as (
    insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256,
        likeness, pages, width, height, storage_key, file_key, wrapped_key, parts, read_state,
        read_tries, read_amount_cents, read_currency, read_on, read_provider, read_marks,
        blacked_times, blacked_reads, unseen, restricted)
      select company_id, person_id, file_name, media_type, size_bytes, sha256, likeness, pages,
          width, height, storage_key, file_key, wrapped_key, parts,
          case read_state when 'reading' then 'waiting' else read_state end, 0,
          read_amount_cents, read_currency, read_on, read_provider, read_marks, blacked_times,
          blacked_reads, unseen, restricted or (select o.receipts_restricted from companies o
            where o.id = company_id)
        from originals where there is null
      returning company_id, id, read_state)
  select array_agg(id) from (
    select id, case read_state when 'waiting' then private.queue_reading(company_id, id) end
      from copies
    union all
    select there, null from originals where there is not null) c
    into made;
  if cardinality(receipt_ids) is distinct from cardinality(made) then
    perform private.refuse('receipt_gone');
  end if;
  perform publish('person:' || actor_id());
  return made;
end $$;

-- Your receipts that are on no claim and were made for Claim again from one that is.
create or replace function copied_receipts(company uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select r.id from receipts r
    where r.company_id = company and r.person_id = actor_id() and r.claim_id is null
      and exists (select from receipts o where o.company_id = company
        and o.person_id = r.person_id and o.storage_key = r.storage_key
        and o.claim_id is not null);
end;

-- Your receipts that are on no claim, and whose file is on one that you can't claim again.
create or replace function claimed_receipts(company uuid) returns setof uuid
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select r.id from receipts r
    where r.company_id = company and r.person_id = actor_id() and r.claim_id is null
      and exists (select from receipts o
        join claims c on c.company_id = company and c.id = o.claim_id
        where o.company_id = company and o.person_id = r.person_id and o.sha256 = r.sha256
          and private.still_counts(c.status, c.payment));
end;

grant execute on function copied_receipts, claimed_receipts, open_upload, keep_upload, drop_upload,
  receipt_opens, restricted_receipts, open_receipt, open_receipts, remove_receipt,
  reuse_receipts to healthfund_request;
