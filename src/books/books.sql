-- Payroll and books: a company's own codes, a run by wage types, the journal of its money.

create policy your_companys on book_codes for select using (
  company_id = (select actor_company()) and (select actor_has('finance', 'auditor')));
grant select on book_codes to healthfund_request;
create or replace trigger audit after insert or update or delete on book_codes
  for each row execute function audited();

-- Sets codes by item; an empty one is removed. One account can't be, for example, a cost and money
-- at once: then it answers the first such item and sets none.
create or replace function set_book_codes(changed jsonb) returns text
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := private.paying_company();
  clash text;
begin
  perform pg_advisory_xact_lock(hashtextextended('book codes ' || company, 0));
  with entered as (
    select c.item, c.code from jsonb_each_text(changed) c (item, code) where c.code <> ''
    union all
    select b.item, b.code from book_codes b where b.company_id = company and not changed ? b.item),
  part as (
    select w.item, w.code, case when w.item in ('bank', 'payroll', 'transit') then 'money'
        when w.item = 'payable' then 'owed' else 'cost' end as plays
      from entered w where w.item !~ '^(wage|datev)_')
  select min(a.item) into clash from part a join part b on b.code = a.code and b.plays <> a.plays
    where changed ? a.item;
  if clash is not null then return clash; end if;
  delete from book_codes b using jsonb_each_text(changed) c (item, code)
    where b.company_id = company and b.item = c.item and c.code = '';
  insert into book_codes (company_id, item, code)
    select company, c.item, c.code from jsonb_each_text(changed) c (item, code) where c.code <> ''
    on conflict (company_id, item) do update set code = excluded.code;
  perform publish('admins:' || company);
  return null;
end $$;

-- A released run by person and wage type: the claims of each category less what is withheld from
-- them. What is withheld for a returned payment has no category. The lines add up to what the run
-- pays.
create or replace function wage_lines(run bigint) returns table (email text, full_name text,
  item text, cents bigint, by_bank boolean, returned boolean)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare company uuid := (private.released_run('wages', run)).company_id;
begin
  return query
    with part as (
      select p.person_id, 'wage_' || c.category as item, p.cents
        from pay_claims p join claims c on c.company_id = company and c.id = p.claim_id
        where p.company_id = company and p.run_id = run
      union all
      select o.person_id, 'wage_' || coalesce(o.category, 'correction'), -o.cents
        from pay_withholdings o where o.company_id = company and o.run_id = run)
    select p.email, p.full_name, t.item, sum(t.cents)::bigint, i.by_bank,
        i.returned_at is not null
      from part t
      join pay_items i on i.company_id = company and i.run_id = run and i.person_id = t.person_id
      join profiles p on p.company_id = company and p.id = t.person_id
      group by p.id, t.item, i.by_bank, i.returned_at having sum(t.cents) <> 0
      order by p.sort_name, p.id, t.item;
end $$;

-- The company's run if it is released; otherwise raises why not.
create or replace function private.released_run(act text, run bigint) returns pay_runs
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  r pay_runs;
begin
  perform private.require_right('finance', 'auditor');
  select * into r from pay_runs x where x.company_id = company and x.id = run;
  if not found then perform private.refuse('not_found'); end if;
  perform private.refuse(run_refusal(act, r, null));
  return r;
end $$;

-- Debit and credit of each kind of transfer, as items of `book_codes`: `expense` stands for the
-- cost of its category, `way` for how its payment is made. Money that stays the company's own (in
-- pools, granted, held, carried over) isn't posted.
create or replace view private.book_sides as
  select * from (values
    ('contribution', 'bank', 'transit'),
    ('contribution_reversed', 'transit', 'bank'),
    ('claim_approved', 'expense', 'payable'),
    ('claim_undone', 'payable', 'expense'),
    ('claim_reversed', 'payable', 'expense'),
    ('claim_paid', 'payable', 'way'),
    ('payment_returned', 'way', 'payable'),
    ('overpaid_recovered', 'way', 'payable'),
    ('overpaid_paid_back', 'bank', 'payable'),
    ('overpaid_written_off', 'write_off', 'payable'),
    ('written_off_returned', 'way', 'write_off')) b (event, debit, credit);

-- The transfers of a period that the books need, and the part of what runs withheld or gave back
-- that no ledger account has: so what is posted as paid is what leaves the bank, to the cent.
-- Transfers are found first, and their accounts by key (`offset 0`): a join would pair all accounts
-- of a company first.
create or replace function private.postings(company uuid, began timestamptz, ended timestamptz)
returns table (posted_at timestamptz, id bigint, event text, sides text[], cents bigint,
  claim_id bigint, run_id bigint, occurred_on date, note text)
language sql stable set search_path = public, pg_catalog, pg_temp as $$
  with moved as materialized (
    select t.posted_at, t.id, t.event, t.plan_year, t.from_account, t.amount_cents, t.person_id,
        t.occurred_on, b.debit, b.credit,
        t.claim_id, t.run_id,
        case when t.event = 'contribution' then t.note end as note
      from transfers t join private.book_sides b on b.event = t.event
      where t.company_id = company and t.posted_at >= began and t.posted_at < ended)
  select m.posted_at, m.id, m.event,
      array[case m.debit when 'expense' then 'expense_' || f.category when 'way' then w.way
          else m.debit end,
        case m.credit when 'expense' then 'expense_' || f.category when 'way' then w.way
          else m.credit end],
      m.amount_cents, m.claim_id, m.run_id, m.occurred_on, m.note
    from moved m
    cross join lateral (select a.category from accounts a where a.company_id = company
      and a.plan_year = m.plan_year and a.id = m.from_account offset 0) f
    cross join lateral (select case when exists (select from pay_items i
      where i.company_id = company and i.run_id = m.run_id and i.person_id = m.person_id
        and i.by_bank) then 'bank' else 'payroll' end as way) w
  union all
  select r.released_at, o.id, 'withheld', case when o.cents > 0 then array[w.way, 'payable']
      else array['payable', w.way] end, abs(o.cents), null, r.id, null, null
    from pay_runs r
    join pay_withholdings o on o.company_id = company and o.run_id = r.id and o.plan_year is null
    join pay_items i on i.company_id = company and i.run_id = r.id and i.person_id = o.person_id
    cross join lateral (select case when i.by_bank then 'bank' else 'payroll' end as way) w
    where r.company_id = company and r.status = 'released' and r.released_at >= began
      and r.released_at < ended
  union all
  select i.returned_at, i.run_id, 'withheld_returned', case when i.credit_cents > i.withheld_cents
      then array[w.way, 'payable'] else array['payable', w.way] end,
      abs(i.credit_cents - i.withheld_cents), null, i.run_id, null, null
    from pay_items i
    cross join lateral (select case when i.by_bank then 'bank' else 'payroll' end as way) w
    where i.company_id = company and i.returned_at >= began and i.returned_at < ended
      and i.credit_cents <> i.withheld_cents
$$;

-- The postings of a month in days of the company, or of what one run paid; without names of people.
create or replace function journal(first_on date, run bigint) returns table (posted_on date,
  value_on date, event text, document text, claim_id bigint, run_id bigint, debit text,
  credit text, cents bigint, note text)
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  zone text := (select o.time_zone from companies o where o.id = company);
  r pay_runs;
  began timestamptz := first_on::timestamp at time zone zone;
  ended timestamptz := (first_on + interval '1 month')::timestamp at time zone zone;
begin
  perform private.require_right('finance', 'auditor');
  if run is not null then
    r := private.released_run('journal', run);
    began := r.released_at;
    ended := r.released_at + interval '1 hour'; -- no act takes longer
  elsif first_on > company_today(company) then
    perform private.refuse('month_to_come');
  end if;
  return query
    select (p.posted_at at time zone zone)::date,
        coalesce(case when p.event like 'contribution%' then p.occurred_on
          when p.event in ('claim_paid', 'withheld') or p.event = 'overpaid_recovered'
            and p.claim_id is null then x.pay_on end,
          (p.posted_at at time zone zone)::date),
        p.event, case when p.run_id is not null then 'P' || p.run_id
          when p.claim_id is not null then 'C' || p.claim_id
          else concat('T', s.number) end,
        p.claim_id, p.run_id, p.sides[1], p.sides[2], p.cents, p.note
      from private.postings(company, began, ended) p
      left join pay_runs x on x.company_id = company and x.id = p.run_id
      left join lateral (select t.number from transfer_seals t where t.company_id = company
        and t.transfer_id = p.id and num_nulls(p.run_id, p.claim_id) = 2 offset 0) s on true
      where run is null or p.run_id = run and (p.event in ('claim_paid', 'withheld')
        or p.event = 'overpaid_recovered' and p.claim_id is null)
      order by p.posted_at, p.event, p.id;
end $$;

grant execute on function set_book_codes, wage_lines, journal to healthfund_request;
