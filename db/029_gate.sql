-- Sums in words, by one table of decimals.
create table currencies (
  code     text primary key check (code ~ '^[A-Z]{3}$'),
  decimals smallint not null check (decimals between 0 and 4)
);
comment on table currencies is 'Currencies and their decimals (ISO 4217), filled from the product''s table at each start.';
alter table currencies enable row level security;
create policy open_to_all on currencies for select using (true);

create or replace function wall.money(cents bigint, currency text) returns text
language sql stable set search_path = public, pg_catalog, pg_temp
begin atomic
  select round(cents / power(10::numeric, d), d) || ' ' || currency
    from (select coalesce((select decimals from currencies where code = currency), 2)::integer as d) t;
end;
