-- Parts of a receipt are blacked out: its file is made again, the one before goes. What was read
-- there is kept for the checks alone.

-- Why its person can't black out parts of a receipt now. A file that a claim has stays what it is.
create or replace function blacking_refusal(receipt uuid) returns text
language sql stable security definer set search_path = public, pg_catalog, pg_temp
return (select case
    when r.person_id <> actor_id() or actor_role() <> 'employee' then 'forbidden'
    when r.claim_id is not null or exists (select from receipts o
        where o.company_id = r.company_id and o.storage_key = r.storage_key and o.id <> r.id)
      then 'receipt_in_claim'
    when r.read_state in ('waiting', 'reading') then 'receipt_being_read' end
  from receipts r where r.company_id = actor_company() and r.id = blacking_refusal.receipt);

-- Locks the person's own receipt, in the version that they looked at.
create or replace function private.lock_to_black_out(receipt uuid,
  expected_times integer) returns receipts
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare
  r receipts;
  reason text;
begin
  perform private.require_role('employee');
  select * into r from receipts where company_id = actor_company() and id = receipt
    and person_id = actor_id() for update;
  if not found then perform private.refuse('not_found'); end if;
  reason := blacking_refusal(receipt);
  if reason is not null then perform private.refuse(reason); end if;
  if r.blacked_times <> expected_times
    then perform private.refuse('receipt_blacked_meanwhile'); end if;
  return r;
end $$;

-- The place of its file, and a name for the new one, which is written down first.
create or replace function open_blacking(receipt uuid, expected_times integer)
  returns table (media_type text, pages integer, storage_key text, file_key integer,
  wrapped_key bytea, parts jsonb, read_marks jsonb, new_key text)
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  r receipts := private.lock_to_black_out(receipt, expected_times);
  fresh text := private.file_place(r.company_id, r.id) || '-' || gen_random_uuid();
begin
  insert into private.leftover_files (storage_key, due_at)
    values (fresh, now() + interval '1 hour');
  return query select r.media_type, r.pages, r.storage_key, r.file_key, r.wrapped_key, r.parts,
    r.read_marks, fresh;
end $$;

create or replace function private.mark_of(word text) returns text
language sql stable
return encode(sha256((select secret from private.secret)
  || convert_to('provider ' || word, 'utf8')), 'hex');

-- Words that companies add to their names; src/claims/rules/provider.ts has the same ones.
create or replace function private.legal_forms() returns text[]
language sql immutable
return string_to_array('gmbh ag kg ohg ug ev llc ltd inc plc sa sas sarl srl spa bv nv ab oy as '
  || 'doo dd jdoo dr med prof the', ' ');

-- A provider's name as marks, by which another name can be compared but not read. Words of up to
-- three letters alone name nobody, so the `long` ones are marked apart.
create or replace function private.provider_marks(provider text) returns jsonb
language sql stable
return (select jsonb_build_object(
    'whole', private.mark_of(coalesce(string_agg(w.word, '' order by w.at), btrim(provider))),
    'words', coalesce(jsonb_agg(distinct private.mark_of(w.word)), '[]'),
    'long', coalesce(jsonb_agg(distinct private.mark_of(w.word)) filter (where length(w.word) > 3),
      '[]'))
  from regexp_split_to_table(without_accents(provider) collate "und-x-icu", '[^[:alnum:]]+')
    with ordinality w (word, at)
  where w.word <> '' and w.word <> all (private.legal_forms()));

-- The same comparison as `sameProvider` (src/claims/rules/provider.ts), but for letters misread.
create or replace function private.same_provider(marks jsonb, provider text) returns boolean
language sql stable
return case when same_provider.marks is not null then coalesce(
  (select m.marks ->> 'whole' = same_provider.marks ->> 'whole' or (select
      2 * count(*) > least(jsonb_array_length(m.marks -> 'words'),
        jsonb_array_length(same_provider.marks -> 'words'))
      and bool_or(m.marks -> 'long' ? w.mark)
    from jsonb_array_elements_text(m.marks -> 'words') w (mark)
    where same_provider.marks -> 'words' ? w.mark)
  from (select private.provider_marks(provider)) m (marks)), false) end;

-- Hides values that were read from the parts; the checks still compare them.
create or replace function private.hide_reads(r receipts, hidden text[]) returns receipts
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
begin
  if 'amount' = any (hidden) and r.read_amount_cents is not null then
    r.unseen := r.unseen || jsonb_build_object('amount_cents', r.read_amount_cents,
      'currency', r.read_currency);
    r.read_amount_cents := null;
    r.read_currency := null;
  end if;
  if 'on' = any (hidden) and r.read_on is not null then
    r.unseen := r.unseen || jsonb_build_object('on', r.read_on);
    r.read_on := null;
  end if;
  if 'provider' = any (hidden) and r.read_provider is not null then
    r.unseen := r.unseen
      || jsonb_build_object('provider', private.provider_marks(r.read_provider));
    r.read_provider := null;
  end if;
  r.read_marks := r.read_marks - hidden;
  r.blacked_reads := array(select key from (values ('amount', 'amount_cents'), ('on', 'on'),
    ('provider', 'provider')) k (key, of) where r.unseen ? k.of);
  return r;
end $$;

-- Makes the receipt name the blacked out file, so that the earlier one is left over. `made` has its
-- place, its facts, the reads that it hides, and how often it had been blacked out when that began.
-- Answers the name of the earlier file.
create or replace function keep_blacking(receipt uuid, made jsonb) returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  n receipts := jsonb_populate_record(null::receipts, made);
  r receipts := private.lock_to_black_out(receipt, n.blacked_times);
  was text := r.storage_key;
begin
  if n.storage_key not like private.file_place(r.company_id, r.id) || '-%' then
    perform private.refuse('forbidden');
  end if;
  delete from private.leftover_files l where l.storage_key = n.storage_key;
  -- an hour has passed
  if not found then perform private.refuse('unavailable'); end if;
  r := private.hide_reads(r, n.blacked_reads);
  update receipts x set storage_key = n.storage_key, file_key = n.file_key,
      wrapped_key = n.wrapped_key, parts = n.parts, media_type = n.media_type,
      size_bytes = n.size_bytes, blacked_times = r.blacked_times + 1,
      blacked_reads = r.blacked_reads, unseen = r.unseen, read_marks = r.read_marks,
      read_amount_cents = r.read_amount_cents, read_currency = r.read_currency,
      read_on = r.read_on, read_provider = r.read_provider
    where x.company_id = r.company_id and x.id = r.id;
  insert into private.leftover_files (storage_key) values (was)
    on conflict (storage_key) do update set due_at = now();
  perform add_job('receipts:sweep', key => 'receipts sweep'), publish('person:' || actor_id());
  return was;
end $$;

grant execute on function blacking_refusal, open_blacking, keep_blacking to healthfund_request;
