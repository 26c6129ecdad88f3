-- The lines of a claim: each part of it that is decided on separately.

-- Lines as they are claimed: without a decision yet, and with the claim's amount as their sum.
create or replace function private.lines_claimed(lines claim_line[], amount_cents bigint)
returns claim_line[]
language plpgsql immutable set search_path = public, pg_catalog, pg_temp as $$
declare
  claimed claim_line[];
begin
  if coalesce(lines, '{}') = '{}' then return '{}'; end if;
  claimed := array(select row(l.what, l.amount_cents, null, null)::claim_line
    from unnest(lines) with ordinality l (what, amount_cents, approved_cents, reason, nth)
    order by l.nth);
  if cardinality(claimed) > 20
      or exists (select from unnest(claimed) l where l.what is null or l.amount_cents is null
        or length(l.what) not between 1 and 100 or l.amount_cents < 1)
      or (select sum(l.amount_cents) from unnest(claimed) l) <> lines_claimed.amount_cents then
    raise exception 'the lines of a claim are its amount' using errcode = 'check_violation';
  end if;
  return claimed;
end $$;

-- Checks the amount that a decision approves; `before` is what the previous approval left.
create or replace function private.check_approved(cents bigint, claimed bigint, before bigint,
  has_reason boolean) returns void
language sql stable
return private.refuse(case
  when cents > claimed then 'approved_more_than_claimed'
  when cents > before then 'approved_more_than_before'
  when cents < coalesce(before, claimed) and not has_reason then 'reason_needed' end);

-- `decided` has {approved_cents, reason} for each line, in their order. A claim with lines takes no
-- amount beside them.
create or replace function private.lines_decided(lines claim_line[], decided jsonb,
  amount_cents bigint) returns claim_line[]
language plpgsql stable set search_path = public, pg_catalog, pg_temp as $$
declare
  line claim_line;
  decision jsonb;
  approved bigint;
begin
  perform private.refuse(case when lines = '{}' or decided is null or amount_cents is not null
    or jsonb_array_length(decided) <> cardinality(lines) then 'decide_by_line' end);
  for at in 1 .. cardinality(lines) loop
    line := lines[at];
    decision := jsonb_strip_nulls(decided -> at - 1);
    approved := decision ->> 'approved_cents';
    perform private.refuse(case when coalesce(approved, -1) < 0 then 'decide_by_line' end),
      private.check_approved(approved, line.amount_cents, line.approved_cents, decision ? 'reason');
    line.approved_cents := approved;
    line.reason := case when line.approved_cents < line.amount_cents
      then coalesce(decision ->> 'reason', line.reason) end;
    lines[at] := line;
  end loop;
  return lines;
end $$;

create or replace function private.lines_approved_cents(lines claim_line[]) returns bigint
language sql immutable
return (select sum(coalesce(l.approved_cents, l.amount_cents)) from unnest(lines) l);

create or replace function private.lines_left(lines claim_line[]) returns claim_line[]
language sql immutable
return array(select row(l.what, l.amount_cents - l.approved_cents, null, null)::claim_line
  from unnest(lines) with ordinality l (what, amount_cents, approved_cents, reason, nth)
  where l.approved_cents < l.amount_cents order by l.nth);
