-- By what a company decides on claims, and what can be claimed.

create policy your_companys on claim_policies for select using (company_id
  = (select actor_company()));
grant select on claim_policies to healthfund_request;
create or replace trigger audit after insert or update or delete on claim_policies
  for each row execute function audited();

create policy your_companys on claim_types for select using (company_id = (select actor_company()));
create policy its_admin_adds on claim_types for insert with check (
  company_id = (select actor_company()) and (select actor_has('owner', 'reviewer', 'auditor')));
create policy its_admin_edits on claim_types for update using (
  company_id = (select actor_company()) and (select actor_has('owner', 'reviewer', 'auditor')));
grant select, insert (company_id, category, name), update (name, active) on claim_types
  to healthfund_request;
create or replace trigger audit after insert or update or delete on claim_types
  for each row execute function audited();

create or replace function private.first_policy(company uuid) returns void
language sql set search_path = public, pg_catalog, pg_temp
begin atomic
  insert into claim_policies (company_id, version) values (company, 1);
  insert into claim_types (company_id, category, name)
    select company, t.category, t.name from (values
      ('prevention', 'Annual health check'), ('prevention', 'Vaccination'),
        ('prevention', 'Dental check'),
      ('prevention', 'Eye test'), ('prevention', 'Fitness'), ('prevention', 'Screening'),
      ('treatment', 'GP visit'), ('treatment', 'Specialist'), ('treatment', 'Hospital'),
      ('treatment', 'Medicine'), ('treatment', 'Physiotherapy'), ('treatment', 'Mental health'),
      ('treatment', 'Dental treatment'), ('treatment', 'Glasses and lenses'),
      ('solidarity', 'Family doctor'), ('solidarity', 'Child vaccination'),
        ('solidarity', 'Elder care'),
      ('solidarity', 'Medicine for family'), ('solidarity', 'Specialist for family')) t (category,
        name);
end;

create or replace function private.company_gets_a_policy() returns trigger
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
begin
  perform private.first_policy(new.id);
  return null;
end $$;
create or replace trigger first_policy after insert on companies
  for each row execute function private.company_gets_a_policy();

-- Two approvers need two admins: who asks for what cannot be done is told so. Admins who leave
-- later change nothing about the terms: claims then wait for a second one.
create or replace function change_claim_policy(seen integer, terms jsonb, note text) returns integer
language plpgsql security definer set search_path = public, pg_catalog, pg_temp as $$
declare
  company uuid := actor_company();
  n claim_policies := jsonb_populate_record(null::claim_policies, terms);
begin
  perform private.require_right('owner');
  if n.one_approver_cents < 1e12 and not another_holder('reviewer', company, actor_id()) then
    raise exception 'policy_needs_two_admins' using errcode = 'HF422';
  end if;
  if seen is distinct from (select max(version) from claim_policies where company_id = company) then
    raise exception 'changed_meanwhile' using errcode = 'HF422';
  end if;
  insert into claim_policies (company_id, version, auto_approve_cents, auto_approve_per_month,
      spot_check_percent, receipt_above_cents, one_approver_cents, review_days, account_wait_days,
        by_id, note)
    values (company, seen + 1, n.auto_approve_cents, n.auto_approve_per_month, n.spot_check_percent,
      n.receipt_above_cents, n.one_approver_cents, n.review_days, n.account_wait_days, actor_id(),
      change_claim_policy.note);
  perform publish('admins:' || company);
  return seen + 1;
exception when unique_violation then
  raise exception 'changed_meanwhile' using errcode = 'HF422';
end $$;

-- Versions with who made them: names of admins that may have left since.
create or replace function claim_policy_history() returns table (version integer,
  auto_approve_cents bigint,
  auto_approve_per_month smallint, spot_check_percent smallint, receipt_above_cents bigint,
  one_approver_cents bigint, review_days smallint, account_wait_days smallint, since timestamptz,
    by_name text, note text)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  select p.version, p.auto_approve_cents, p.auto_approve_per_month, p.spot_check_percent,
      p.receipt_above_cents, p.one_approver_cents, p.review_days, p.account_wait_days, p.since,
        f.full_name, p.note
    from claim_policies p left join profiles f on f.id = p.by_id
    where p.company_id = actor_company() and actor_has('owner', 'reviewer', 'auditor')
    order by p.version desc limit 200;
end;

-- The claims of the last twelve months under other terms: with the lot that was drawn for each, and
-- what was read. The newest hundred thousand of them speak for a company that has more.
create or replace function preview_claim_policy(auto_cents bigint, per_month integer,
  spot_percent integer,
  one_cents bigint)
returns table (claims bigint, automatic_now bigint, two_now bigint, cents_now bigint,
  automatic_then bigint, two_then bigint, cents_then bigint)
language sql stable security definer set search_path = public, pg_catalog, pg_temp
begin atomic
  with newest as materialized (
    select c.person_id, c.id, c.amount_cents, c.automatic, c.agreed and c.suspicion = 0
        and c.amount_cents <= auto_cents and c.drawn >= spot_percent as could,
        approvals_for(of_cents => c.amount_cents, one_approver_cents => p.one_approver_cents)
          = 2 as two,
        date_trunc('month', c.submitted_at at time zone o.time_zone) as month
      from companies o
      cross join lateral (select * from claims x where x.company_id = o.id
        and x.submitted_at > now() - interval '1 year' order by x.id desc limit 100000) c
      join claim_policies p on p.company_id = o.id and p.version = c.policy_version
      where o.id = actor_company() and actor_has('owner')),
  weighed as (
    select n.*, n.could and row_number() over (
        partition by n.person_id, n.month, n.could order by n.id) <= per_month as would
          from newest n)
  select count(*), count(*) filter (where automatic), count(*) filter (where two and not automatic),
      coalesce(sum(amount_cents) filter (where automatic), 0)::bigint,
      count(*) filter (where would), count(*) filter (where not would
        and approvals_for(of_cents => amount_cents, one_approver_cents => one_cents) = 2),
      coalesce(sum(amount_cents) filter (where would), 0)::bigint
    from weighed;
end;

grant execute on function change_claim_policy, claim_policy_history, preview_claim_policy to
  healthfund_request;
