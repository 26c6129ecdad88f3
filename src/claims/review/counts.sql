-- Counts and sums of claims by kind, kept up to date so that nobody adds up a million rows.

create or replace function private.count_claim() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into claim_changes (company_id, status, category, type_id, claims, amount_cents,
        approved_cents, overdue)
      values (old.company_id, old.status, old.category, old.type_id, -1, -old.amount_cents,
        case when old.payment <> 'reversed' then -old.approved_cents else 0 end,
        -old.overdue::integer),
      (new.company_id, new.status, new.category, new.type_id, 1, new.amount_cents,
        case when new.payment <> 'reversed' then new.approved_cents else 0 end,
        new.overdue::integer);
  else
    insert into claim_changes (company_id, status, category, type_id, claims, amount_cents,
        approved_cents, overdue)
      values (new.company_id, new.status, new.category, new.type_id, 1, new.amount_cents,
        case when new.payment <> 'reversed' then new.approved_cents else 0 end, 0);
  end if;
  return null;
end $$;
create or replace trigger count_it after insert on claims for each row
  execute function private.count_claim();
create or replace trigger count_it_again after update on claims for each row
  when ((old.status, old.approved_cents, old.overdue, old.payment is distinct from 'reversed')
    is distinct from
    (new.status, new.approved_cents, new.overdue, new.payment is distinct from 'reversed'))
  execute function private.count_claim();

create or replace function private.roll_up_claims(company uuid, most integer) returns integer
language plpgsql set search_path = public, pg_catalog, pg_temp as $$
declare rolled_up integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('claim totals ' || company, 0)) then return 0;
    end if;
  with taken as (
    delete from claim_changes c where c.company_id = company and c.id = any (array(
        select x.id from claim_changes x where x.company_id = company order by x.id limit most))
      returning c.*),
  change as (
    select status, category, type_id, sum(claims) as claims, sum(amount_cents) as amount_cents,
        sum(approved_cents) as approved_cents, sum(overdue) as overdue,
          sum(count(*)) over () as taken
      from taken group by status, category, type_id),
  kept as (
    insert into claim_totals as t (company_id, status, category, type_id, claims, amount_cents,
        approved_cents, overdue)
      select company, status, category, type_id, claims, amount_cents, approved_cents, overdue
        from change
      on conflict (company_id, status, category, type_id) do update set
        claims = t.claims + excluded.claims, amount_cents = t.amount_cents + excluded.amount_cents,
        approved_cents = t.approved_cents + excluded.approved_cents,
        overdue = t.overdue + excluded.overdue)
  select coalesce(max(taken), 0) into rolled_up from change;
  return rolled_up;
end $$;

-- Counts as of this moment: the kept rows and those not rolled up yet, in one snapshot.
create or replace view claim_counts with (security_barrier) as
  select company_id, status, category,
      case when (select actor_has('owner', 'reviewer')) then type_id end as type_id,
      sum(claims)::bigint as claims, sum(amount_cents)::bigint as amount_cents,
      sum(approved_cents)::bigint as approved_cents, sum(overdue)::bigint as overdue
    from (select company_id, status, category, type_id, claims, amount_cents, approved_cents,
      overdue
        from claim_totals
      union all
      select company_id, status, category, type_id, claims, amount_cents, approved_cents, overdue
        from claim_changes) c
    where company_id = (select actor_for_company())
    group by 1, 2, 3, 4;
comment on view claim_counts is 'How many claims of each status, category and type a company has, and what they come to: of what type, for who makes the policy or reviews.';
grant select on claim_counts to healthfund_request;

-- An appealed rest is a claim of its own in the queue, but its money was claimed before: types
-- don't count it again.
create or replace view claim_type_counts with (security_barrier) as
  select t.type_id, sum(t.claims)::bigint as claims from (
      select c.type_id, c.claims from claim_counts c
      union all
      select c.type_id, -1 from claims c
        where c.company_id = (select actor_for_company()) and c.appeal_of is not null) t
    where (select actor_has('owner', 'reviewer'))
    group by t.type_id;
comment on view claim_type_counts is 'How often each type was claimed in a company, for who makes the policy or reviews.';
grant select on claim_type_counts to healthfund_request;
