import { z } from 'zod'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { keyset, patternOf, searchWords, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { of_company } from '#topics.ts'
import {
  companies,
  CompanyDetail,
  CompanyAdmin,
  CompanyActivityEntry,
  CompanyDomain,
  FirstDayFacts,
  type CompanySearch,
} from './companies.contract.ts'

const ListedCompany = withCursor(CompanyDetail)

const activity_rows = 30

export const companiesHandlers: Handlers<typeof companies> = {
  list: ({ tx, input }) => listCompanies(tx, input),

  summary: ({ tx }) =>
    row(
      companies.summary.output,
      tx`
        select count(*)::int as total, count(*) filter (where status = 'active')::int as active,
          count(*) filter (where status = 'pending')::int as pending,
          count(*) filter (where status = 'suspended')::int as suspended,
          (select coalesce(sum(pending + active + suspended), 0)::int from headcounts
            where company_id in (select id from companies)) as employees
        from companies`,
    ),

  names: ({ tx, input }) =>
    rows(
      companies.names.output.element,
      tx`select id, name, domain as note from companies
        where without_accents(name || ' ' || coalesce(domain, ''))
          like all (${searchWords(input.search).map(patternOf)})
        order by lower(name), id limit 20`,
    ),

  add: async ({ tx, input }) => {
    const { name, domain = null, currency, time_zone, admin_email } = input
    const [made] = await besideFields(
      about_domain,
      tx<[{ id: string }]>`
        insert into companies (name, domain, status, currency, time_zone)
        values (${name}, ${domain}, 'active', ${currency}, ${time_zone})
        returning id`,
    )
    const admin_name = input.admin_name ?? admin_email.split('@')[0] ?? name
    const admin = {
      email: admin_email,
      full_name: admin_name,
      role: 'company_admin',
      company_id: made.id,
    }
    await besideFields(
      { email_taken: 'admin_email' },
      tx`select from add_person(${tx.json(admin)})`,
    )
    const { contribution_cents, contribution_reference = 'Opening contribution' } = input
    if (contribution_cents) {
      await tx`select contribute(id, current_plan_year(id), ${contribution_cents}, company_today(id),
        ${contribution_reference}) from companies where id = ${made.id}`
    }
    return findCompany(tx, made.id)
  },

  find: ({ tx, input: { id } }) => findCompany(tx, id),

  invite_admin: async ({ tx, actor, input: { full_name, email } }) => {
    const { company_id } = actor
    const person = { full_name, email, role: 'company_admin', company_id }
    const [made] = await besideFields(
      { already_here: 'email', email_taken: 'email' },
      tx<[{ person_id: string }]>`select person_id from add_person(${tx.json(person)})`,
    )
    return row(
      CompanyAdmin,
      tx`select id, full_name, email, status, joined_on from profiles where id = ${made.person_id}`,
    )
  },

  remove_admin: async ({ tx, input: { id, knowingly = false } }) => {
    await tx`select remove_admin(${id}, ${knowingly})`
    return { id }
  },

  activity: async ({ tx, input: { id, before_id = null } }) => {
    const found = await rows(
      CompanyActivityEntry,
      tx`select * from company_activity(${id}, ${before_id}, ${activity_rows + 1})`,
    )
    const entries = found.slice(0, activity_rows)
    return { entries, next: found.length > activity_rows ? (entries.at(-1)?.id ?? null) : null }
  },

  change: async ({ tx, input }) => {
    const { id, version, name, domain = null, time_zone } = input
    const company = await lockCompany(tx, id)
    if (company.version !== version) throw new Problem('changed_meanwhile')
    const another = domain === company.domain ? tx`` : tx`, domain = ${domain}`
    const { currency = company.currency } = input
    await besideFields(
      { ...about_domain, currency_settled: 'currency' },
      tx`update companies set name = ${name}, currency = ${currency}, time_zone = ${time_zone} ${another}
        where id = ${id}`,
    )
    return publishAndFind(tx, id)
  },

  activate: async ({ tx, input: { id } }) => {
    const { status } = await lockCompany(tx, id)
    if (status === 'active') throw new Problem('company_active')
    await tx`update companies set status = 'active' where id = ${id}`
    return publishAndFind(tx, id)
  },

  suspend: async ({ tx, input: { id } }) => {
    const { status } = await lockCompany(tx, id)
    if (status === 'suspended') throw new Problem('company_suspended')
    await tx`update companies set status = 'suspended' where id = ${id}`
    return publishAndFind(tx, id)
  },

  first_day: ({ tx }) => findFirstDay(tx),

  close_first_day: async ({ tx }) => {
    await tx`select close_first_day()`
    return findFirstDay(tx)
  },

  domain: ({ tx, actor }) => findDomain(tx, actor.company_id),

  set_auto_registration: async ({ tx, actor, input: { enabled } }) => {
    await tx`select set_auto_registration(${enabled})`
    return findDomain(tx, actor.company_id)
  },
}

const about_domain = { domain_taken: 'domain', free_mail_domain: 'domain' }

const companyColumns = (tx: Tx) => tx`
  c.id, c.name, c.domain, c.domain_proven_at, c.domain_auto_register, c.status, c.currency,
  c.time_zone, c.version, c.created_at,
  json_build_object('currency', currency_refusal(c.id), 'contribute', contribution_refusal(c.status)) as refusals,
  coalesce(h.pending + h.active + h.suspended, 0) as employees,
  coalesce(h.admins_pending + h.admins_active + h.admins_suspended, 0) as admins`

const findCompany = (tx: Tx, id: string) =>
  row(
    CompanyDetail,
    tx`select ${companyColumns(tx)} from companies c left join headcounts h on h.company_id = c.id
      where c.id = ${id}`,
  )

async function lockCompany(tx: Tx, id: string) {
  await tx`select from companies where id = ${id} for no key update`
  return findCompany(tx, id)
}

async function publishAndFind(tx: Tx, id: string) {
  await tx`select publish('supers'), publish(${`admins:${id}`}), publish(${`${of_company}${id}`})`
  return findCompany(tx, id)
}

async function findFirstDay(tx: Tx) {
  const found = await row(z.object({ facts: FirstDayFacts }), tx`select first_day() as facts`)
  return found.facts
}

const findDomain = (tx: Tx, company_id: string | null) =>
  row(
    CompanyDomain,
    tx`select domain, domain_proven_at is not null as is_proven, domain_auto_register,
        waiting_at_domains(c.id) as lets_in,
        array(select d.domain from company_domains d where d.company_id = c.id order by 1) as others
      from companies c where id = ${company_id}`,
  )

const orders: Record<string, KeysetOrder> = {
  name: [
    ['lower(c.name)', 'text'],
    ['c.id', 'uuid'],
  ],
  joined: [
    ['c.created_at', 'timestamptz'],
    ['c.id', 'uuid'],
  ],
  employees: [
    ['coalesce(h.pending + h.active + h.suspended, 0)', 'int'],
    ['c.id', 'uuid'],
  ],
}

async function listCompanies(tx: Tx, input: z.output<typeof CompanySearch>) {
  const { search, status, sort, after, limit } = input
  const matches = tx`
    without_accents(c.name || ' ' || coalesce(c.domain, ''))
      like all (${searchWords(search).map(patternOf)})
    ${status ? tx`and c.status = ${status}` : tx``}`
  const { after_cursor, order_by, row_cursor } = keyset(
    tx,
    orders[sort.replace('-', '')] ?? [],
    sort.startsWith('-'),
    after,
  )
  const [found, [counted]] = await Promise.all([
    rows(
      ListedCompany,
      tx`select ${companyColumns(tx)}, ${row_cursor} as row_cursor
        from companies c left join headcounts h on h.company_id = c.id
        where ${matches} ${after_cursor} order by ${order_by} limit ${limit + 1}`,
    ),
    tx<[{ count: number }]>`select count(*) as count from companies c where ${matches}`,
  ])
  const { page, next } = pageOf(found, limit)
  return { companies: page, next, total: counted.count }
}
