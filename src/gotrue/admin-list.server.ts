// GET /admin/users: a page of accounts, and where the next and the last page are.
import type { Context } from 'hono'
import { onlyRow, type Auth } from './auth.server.ts'
import { requireAdmin } from './bearer.server.ts'
import { audienceOf } from './body.server.ts'
import { invalid } from './failure.server.ts'
import { accountParts, showUser, type Account } from './users.server.ts'

const MOST_PER_PAGE = 1000

export async function listUsers(auth: Auth, c: Context): Promise<Response> {
  const claims = await requireAdmin(auth, c)
  const aud = audienceOf(c, claims)
  const page = readCount(c, 'page', 1)
  const per_page = Math.min(readCount(c, 'per_page', 50), MOST_PER_PAGE)
  const direction = readSort(c.req.query('sort')) === 'asc' ? auth.sql`asc` : auth.sql`desc`
  const filter = c.req.query('filter') ?? ''
  const matching = filter
    ? auth.sql`and (position(${filter} in coalesce(email, '')) > 0
        or position(lower(${filter}) in lower(coalesce(raw_user_meta_data ->> 'full_name', ''))) > 0)`
    : auth.sql``
  const [counted, rows] = await Promise.all([
    auth.sql<{ total: number }[]>`
      select count(*) as total from auth.users where aud = ${aud} ${matching}`,
    auth.sql<Account[]>`
      select u.*, ${accountParts(auth.sql)} from auth.users u where aud = ${aud} ${matching}
      order by created_at ${direction}, id limit ${per_page} offset ${(page - 1) * per_page}`,
  ])
  const total = onlyRow(counted).total
  c.header('X-Total-Count', String(total))
  c.header('Link', links(c, page, per_page, total))
  return c.json({ users: rows.map(showUser), aud })
}

function readCount(c: Context, name: string, fallback: number): number {
  const parameter = c.req.query(name)
  if (!parameter) return fallback
  if (!/^\d{1,9}$/.test(parameter) || Number(parameter) === 0) {
    throw invalid(`Bad Pagination Parameters: ${name} must be a number above zero`)
  }
  return Number(parameter)
}

function readSort(parameter: string | undefined): 'asc' | 'desc' {
  if (parameter === undefined) return 'desc'
  const [, direction = 'desc'] = /^created_at(?: (asc|desc))?$/i.exec(parameter) ?? [undefined, '']
  if (!direction) throw invalid(`Bad Sort Parameters: bad sort '${parameter}'`)
  return direction.toLowerCase() as 'asc' | 'desc'
}

/** `page` comes first: the client reads the digit after the first equals sign. */
function links(c: Context, page: number, per_page: number, total: number): string {
  const kept = ['filter', 'sort'].flatMap((name) => {
    const value = c.req.query(name)
    return value ? [`&${new URLSearchParams([[name, value]])}`] : []
  })
  const to = (which: number, rel: string) =>
    `</admin/users?page=${which}&per_page=${per_page}${kept.join('')}>; rel="${rel}"`
  const last = Math.ceil(total / per_page)
  return [...(page < last ? [to(page + 1, 'next')] : []), to(last, 'last')].join(', ')
}
