-- What is done with receipts: sent, kept, read, looked at, used again, removed.

-- A file is about to come. Its name is written down first, so that it is found again whatever happens.
create function open_upload() returns table (id uuid, storage_key text)
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'employee' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform wall.room_for_another();
  id := gen_random_uuid();
  storage_key := concat_ws('/', actor_company(), left(id::text, 2), id);
  insert into wall.leftover_files (storage_key, due_at)
    values (open_upload.storage_key, now() + interval '1 hour');
  return next;
end $$;

-- Whoever sends many at once is counted one after the other.
create function wall.room_for_another(more integer default 1) returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(actor_id()::text, 2));
  if (select count(*) from receipts where company_id = actor_company() and person_id = actor_id()
      and claim_id is null) + more > 20 then
    raise exception 'receipts_wait_already' using errcode = 'HF422';
  end if;
end $$;

-- The file is there: from now on its receipt names it.
create function keep_upload(receipt uuid, file_name text, media_type text, size_bytes integer, sha256 bytea,
  likeness bigint, pages integer, width integer, height integer, storage_key text, file_key integer,
  wrapped_key bytea, parts jsonb) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  if actor_role() <> 'employee' or split_part(keep_upload.storage_key, '/', 1) <> actor_company()::text
      or split_part(keep_upload.storage_key, '/', 3) <> receipt::text then
    raise exception 'forbidden' using errcode = 'HF422';
  end if;
  perform wall.room_for_another();
  delete from wall.leftover_files l where l.storage_key = keep_upload.storage_key;
  if not found then raise exception 'receipt_gone' using errcode = 'HF422'; end if; -- an hour has passed
  insert into receipts (company_id, id, person_id, file_name, media_type, size_bytes, sha256, likeness,
      pages, width, height, storage_key, file_key, wrapped_key, parts)
    values (actor_company(), receipt, actor_id(), keep_upload.file_name, keep_upload.media_type,
      keep_upload.size_bytes, keep_upload.sha256, keep_upload.likeness, keep_upload.pages,
      keep_upload.width, keep_upload.height, keep_upload.storage_key, keep_upload.file_key,
      keep_upload.wrapped_key, keep_upload.parts);
  perform wall.ask_to_read(actor_company(), receipt), tell('person:' || actor_id());
end $$;

-- It did not come to a receipt: whatever there is of the file goes. If it did after all, nothing happens.
create function drop_upload(storage_key text) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  update wall.leftover_files l set due_at = now() where l.storage_key = drop_upload.storage_key
    and split_part(l.storage_key, '/', 1) = actor_company()::text;
  if found then perform add_job('receipts:sweep', key => 'receipts sweep'); end if;
end $$;

create function wall.ask_to_read(company uuid, receipt uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  select add_job('receipts:read', json_build_object('company_id', company, 'id', receipt),
    key => 'read ' || receipt);
end;

-- Where the file is and what opens it, for whoever may see it: and that they did is written down. A second
-- request within a minute is the same look.
create function open_receipt(receipt uuid, what text) returns table (file_name text, media_type text,
  pages integer, storage_key text, file_key integer, wrapped_key bytea, parts jsonb)
language plpgsql security definer set search_path = public, pg_catalog as $$
#variable_conflict use_column
declare r receipts;
begin
  select * into r from receipts where company_id = actor_company() and id = receipt
    and (actor_role() = 'employee' and person_id = actor_id()
      or actor_role() = 'company_admin' and claim_id is not null);
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if (what = 'file' or what = 'picture' and r.person_id <> actor_id()) and not exists (
      select from receipt_openings o where o.company_id = r.company_id and o.receipt_id = r.id
        and o.opener_id = actor_id() and o.what = open_receipt.what
        and o.at > now() - interval '1 minute') then
    insert into receipt_openings (company_id, receipt_id, person_id, opener_id, opener_name, opener_role, what)
      select r.company_id, r.id, r.person_id, p.id, p.full_name, p.role, open_receipt.what
        from profiles p where p.id = actor_id();
    if r.person_id <> actor_id() then perform tell('person:' || r.person_id); end if;
  end if;
  return query select r.file_name, r.media_type, r.pages, r.storage_key, r.file_key, r.wrapped_key, r.parts;
end $$;

create function remove_receipt(receipt uuid) returns void
language plpgsql security definer set search_path = public, pg_catalog as $$
declare r receipts;
begin
  select * into r from receipts where company_id = actor_company() and id = receipt
    and person_id = actor_id() and actor_role() = 'employee' for update;
  if not found then raise exception 'not_found' using errcode = 'HF422'; end if;
  if r.claim_id is not null then raise exception 'receipt_attached' using errcode = 'HF422'; end if;
  delete from receipts where company_id = r.company_id and id = r.id;
  perform tell('person:' || actor_id());
end $$;

-- The same files for another claim: new rows that share what is stored.
create function reuse_receipts(ids uuid[]) returns uuid[]
language plpgsql security definer set search_path = public, pg_catalog as $$
declare
  wanted uuid[] := array(select distinct unnest(ids));
  made uuid[];
begin
  if actor_role() <> 'employee' then raise exception 'forbidden' using errcode = 'HF422'; end if;
  perform wall.room_for_another(cardinality(wanted));
  perform from receipts where company_id = actor_company() and id = any (wanted) order by id for update;
  with copies as (
    insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256, likeness, pages,
        width, height, storage_key, file_key, wrapped_key, parts, read_state, read_tries,
        read_amount_cents, read_currency, read_on, read_provider)
      select company_id, person_id, file_name, media_type, size_bytes, sha256, likeness, pages,
          width, height, storage_key, file_key, wrapped_key, parts,
          case read_state when 'reading' then 'waiting' else read_state end, 0,
          read_amount_cents, read_currency, read_on, read_provider
        from receipts where company_id = actor_company() and person_id = actor_id()
          and id = any (wanted) and claim_id is not null
      returning company_id, id, read_state)
  select array_agg(id) from (
    select id, case read_state when 'waiting' then wall.ask_to_read(company_id, id) end from copies) c
    into made;
  if cardinality(wanted) is distinct from cardinality(made) then
    raise exception 'receipt_gone' using errcode = 'HF422';
  end if;
  perform tell('person:' || actor_id());
  return made;
end $$;

-- Reading, by a job: whoever is killed while reading is followed by another, three times at most.
create function wall.begin_reading(company uuid, receipt uuid) returns table (tries integer, media_type text,
  storage_key text, file_key integer, wrapped_key bytea, parts jsonb, currency text, today date)
language plpgsql set search_path = public, pg_catalog as $$
#variable_conflict use_column
begin
  return query
    update receipts r set read_tries = read_tries + 1, read_touched_at = now(),
        read_state = case when read_tries < 3 then 'reading' else 'unreadable' end
      from companies c
      where r.company_id = company and r.id = receipt and r.read_state in ('waiting', 'reading')
        and c.id = r.company_id
      returning r.read_tries, r.media_type, r.storage_key, r.file_key, r.wrapped_key, r.parts, c.currency,
        company_today(c.id);
  perform wall.tell_now('person:' || person_id) from receipts
    where company_id = company and id = receipt and read_state = 'unreadable';
end $$;

create function wall.note_reading(company uuid, receipt uuid, amount_cents bigint, currency text, day date,
  provider text) returns void
language plpgsql set search_path = public, pg_catalog as $$
declare r receipts;
begin
  update receipts set read_amount_cents = amount_cents, read_currency = currency, read_on = day,
      read_provider = provider, read_touched_at = now(),
      read_state = case when num_nonnulls(amount_cents, day, provider) > 0 then 'read' else 'unreadable' end
    where company_id = company and id = receipt and read_state = 'reading' returning * into r;
  if not found then return; end if;
  perform wall.tell_now('person:' || r.person_id);
  if r.claim_id is not null then perform wall.tell_now('admins:' || company); end if;
end $$;

-- By the clock: what nobody reads any more is asked for again; what never became part of a claim goes.
create function wall.keep_receipts() returns void
language plpgsql set search_path = public, pg_catalog as $$
begin
  perform wall.ask_to_read(company_id, id) from receipts
    where read_state in ('waiting', 'reading') and read_touched_at < now() - interval '2 minutes'
    order by read_touched_at limit 500;
  delete from receipts where claim_id is null and created_at < now() - interval '1 day';
  if exists (select from wall.leftover_files where due_at <= now()) then
    perform add_job('receipts:sweep', key => 'receipts sweep');
  end if;
end $$;

revoke execute on function open_upload(), drop_upload(text), open_receipt(uuid, text), remove_receipt(uuid),
  reuse_receipts(uuid[]), keep_upload(uuid, text, text, integer, bytea, bigint, integer, integer, integer,
    text, integer, bytea, jsonb) from public;
grant execute on function open_upload(), drop_upload(text), open_receipt(uuid, text), remove_receipt(uuid),
  reuse_receipts(uuid[]), keep_upload(uuid, text, text, integer, bytea, bigint, integer, integer, integer,
    text, integer, bytea, jsonb) to healthfund_request;
