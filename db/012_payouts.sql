-- Payouts: approved claims become money, in runs that one admin makes and another releases.

create function wall.iban_holds(iban text) returns boolean
language sql immutable set search_path = pg_catalog
return iban ~ '^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$' and (
  select string_agg(case when c ~ '\d' then c else (ascii(c) - 55)::text end, '' order by at)::numeric % 97
    from regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') with ordinality p (c, at)) = 1;

create table bank_accounts (
  company_id uuid not null,
  person_id  uuid not null,
  holder     text not null check (length(holder) between 2 and 70),
  iban       text not null,
  changed_at timestamptz not null default now(),
  primary key (company_id, person_id),
  foreign key (company_id, person_id) references profiles (company_id, id) on delete cascade,
  constraint iban_invalid check (wall.iban_holds(iban))
);
comment on table bank_accounts is 'Where a person''s money goes. Read by nobody but the bank''s file: the person sees its end.';
alter table bank_accounts enable row level security;
create trigger audit after insert or update or delete on bank_accounts
  for each row execute function audited('iban', 'holder');

create table company_accounts (
  company_id uuid primary key references companies on delete cascade,
  holder     text not null check (length(holder) between 2 and 70),
  iban       text not null,
  constraint company_iban_invalid check (wall.iban_holds(iban))
);
comment on table company_accounts is 'Where a company''s payouts are paid from: the debtor of its bank files.';
alter table company_accounts enable row level security;
create policy your_companys on company_accounts for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on company_accounts to healthfund_request;
create trigger audit after insert or update or delete on company_accounts
  for each row execute function audited('iban', 'holder');

create table pay_runs (
  company_id      uuid not null,
  id              bigint generated always as identity,
  status          text not null default 'made' check (status in ('made', 'released', 'cancelled')),
  cut_off_on      date not null,
  pay_on          date not null,
  made_at         timestamptz not null default now(),
  made_by         uuid not null,
  released_at     timestamptz,
  released_by     uuid,
  claims          integer not null default 0,
  people          integer not null default 0,
  claims_cents    bigint not null default 0,
  offset_cents    bigint not null default 0,
  paid_cents      bigint not null default 0,
  without_account integer not null default 0,
  version         integer not null default 1,
  primary key (company_id, id)
);
comment on table pay_runs is 'Approved claims that are paid together: made by one admin, released by another where there are two. Released, it is what the files of payroll and bank hold.';
alter table pay_runs enable row level security;
create policy your_companys on pay_runs for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on pay_runs to healthfund_request;
create trigger audit after insert or update or delete on pay_runs
  for each row execute function audited('version');

create table pay_items (
  company_id       uuid not null,
  run_id           bigint not null,
  person_id        uuid not null,
  claims           integer not null,
  claims_cents     bigint not null,
  offset_cents     bigint not null,
  paid_cents       bigint not null generated always as (claims_cents - offset_cents) stored,
  holder           text,
  iban             text,
  iban_end         text generated always as (right(iban, 4)) stored,
  returned_at      timestamptz,
  returned_because text check (length(returned_because) <= 300),
  primary key (company_id, run_id, person_id),
  foreign key (company_id, run_id) references pay_runs (company_id, id) on delete cascade,
  constraint no_more_kept_back_than_paid check (offset_cents between 0 and claims_cents)
);
comment on table pay_items is 'One person''s part of a pay run: what their claims come to, what is kept back for reversed ones, and the account it went to, as it was at release.';
create index pay_items_by_person on pay_items (company_id, person_id, run_id);
alter table pay_items enable row level security;
create policy your_companys on pay_items for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select (company_id, run_id, person_id, claims, claims_cents, offset_cents, paid_cents, iban_end,
  returned_at, returned_because) on pay_items to healthfund_request;
create trigger audit after insert or update or delete on pay_items
  for each row execute function audited('iban', 'holder', 'iban_end');

create table pay_claims (
  company_id uuid not null,
  run_id     bigint not null,
  person_id  uuid not null,
  claim_id   bigint not null,
  cents      bigint not null,
  primary key (company_id, run_id, person_id, claim_id),
  foreign key (company_id, run_id, person_id) references pay_items (company_id, run_id, person_id)
    on delete cascade
);
comment on table pay_claims is 'Which claims a part of a pay run pays, also after they were returned and paid by another.';
create index pay_claims_by_claim on pay_claims (company_id, claim_id);
alter table pay_claims enable row level security;
create policy your_companys on pay_claims for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on pay_claims to healthfund_request;

create table pay_offsets (
  company_id uuid not null,
  run_id     bigint not null,
  person_id  uuid not null,
  plan_year  date,
  category   text,
  cents      bigint not null check (cents > 0),
  id         bigint generated always as identity,
  primary key (company_id, run_id, person_id, id),
  foreign key (company_id, run_id, person_id) references pay_items (company_id, run_id, person_id)
    on delete cascade
);
comment on table pay_offsets is 'What a part of a pay run keeps back: owed in an account of the ledger, or (without one) kept back from a payment that came back.';
alter table pay_offsets enable row level security;
create policy your_companys on pay_offsets for select using (
  company_id = (select actor_company()) and (select actor_role()) = 'company_admin');
grant select on pay_offsets to healthfund_request;

-- What a person's next payout is reduced by, oldest first: overpaid in the ledger and in no open run yet; and what was
-- kept back from payments that the bank returned (their claims are paid again in full otherwise).
create function wall.owed(company uuid, people uuid[])
returns table (person_id uuid, plan_year date, category text, cents bigint)
language sql stable set search_path = public, pg_catalog as $$
  select a.person_id, a.plan_year, a.category, a.balance_cents - coalesce((
      select sum(o.cents) from pay_offsets o
        join pay_runs r on r.company_id = o.company_id and r.id = o.run_id and r.status = 'made'
        where o.company_id = company and o.person_id = a.person_id and o.plan_year = a.plan_year
          and o.category = a.category), 0)::bigint
    from unnest(people) p (id) join accounts a on a.company_id = company and a.person_id = p.id
      and a.kind = 'overpaid' and a.balance_cents > 0
  union all
  select p.id, null, null, (
      select coalesce(sum(i.offset_cents) filter (where i.returned_at is not null), 0)
          - coalesce((select sum(o.cents) from pay_offsets o
            join pay_runs r on r.company_id = o.company_id and r.id = o.run_id
              and r.status <> 'cancelled'
            where o.company_id = company and o.person_id = p.id and o.plan_year is null), 0)
        from pay_items i where i.company_id = company and i.person_id = p.id)::bigint
    from unnest(people) p (id)
$$;

create type wall.payable_claim as (person_id uuid, claim_id bigint, cents bigint);

-- What is approved, not paid, and decided by the end of that day at the company.
create function wall.to_pay(company uuid, cut_off date)
returns table (person_id uuid, claim_id bigint, cents bigint)
language sql stable set search_path = public, pg_catalog as $$
  select c.person_id, c.id, c.approved_cents
    from claims c join companies o on o.id = c.company_id
    where c.company_id = company and c.payment in ('unpaid', 'returned')
      and (c.reviewed_at at time zone o.time_zone)::date <= cut_off
$$;

-- Each person's part, and how much of it is kept back.
create function wall.parts_to_pay(company uuid, claims wall.payable_claim[])
returns table (person_id uuid, claims integer, claims_cents bigint, offset_cents bigint)
language sql stable set search_path = public, pg_catalog as $$
  with part as materialized (
    select t.person_id, count(*)::integer as claims, sum(t.cents)::bigint as cents
      from unnest(claims) t group by t.person_id),
  owed as (
    select o.person_id, sum(o.cents)::bigint as cents
      from wall.owed(company, array(select p.person_id from part p)) o where o.cents > 0
      group by o.person_id)
  select p.person_id, p.claims, p.cents, least(p.cents, coalesce(o.cents, 0))
    from part p left join owed o on o.person_id = p.person_id
$$;
revoke execute on function wall.iban_holds(text), wall.owed(uuid, uuid[]), wall.to_pay(uuid, date),
  wall.parts_to_pay(uuid, wall.payable_claim[]) from public;
