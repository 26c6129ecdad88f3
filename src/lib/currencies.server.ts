// The database writes sums too: it reads their decimals from the same table as everybody else.
import { currencies, decimalsOf } from './currencies.ts'
import type { Sql } from './db.server.ts'

export const keepCurrencies = (sql: Sql) => sql`
  insert into currencies (code, decimals)
  select * from unnest(${currencies}::text[], ${currencies.map(decimalsOf)}::smallint[])
  on conflict (code) do update set decimals = excluded.decimals
    where currencies.decimals <> excluded.decimals`
