-- The ledger: accounts, and transfers between them. A transfer is the only way money moves.

create table accounts (
  company_id    uuid not null,
  plan_year     date not null,
  id            bigint generated always as identity,
  kind          text not null check (kind in ('funding', 'unallocated', 'pool', 'forfeited',
                  'available', 'held', 'payable', 'paid', 'overpaid')),
  category      text check (category in ('prevention', 'treatment', 'solidarity')),
  person_id     uuid,
  balance_cents bigint not null default 0,
  primary key (company_id, plan_year, id),
  foreign key (company_id, plan_year) references plan_years (company_id, starts_on)
    on update cascade on delete cascade,
  foreign key (company_id, person_id) references profiles (company_id, id) on delete restrict,
  constraint one_account_of_a_kind
    unique nulls not distinct (company_id, plan_year, person_id, kind, category),
  constraint a_category_has_its_own
    check ((category is null) = (kind in ('funding', 'unallocated', 'forfeited'))),
  constraint a_person_has_their_own
    check ((person_id is null) = (kind in ('funding', 'unallocated', 'forfeited', 'pool'))),
  -- No account but funding goes below zero; each name is what the person is told.
  constraint fund_exhausted check (balance_cents >= 0 or kind <> 'available'),
  constraint pool_exhausted check (balance_cents >= 0 or kind <> 'pool'),
  constraint unallocated_exhausted check (balance_cents >= 0 or kind <> 'unallocated'),
  constraint amount_not_there check (balance_cents >= 0 or
    kind not in ('forfeited', 'held', 'payable', 'paid', 'overpaid')),
  constraint balance_too_large check (balance_cents between -9007199254740991 and 9007199254740991)
) with (fillfactor = 80); -- room for the next balance beside the last
comment on table accounts is 'Where money is: of the company, or of a person and a category, per plan year. Balances move by transfers alone.';
create index accounts_by_person on accounts (company_id, person_id) where person_id is not null;

alter table accounts enable row level security;
create policy your_own_and_your_companys on accounts for select using (
  company_id = (select actor_company())
    and ((select actor_role()) = 'company_admin'
      or ((select actor_role()) = 'employee' and person_id = (select actor_id())))
  or ((select actor_role()) = 'super_admin' and person_id is null));
grant select on accounts to healthfund_request;

create table transfers (
  company_id         uuid not null,
  id                 bigint generated always as identity,
  plan_year          date not null,
  from_account       bigint not null,
  to_account         bigint not null,
  amount_cents       bigint not null,
  from_balance_cents bigint not null,
  to_balance_cents   bigint not null,
  event              text not null,
  cause              text not null,
  person_id          uuid,
  actor_id           uuid,
  occurred_on        date not null,
  posted_at          timestamptz not null default clock_timestamp(),
  note               text check (length(note) <= 500),
  primary key (company_id, id),
  constraint amount_must_be_positive check (amount_cents > 0),
  constraint transfer_to_itself check (from_account <> to_account),
  constraint transfer_already_posted unique (company_id, cause),
  -- Both accounts are of this company and this year. A year in which money has moved keeps its dates.
  constraint plan_year_has_money foreign key (company_id, plan_year, from_account)
    references accounts (company_id, plan_year, id) on update no action on delete no action,
  foreign key (company_id, plan_year, to_account)
    references accounts (company_id, plan_year, id) on update no action on delete no action
);
comment on table transfers is 'Money that moved: how much, from where to where, why, by whom, and both balances after. Never edited, sealed into a chain.';
create index transfers_from on transfers (company_id, from_account, posted_at, id);
create index transfers_to on transfers (company_id, to_account, posted_at, id);

alter table transfers enable row level security;
create policy your_own_and_your_companys on transfers for select using (
  company_id = (select actor_company())
    and ((select actor_role()) = 'company_admin'
      or ((select actor_role()) = 'employee' and person_id = (select actor_id())))
  or ((select actor_role()) = 'super_admin' and person_id is null));
grant select on transfers to healthfund_request;

create table unsealed_transfers (
  company_id  uuid not null,
  transfer_id bigint not null,
  primary key (company_id, transfer_id)
);
comment on table unsealed_transfers is 'Transfers of the last seconds: not yet in the chain, not yet in the kept totals.';
alter table unsealed_transfers enable row level security;

-- The account of a kind; one that has never been needed is opened.
create function account(company uuid, year date, kind text, category text default null,
  person uuid default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare found_id bigint;
begin
  select a.id into found_id from accounts a
    where a.company_id = company and a.plan_year = year and a.kind = account.kind
      and a.category is not distinct from account.category and a.person_id is not distinct from person;
  if found_id is not null then return found_id; end if;
  insert into accounts (company_id, plan_year, kind, category, person_id)
    values (company, year, account.kind, account.category, person)
    on conflict on constraint one_account_of_a_kind do nothing
    returning id into found_id;
  if found_id is not null then return found_id; end if;
  return account(company, year, kind, category, person); -- somebody opened it meanwhile
end $$;

-- Moves money. Balances change in the order of the accounts' ids, so that two transfers never wait in a ring.
create function transfer(company uuid, year date, from_account bigint, to_account bigint,
  amount_cents bigint, event text, cause text, person uuid default null, actor uuid default null,
  occurred_on date default null, note text default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare
  first bigint := least(from_account, to_account);
  first_change bigint := case when first = from_account then -amount_cents else amount_cents end;
  first_after bigint;
  second_after bigint;
  posted_id bigint;
begin
  if amount_cents <= 0 then
    raise exception 'amount_must_be_positive' using errcode = 'HF422';
  end if;
  update accounts a set balance_cents = a.balance_cents + first_change
    where a.company_id = company and a.plan_year = year and a.id = first
    returning a.balance_cents into first_after;
  update accounts a set balance_cents = a.balance_cents - first_change
    where a.company_id = company and a.plan_year = year
      and a.id = greatest(from_account, to_account)
    returning a.balance_cents into second_after;
  with posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on, note)
      values (company, year, transfer.from_account, transfer.to_account, transfer.amount_cents,
        case when first = transfer.from_account then first_after else second_after end,
        case when first = transfer.from_account then second_after else first_after end,
        transfer.event, transfer.cause, person, actor,
        coalesce(transfer.occurred_on, current_date), transfer.note)
      returning id)
  insert into unsealed_transfers (company_id, transfer_id) select company, id from posted
    returning transfer_id into posted_id;
  return posted_id;
end $$;

create type wall.posting as (
  from_account bigint, to_account bigint, amount_cents bigint, cause text, person_id uuid);

-- Moves money for thousands at once, in the order given; each transfer knows both balances after it.
create function transfer_all(company uuid, year date, event text, postings wall.posting[],
  actor uuid default null, note text default null) returns bigint
language plpgsql set search_path = public, pg_catalog as $$
declare posted_count bigint;
begin
  if coalesce(cardinality(postings), 0) = 0 then return 0; end if;
  perform from accounts a
    where a.company_id = company and a.plan_year = year and a.id = any (array(
      select p.from_account from unnest(postings) p union select p.to_account from unnest(postings) p))
    order by a.id for no key update;
  with posting as materialized (
    select p.* from unnest(postings) with ordinality
      as p (from_account, to_account, amount_cents, cause, person_id, at)),
  entry as (
    select at, from_account as account, -amount_cents as change from posting
    union all select at, to_account, amount_cents from posting),
  after as materialized (
    select e.at, e.account, a.balance_cents
        + sum(e.change) over (partition by e.account order by e.at)::bigint as balance_cents
      from entry e join accounts a
        on a.company_id = company and a.plan_year = year and a.id = e.account),
  moved as (
    update accounts a set balance_cents = a.balance_cents + m.change
      from (select account, sum(change)::bigint as change from entry group by account) m
      where a.company_id = company and a.plan_year = year and a.id = m.account),
  posted as (
    insert into transfers (company_id, plan_year, from_account, to_account, amount_cents,
        from_balance_cents, to_balance_cents, event, cause, person_id, actor_id, occurred_on, note)
      select company, year, p.from_account, p.to_account, p.amount_cents, f.balance_cents,
          t.balance_cents, transfer_all.event, p.cause, p.person_id, actor, current_date,
          transfer_all.note
        from posting p
        join after f on f.at = p.at and f.account = p.from_account
        join after t on t.at = p.at and t.account = p.to_account
        order by p.at
      returning id),
  queued as (
    insert into unsealed_transfers (company_id, transfer_id) select company, id from posted returning 1)
  select count(*) into posted_count from queued;
  return posted_count;
end $$;
revoke execute on function account(uuid, date, text, text, uuid),
  transfer(uuid, date, bigint, bigint, bigint, text, text, uuid, uuid, date, text),
  transfer_all(uuid, date, text, wall.posting[], uuid, text) from public;

-- A year has the company's own accounts from its first moment: pools before people, in the order of locks.
create function wall.open_accounts() returns trigger
language plpgsql security definer set search_path = public, pg_catalog as $$
begin
  insert into accounts (company_id, plan_year, kind, category)
    select new.company_id, new.starts_on, o.kind, o.category
      from (values (1, 'funding', null), (2, 'unallocated', null), (3, 'pool', 'prevention'),
        (4, 'pool', 'treatment'), (5, 'pool', 'solidarity'), (6, 'forfeited', null)) o (at, kind, category)
      order by o.at;
  return null;
end $$;
create trigger open_accounts after insert on plan_years
  for each row execute function wall.open_accounts();

-- Who may move money: the system, the company's admin or, where one is named, the person; answers who it is.
create function wall.mover(company uuid, person uuid default null) returns uuid
language plpgsql stable set search_path = public, pg_catalog as $$
declare who text[];
begin
  if session_user not in ('healthfund_request', 'healthfund_auth') then return null; end if;
  who := string_to_array(actor(), ' ');
  if who[3] = company::text
    and (who[1] = 'company_admin' or (who[1] = 'employee' and who[2] = person::text)) then
    return who[2]::uuid;
  end if;
  raise exception 'forbidden' using errcode = 'HF422';
end $$;
revoke execute on function wall.mover(uuid, uuid), wall.open_accounts() from public;
