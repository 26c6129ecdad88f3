import { z } from 'zod'
import { Category } from '#categories.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { del, get, patch, post, put, Refusal, SearchText } from '#lib/contract.ts'
import { isCurrency } from '#lib/currencies.ts'
import { TimeZone } from '#lib/time-zones.ts'
import { Knowingly } from '#users/giving.contract.ts'
import { NextSecondPerson } from '#users/rights.contract.ts'
import { NewUser } from '#users/users.contract.ts'
import { Name, OneLine } from '#lib/one-line.ts'

export type CompanyStatus = z.infer<typeof CompanyStatus>
export const CompanyStatus = z.enum(['pending', 'active', 'suspended'])

export type CompanyDetail = z.infer<typeof CompanyDetail>
export const CompanyDetail = z.object({
  id: z.uuid(),
  name: z.string(),
  domain: z.string().nullable(),
  domain_proven_at: z.iso.datetime().nullable(),
  domain_auto_register: z.boolean(),
  status: CompanyStatus,
  currency: z.string(),
  time_zone: z.string(),
  employees: z.int(),
  admins: z.int(),
  version: z.int(),
  created_at: z.iso.datetime(),
  refusals: z.object({ currency: Refusal, contribute: Refusal }),
})

/** The domain in a pasted web address. */
const withoutPage = (text: string) => /^https?:\/\/(?:www\.)?([^/:?#]*)/.exec(text)?.[1] ?? text
export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(withoutPage)
  .max(253, 'Domain must be at most 253 characters')
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'Invalid domain')
const Currency = z.string().trim().toUpperCase().refine(isCurrency, 'Choose a currency')

export const NewCompany = z.object({
  name: Name,
  domain: Domain.optional(),
  currency: Currency,
  time_zone: TimeZone,
  admin_name: Name.optional(),
  admin_email: z
    .string()
    .trim()
    .toLowerCase()
    .min(1, 'Please fill in this field')
    .max(255, 'Email must be at most 255 characters')
    .pipe(z.email('Invalid email address')),
  /** The opening contribution: recorded with the company, or neither is. */
  contribution_cents: PositiveCents.optional(),
  contribution_reference: OneLine.min(1, 'Reference required').max(100).optional(),
})

const CompanyId = z.object({ id: z.uuid() })

export const CompanyChange = CompanyId.extend({
  version: z.int(),
  name: Name,
  domain: Domain.nullish(),
  currency: Currency.optional(),
  time_zone: TimeZone,
})

const Sort = z.enum(['name', '-name', 'joined', '-joined', 'employees', '-employees'])

export const CompanySearch = z.object({
  search: SearchText.optional(),
  status: CompanyStatus.optional(),
  sort: Sort.default('-joined'),
  after: z.string().max(2000).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(25),
})

const RowValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

export const CompanyActivityEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  actor_name: z.string().nullable(),
  actor_role: z.string(),
  act: z.enum(['insert', 'update', 'delete']),
  about: z.enum(['companies', 'profiles', 'imports']),
  subject: z.string().nullable(),
  before: RowValues.nullable(),
  after: RowValues.nullable(),
})

export const CompanyDomain = z.object({
  domain: z.string().nullable(),
  /** Other proven domains of the company. */
  others: z.string().array(),
  is_proven: z.boolean(),
  domain_auto_register: z.boolean(),
  /** People who wait and come in when it is turned on: how many, and the first of them. */
  lets_in: z.object({ people: z.int(), names: z.string().array() }),
})

/** The grants of a further person today, at once and in the whole plan year, and the money there is for them, by category. */
const Pool = z.object({
  category: Category,
  each_cents: z.int(),
  each_year_cents: z.int(),
  pool_cents: z.int(),
  /** Due to people who wait and to invited ones, who come first. */
  waiting_cents: z.int(),
  invited_cents: z.int(),
  allocated_cents: z.int(),
})
export type FirstDayFacts = z.infer<typeof FirstDayFacts>
export const FirstDayFacts = z.object({
  status: CompanyStatus,
  currency: z.string(),
  pools: Pool.array(),
  is_closed: z.boolean(),
  contributed: z.boolean(),
  people: z.int(),
  people_invited: z.int(),
  /**
   * Admins who can decide claims and payouts now, admins whose right for it an owner has yet to confirm, and
   * the invited.
   */
  admins: z.int(),
  admins_waiting: z.int(),
  admins_invited: z.int(),
  /** The next admin to count as a second person, if none does yet. */
  next_second_person: NextSecondPerson.nullable(),
  has_account: z.boolean(),
})

/** How many more people the pools have money for, after those who wait or are invited; null if nobody is granted anything. */
export function enoughFor({ pools }: FirstDayFacts): number | null {
  const each = pools.filter(({ each_cents }) => each_cents > 0)
  if (each.length === 0) return null
  const most = each.map(({ each_cents, pool_cents, waiting_cents, invited_cents }) =>
    Math.floor((pool_cents - waiting_cents - invited_cents) / each_cents),
  )
  return Math.max(0, Math.min(...most))
}

export const CompanyAdmin = z.object({
  id: z.uuid(),
  full_name: z.string(),
  email: z.string(),
  status: z.enum(['pending', 'active', 'suspended']),
  joined_on: z.iso.date(),
})
export const NewAdmin = NewUser.pick({ full_name: true, email: true })

export const companies = {
  list: get(
    '/companies',
    CompanySearch,
    z.object({ companies: CompanyDetail.array(), next: z.string().nullable(), total: z.int() }),
  ),
  summary: get(
    '/companies/summary',
    z.object({}),
    z.object({
      total: z.int(),
      active: z.int(),
      pending: z.int(),
      suspended: z.int(),
      employees: z.int(),
    }),
  ),
  /** A company is chosen by the beginning or any part of its name. */
  names: get(
    '/companies/names',
    z.object({ search: SearchText.optional() }),
    z.array(z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })),
  ),
  add: post('/companies', NewCompany, CompanyDetail, { idempotent: true }),
  find: get('/companies/:id', CompanyId, CompanyDetail),
  activity: get(
    '/companies/:id/activity',
    CompanyId.extend({ before_id: z.coerce.number().int().optional() }),
    z.object({ entries: CompanyActivityEntry.array(), next: z.int().nullable() }),
  ),
  change: patch('/companies/:id', CompanyChange, CompanyDetail),
  activate: post('/companies/:id/activation', CompanyId, CompanyDetail),
  suspend: post('/companies/:id/suspension', CompanyId, CompanyDetail),

  /** The steps missing until its people can claim, for its admins. */
  first_day: get('/company/first-day', z.object({}), FirstDayFacts),
  close_first_day: post('/company/first-day/close', z.object({}), FirstDayFacts),

  /** Somebody more who runs the company: they get a link by mail. */
  invite_admin: post('/company/admins', NewAdmin, CompanyAdmin),
  /** Makes an admin an employee again; an invitation that nobody used is cancelled. */
  remove_admin: del('/company/admins/:id', Knowingly, z.object({ id: z.uuid() })),

  /** A company's own domain, for its admins. */
  domain: get('/company/domain', z.object({}), CompanyDomain),
  set_auto_registration: put(
    '/company/domain-registration',
    z.object({ enabled: z.boolean() }),
    CompanyDomain,
  ),
}
