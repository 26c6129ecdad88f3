-- A person's own part of the ledger, and their own proof of it.

-- The accounts of an entry by name; the content of an account is for those who may read it.
create or replace view account_names with (security_barrier) as
  select a.company_id, a.plan_year, a.id, a.kind, a.category,
      (select actor_has('finance', 'people', 'auditor'))
        or a.person_id is not distinct from (select actor_id()) as readable
    from accounts a
    where a.company_id = (select actor_company())
      and ((select actor_has('finance', 'people', 'auditor'))
        or ((select actor_role()) = 'employee'
          and (a.person_id is null or a.person_id = (select actor_id()))));
comment on view account_names is 'The name of each account: for the two ends of an entry.';
grant select on account_names to healthfund_request;

create policy of_your_own_entries on transfer_seals for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'employee'
    and exists (select from transfers t where t.company_id = transfer_seals.company_id
      and t.id = transfer_seals.transfer_id and t.person_id = (select actor_id())));

-- The first of a person's entries that differs from its seal, or has none though it should.
create or replace function private.first_broken_entry(company uuid, person uuid, out fault text,
  out transfer_id bigint)
language sql stable
begin atomic
  select f.fault, f.id from (
    select e.id, case
        when s.number is null and u.transfer_id is null then 'transfer_inserted'
        when s.number > 1 and b.hash is null then 'seal_missing'
        when s.hash <> private.chained_hash(coalesce(b.hash, ''::bytea),
            private.transfer_content(t))
          then 'transfer_changed' end as fault
      from (select distinct x.id, x.plan_year
        from private.entries_of_person(company, person) x) e
      join transfers t on t.company_id = company and t.plan_year = e.plan_year and t.id = e.id
      left join transfer_seals s on s.company_id = company and s.transfer_id = e.id
      left join transfer_seals b on b.company_id = company and b.number = s.number - 1
      left join unsealed_transfers u on u.company_id = company and u.transfer_id = e.id) f
    where f.fault is not null order by f.id limit 1;
end;

-- Verifies a person's own part of the ledger: each entry against its seal, each balance against the
-- entries. It proves nothing about others' entries, which verify_ledger does.
create or replace function verify_my_ledger() returns ledger_check
language plpgsql stable security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  done ledger_check;
  company uuid := actor_company();
  me uuid := actor_id();
begin
  select count(distinct (e.plan_year, e.id)) into done.transfers
    from private.entries_of_person(company, me) e;
  select count(*) into done.accounts from accounts a
    where a.company_id = company and a.person_id = me;
  select b.fault, b.transfer_id into done.fault, done.transfer_id
    from private.first_broken_entry(company, me) b;
  if done.fault is null then
    select w.fault, w.transfer_id, w.account_id into done.fault, done.transfer_id, done.account_id
      from private.first_wrong_balance(company, me) w;
  end if;
  return done;
end $$;

-- Approved and not reversed claims of a plan year, by the person they were for. A written-off
-- overpayment belongs to no claim.
create or replace function used_by_whom(year date)
returns table (dependent_id uuid, category text, claims bigint, cents bigint)
language sql stable
begin atomic
  select c.dependent_id, u.category, count(c.id), sum(u.cents)::bigint
    from (
      select a.category, e.claim_id, sum(e.change)::bigint as cents
        from accounts a
        cross join lateral (
          select t.claim_id, -t.amount_cents as change from transfers t
            where t.company_id = a.company_id and t.plan_year = a.plan_year
              and t.from_account = a.id
          union all
          select t.claim_id, t.amount_cents from transfers t
            where t.company_id = a.company_id and t.plan_year = a.plan_year
              and t.to_account = a.id) e
        where a.company_id = actor_company() and a.person_id = actor_id() and a.plan_year = year
          and a.kind = any (used_kinds())
        group by a.category, e.claim_id having sum(e.change) <> 0) u
    left join claims c on c.company_id = actor_company() and c.id = u.claim_id
    group by c.dependent_id, u.category, c.id is null;
end;

grant execute on function verify_my_ledger, used_by_whom to healthfund_request;
