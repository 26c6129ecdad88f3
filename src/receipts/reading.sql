-- Receipts, as claims and the reading of receipts need them.

-- Ties receipts to a claim, unless one of them is gone.
create or replace function attach_receipts(company uuid, person uuid, receipts uuid[], claim bigint)
returns void
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare ids uuid[] := array(select distinct unnest(attach_receipts.receipts));
begin
  perform from receipts r where r.company_id = company and r.id = any (ids)
    order by r.id for update;
  if (select count(*) from receipts r where r.company_id = company and r.id = any (ids)
      and r.person_id = person and coalesce(r.claim_id, claim) = claim) <> cardinality(ids) then
    perform private.refuse('receipt_gone');
  end if;
  update receipts r set claim_id = claim where r.company_id = company and r.id = any (ids);
end $$;

-- The amount read from a receipt, even where it is blacked out now: for the checks only, shown to
-- nobody.
create or replace function private.amount_on_receipt(r receipts) returns bigint
language sql immutable
return coalesce(r.read_amount_cents, (r.unseen ->> 'amount_cents')::bigint);

create or replace function private.date_on_receipt(r receipts) returns date
language sql immutable
return coalesce(r.read_on, (r.unseen ->> 'on')::date);

-- Other claims of the company with the same or a like receipt. `score` is 100 for the same file. A
-- like picture with another amount or date is left out: it is another receipt from the same
-- printer.
create or replace function receipt_duplicates(company uuid, person uuid, receipts uuid[])
returns table (receipt_id uuid, claim_id bigint, own boolean, same_file boolean, score integer)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select m.id, o.claim_id, bool_or(o.person_id = receipt_duplicates.person),
    bool_or(o.sha256 = m.sha256),
      max(case when o.sha256 = m.sha256 then 100
        else 95 - 5 * bit_count((o.likeness # m.likeness)::bit(64))::integer end)
    from receipts m join receipts o on o.company_id = m.company_id and o.id <> m.id
      and o.claim_id is not null and o.claim_id is distinct from m.claim_id
    where m.company_id = receipt_duplicates.company and m.id = any (receipt_duplicates.receipts)
      and (o.sha256 = m.sha256
        or (o.likeness_parts && m.likeness_parts
          and bit_count((o.likeness # m.likeness)::bit(64)) <= 6
          and coalesce(private.amount_on_receipt(o) = private.amount_on_receipt(m), true)
          and coalesce(private.date_on_receipt(o) = private.date_on_receipt(m), true)))
    group by m.id, o.claim_id;
end;

create or replace function private.queue_reading(company uuid, receipt uuid) returns void
language sql
begin atomic
  select add_job('receipts:read', json_build_object('company_id', company, 'id', receipt),
    key => 'read ' || receipt);
end;

-- Begins reading, by a job: if its worker is killed another one begins again, three times at most.
create or replace function private.begin_reading(company uuid, receipt uuid)
  returns table (tries integer, media_type text,
  storage_key text, file_key integer, wrapped_key bytea, parts jsonb, currency text, today date)
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
  return query
    update receipts r set read_tries = read_tries + 1, read_touched_at = now(),
        read_state = case when read_tries < 3 then 'reading' else 'unreadable' end
      from companies c
      where r.company_id = company and r.id = receipt and r.read_state in ('waiting', 'reading')
        and c.id = r.company_id
      returning r.read_tries, r.media_type, r.storage_key, r.file_key, r.wrapped_key, r.parts,
        c.currency,
        company_today(c.id);
  perform private.publish_now('person:' || person_id) from receipts
    where company_id = company and id = receipt and read_state = 'unreadable';
end $$;

-- `reading`: {read_amount_cents, read_currency, read_on, read_provider, read_marks}, of which any
-- may be missing.
create or replace function private.note_reading(company uuid, receipt uuid, reading jsonb)
  returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  n receipts := jsonb_populate_record(null::receipts, reading);
  r receipts;
begin
  update receipts set read_amount_cents = n.read_amount_cents, read_currency = n.read_currency,
      read_on = n.read_on, read_provider = n.read_provider, read_touched_at = now(),
      read_marks = coalesce(n.read_marks, '{}'),
      read_state = case when num_nonnulls(n.read_amount_cents, n.read_on, n.read_provider) > 0
        then 'read' else 'unreadable' end
    where company_id = company and id = receipt and read_state = 'reading' returning * into r;
  if not found then return; end if;
  perform private.publish_now('person:' || r.person_id);
  if r.claim_id is not null then perform private.publish_now('admins:' || company); end if;
end $$;

-- Resumes readings that nobody works on any more, and removes receipts that never became part of a
-- claim; the schedule runs it.
create or replace function private.keep_receipts() returns void
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.queue_reading(company_id, id) from receipts
    where read_state in ('waiting', 'reading') and read_touched_at < now() - interval '2 minutes'
    order by read_touched_at limit 500;
  delete from receipts where claim_id is null and created_at < now() - interval '1 day';
  if exists (select from private.leftover_files where due_at <= now()) then
    perform add_job('receipts:sweep', key => 'receipts sweep');
  end if;
end $$;
