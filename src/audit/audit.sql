-- The record of changes: who, when, from where, what.

-- An entry names the API key that acted, not the admin who made the key.
create or replace function private.recorded_actor(who text[]) returns text[]
language sql immutable
return case when cardinality(who) > 4 then array['api_key', who[5]] else who end;

-- The trigger of each audited table; its arguments name columns whose content is not recorded.
create or replace function audited() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  who constant text[] := private.recorded_actor(string_to_array(actor(), ' '));
  hidden constant text[] := coalesce(tg_argv, '{}');
  was jsonb;
  now_is jsonb;
  whole jsonb;
begin
  if tg_op = 'INSERT' then
    -- Columns without a value are left out: else half of an entry would be nulls.
    now_is := jsonb_strip_nulls(to_jsonb(new) - hidden);
    whole := now_is;
  elsif tg_op = 'DELETE' then
    was := jsonb_strip_nulls(to_jsonb(old) - hidden);
    whole := was;
  else
    if new is not distinct from old then return null; end if;
    was := to_jsonb(old);
    whole := to_jsonb(new) - hidden;
    select jsonb_object_agg(key, value), jsonb_object_agg(key, was -> key) into now_is, was
      from jsonb_each(whole) where value is distinct from was -> key;
    if now_is is null then return null; end if;
  end if;
  insert into audit_log (company_id, actor_id, actor_role, address, request_id, act, table_name,
      row_id, before, after)
    -- Somebody who leaves a company is in that company's record, too.
    values (case when tg_table_name = 'companies' then whole ->> 'id'
      else coalesce(whole ->> 'company_id', was ->> 'company_id') end::uuid,
      nullif(who[2], '')::uuid, coalesce(nullif(who[1], ''), 'system'),
      current_setting('app.address', true), current_setting('app.request', true),
      lower(tg_op), tg_table_name, coalesce(whole ->> 'id', whole ->> 'item', ''), was,
      now_is);
  return null;
end $$;

-- Records that the asker downloaded a file: the only kind of entry without a row behind it. The
-- particulars only identify the file.
create or replace function record_download(taken text, particulars jsonb) returns void
language sql volatile security definer set search_path = public, pg_catalog, pg_temp as $$
  select private.refuse(case when taken ~ '^[a-z_]{1,40}\.[a-z_]{1,40}$'
    and particulars - '{id, month, format}'::text[] = '{}'
    and not exists (select from jsonb_each_text(particulars) p where p.value !~ '^[\w-]{1,40}$')
    then null else 'forbidden' end);
  insert into audit_log (company_id, actor_id, actor_role, address, request_id, act, table_name,
      row_id, after)
    select actor_company(), w.who[2]::uuid, w.who[1], current_setting('app.address', true),
      current_setting('app.request', true), 'insert', 'downloads',
      coalesce(particulars ->> 'id', ''),
      jsonb_strip_nulls(particulars) || jsonb_build_object('file', taken)
    from (select private.recorded_actor(string_to_array(actor(), ' ')) as who) w
    where actor_id() is not null
$$;
grant execute on function record_download to healthfund_request;

-- Facts that an entry leaves out: for a decision the amount claimed and the reason (the reviewer's
-- own words for reviewers alone); for an adjustment or a right its person and kind; for the
-- company's money the categories; for a shared view its present name.
create or replace function entry_context(company uuid, of_table text, of_row text,
  moment timestamptz) returns jsonb
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  select case of_table
      when 'claims' then (select jsonb_strip_nulls(jsonb_build_object(
          'amount_cents', c.amount_cents, 'reason', e.reason,
          'text', case when actor_has('reviewer') then e.text end))
        from claims c left join claim_events e on e.company_id = c.company_id
          and e.claim_id = c.id and e.at = moment
          and e.event in ('approved_step', 'approved', 'rejected', 'reversed')
        where c.company_id = company and c.id = of_row::bigint limit 1)
      when 'balance_adjustments' then (select jsonb_build_object('person_id', a.person_id,
          'cents', a.cents, 'category', a.category)
        from balance_adjustments a where a.company_id = company and a.id = of_row::uuid)
      when 'payment_blocks' then (select jsonb_build_object('person_id', b.person_id,
          'claim_id', b.claim_id)
        from payment_blocks b where b.company_id = company and b.id = of_row::uuid)
      when 'company_rights' then (select jsonb_build_object('person_id', r.person_id,
          'kind', r.kind)
        from company_rights r where r.company_id = company and r.id = of_row::uuid)
      when 'transfers' then (select jsonb_strip_nulls(jsonb_build_object(
          'from_category', f.category, 'to_category', o.category))
        from transfers t
          join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year
            and f.id = t.from_account
          join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year
            and o.id = t.to_account
        where t.company_id = company and t.id = of_row::bigint)
      when 'saved_views' then (select jsonb_build_object('name', v.name) from saved_views v
        where v.company_id = company and v.id = of_row::uuid and v.shared)
    end
    where actor_has('owner', 'auditor') and company = actor_company()
$$;
grant execute on function entry_context to healthfund_request;

-- The entries about a person: their profile, their family, the plans by which they were granted,
-- and the reasons for payment blocks, adjustments and settled overpayments.
create or replace function private.entries_about(person uuid) returns setof bigint
language sql stable
begin atomic
  select l.id from audit_log l
    where l.table_name in ('profiles', 'dependents', 'grants', 'payment_blocks',
        'balance_adjustments', 'settled_overpayments')
      and l.row_id in (select person::text union all
        select d.id::text from dependents d where d.person_id = person union all
        select b.id::text from payment_blocks b where b.person_id = person union all
        select b.id::text from balance_adjustments b where b.person_id = person union all
        select s.id::text from settled_overpayments s where s.person_id = person);
end;

-- An owner without other rights sees no family and no payments in the record.
create or replace function entries_about(person uuid) returns setof bigint
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  select e.id from private.entries_about(person) e (id)
    where actor_role() = 'super_admin' or actor_has('owner', 'auditor') and exists (
      select from profiles p where p.id = person and p.company_id = actor_company())
$$;
grant execute on function entries_about to healthfund_request;

-- The range of ids in which entries of a time of day lie. An entry has the time at which its act
-- began and an id from when it was written. No act lasts longer than an hour, so the range has an
-- hour more on both sides.
create or replace function audit_span(began timestamptz, ended timestamptz, out first_id bigint,
  out last_id bigint)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  low bigint := coalesce((select min(id) from audit_log), 0);
  high bigint := coalesce((select max(id) from audit_log), 0) + 1;
begin
  first_id := case when began is null then low else private.first_audit_since(low, high,
    began - interval '1 hour') end;
  last_id := case when ended is null then high
    else private.first_audit_since(low, high, ended + interval '1 hour') end;
end $$;

-- The first entry of about that time, found by halving: twenty look-ups by key for a million
-- entries.
create or replace function private.first_audit_since(low bigint, high bigint, moment timestamptz)
  returns bigint
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  middle bigint;
  found_id bigint;
  found_at timestamptz;
begin
  while low < high loop
    middle := low + (high - low) / 2;
    select id, at into found_id, found_at from audit_log where id >= middle order by id limit 1;
    if found_id is null or found_at >= moment then high := middle; else low := found_id + 1; end if;
  end loop;
  return low;
end $$;

-- Every field of an entry as one text; two different entries never give the same.
create or replace function private.entry_content(l audit_log) returns bytea
language sql stable
return sha256(convert_to(json_build_array(l.id, l.company_id, extract(epoch from l.at), l.actor_id,
  l.actor_role, l.address, l.request_id, l.act, l.table_name, l.row_id, l.before, l.after)::text,
    'UTF8'));

create policy your_companys_history on audit_log for select using (
  ((select actor_has('owner', 'auditor')) and company_id = (select actor_company()))
  or ((select actor_role()) = 'super_admin' and of_platform));
grant select on audit_log to healthfund_request;

create or replace trigger audit after insert or update or delete on audit_erasures
  for each row execute function audited();

grant execute on function audit_span to healthfund_request;

-- Sign-ins, newest first: the provider sees those of its staff, a company's admins those of admins.
-- Nobody sees those of employees.
create or replace function sign_ins(before_id bigint, most integer) returns table (id bigint,
  at timestamptz, full_name text, email text, address text, act text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp as $$
  select e.id, e.at, p.full_name, p.email, e.address, e.action
    from (select a.id, a.full_name, a.email from profiles a
        where actor_role() = 'super_admin' and a.role = 'super_admin'
      union all
      select a.id, a.full_name, a.email from profiles a
        where actor_has('owner', 'auditor') and private.is_admin(a.role, a.has_rights)
          and a.company_id = actor_company()) p
    cross join lateral (
      select l.id, l.at, l.address, l.action from auth.audit_log_entries l
        where l.actor_id = p.id and l.action in ('login', 'logout')
          and (before_id is null or l.id < before_id)
        order by l.id desc limit most) e
    order by e.id desc limit most
$$;
grant execute on function sign_ins to healthfund_request;
