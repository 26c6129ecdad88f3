-- Who is told, once a year each, that money runs out.

create table fund_alerts (
  company_id    uuid not null,
  id            bigint generated always as identity,
  plan_year     date not null,
  category      text not null check (category in ('prevention', 'treatment', 'solidarity')),
  person_id     uuid,
  percent       smallint not null check (percent in (20, 60, 80, 95)),
  balance_cents bigint not null,
  at            timestamptz not null default now(),
  told_at       timestamptz,
  primary key (company_id, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  constraint alerted_once unique nulls not distinct (company_id, plan_year, category, person_id, percent)
);
comment on table fund_alerts is 'A category''s use passed 60, 80 or 95 percent (for the company''s admins), or a person''s balance fell under 20 (for them): once per year each.';
create index fund_alerts_untold on fund_alerts (at) where told_at is null;
alter table fund_alerts enable row level security;
create policy yours_and_your_companys on fund_alerts for select using (
  company_id = (select actor_company())
    and (person_id = (select actor_id())
      or (person_id is null and (select actor_role()) = 'company_admin')));
grant select on fund_alerts to healthfund_request;

-- Each category of a company's years: what came in, what was given, spent, waits, is free.
create view category_funds with (security_barrier) as
  select company_id, plan_year, category,
      sum(balance_cents)::bigint as allocated_cents,
      sum(balance_cents) filter (where kind <> 'pool')::bigint as granted_cents,
      coalesce(sum(balance_cents) filter (where kind in ('payable', 'paid')), 0)::bigint as used_cents,
      coalesce(sum(balance_cents) filter (where kind = 'held'), 0)::bigint as held_cents,
      coalesce(sum(balance_cents) filter (where kind = 'available'), 0)::bigint as available_cents,
      coalesce(sum(balance_cents) filter (where kind = 'overpaid'), 0)::bigint as overpaid_cents,
      coalesce(sum(balance_cents) filter (where kind = 'pool'), 0)::bigint as free_cents
    from fund_totals where category is not null
    group by company_id, plan_year, category;
comment on view category_funds is 'Each category of each plan year: allocated, granted, used, held, available, free.';
grant select on category_funds to healthfund_request;

-- After transfers were sealed: which marks were passed by them. Asked by the job that seals.
create function wall.note_alerts(company uuid) returns void
language sql set search_path = public, pg_catalog
begin atomic
  insert into fund_alerts (company_id, plan_year, category, percent, balance_cents)
    select company, f.plan_year, f.category, m.percent, f.allocated - f.used
      from (select t.plan_year, t.category, sum(t.balance_cents) as allocated,
          sum(t.balance_cents) filter (where t.kind in ('payable', 'paid')) as used
        from wall.fund_totals t join plan_years y
          on y.company_id = t.company_id and y.starts_on = t.plan_year and y.closed_at is null
        where t.company_id = company and t.category is not null group by t.plan_year, t.category) f
      cross join (values (60), (80), (95)) m (percent)
      where f.allocated > 0 and f.used * 100 >= f.allocated * m.percent
    on conflict on constraint alerted_once do nothing;
end;

-- People of these transfers whose claim left them less than a fifth of what they had been given.
create function wall.note_low_balances(company uuid, sealed bigint[]) returns void
language sql set search_path = public, pg_catalog
begin atomic
  insert into fund_alerts (company_id, plan_year, category, person_id, percent, balance_cents)
    select distinct on (a.plan_year, a.category, a.person_id)
        company, a.plan_year, a.category, a.person_id, 20, a.balance_cents
      from transfers t
      cross join lateral (select * from accounts x where x.company_id = company
        and x.plan_year = t.plan_year and x.id = t.from_account offset 0) a
      cross join lateral (select * from grants x where x.company_id = company
        and x.plan_year = a.plan_year and x.person_id = a.person_id and x.category = a.category offset 0) g
      where t.company_id = company and t.id = any (sealed) and t.event = 'claim_held'
        and a.balance_cents * 5 < g.granted_cents + g.carried_cents
    on conflict on constraint alerted_once do nothing;
end;
revoke execute on function wall.note_alerts(uuid), wall.note_low_balances(uuid, bigint[]) from public;
