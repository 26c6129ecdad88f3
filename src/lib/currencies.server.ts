// The database writes sums, too: it reads the decimals of currencies from the same table as all else.
import { currencies, decimalsOf } from './currencies.ts'
import type { Sql } from './db.server.ts'

export const keepCurrencies = (sql: Sql) => sql`
  insert into currencies (code, decimals)
  select * from unnest(${currencies}::text[], ${currencies.map(decimalsOf)}::smallint[])
  on conflict (code) do update set decimals = excluded.decimals
    where currencies.decimals <> excluded.decimals`
