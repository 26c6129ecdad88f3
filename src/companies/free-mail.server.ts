// Mail providers open to anybody, from a kept public list: their domains are never a company's.
import domains from 'email-providers/all.json' with { type: 'json' }
import type { Sql } from '#lib/db.server.ts'

export async function keepFreeMailDomains(sql: Sql) {
  const [known] = await sql<{ count: number }[]>`select count(*) as count from free_mail_domains`
  if (known?.count === domains.length) return
  await sql`
    insert into free_mail_domains (domain)
    select distinct lower(d) from unnest(${domains}::text[]) d on conflict do nothing`
  await sql`delete from free_mail_domains where domain <> all (${domains}::text[])`
}
