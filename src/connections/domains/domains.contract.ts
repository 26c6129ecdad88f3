// Domains of a company: requested, proven by a DNS record or by mail, given up.
import { z } from 'zod'
import { Domain } from '#companies/companies.contract.ts'
import { del, get, post } from '#lib/contract.ts'

export type OwnDomain = z.infer<typeof OwnDomain>
export const OwnDomain = z.object({
  domain: z.string(),
  /** The company's first domain, which the provider entered or its first admin brought. */
  is_first: z.boolean(),
  proven_at: z.iso.datetime().nullable(),
  /** Whether it is requested: then it can be proven. */
  is_requested: z.boolean(),
  checking: z.boolean(),
  checked_at: z.iso.datetime().nullable(),
  /** No record; another one; no answer; or another company has proven the domain. */
  fault: z.enum(['missing', 'different', 'servers', 'taken']).nullable(),
  mailed_at: z.iso.datetime().nullable(),
  /** The TXT record that proves it. */
  record: z.object({ name: z.string(), value: z.string() }),
})

const ByDomain = z.object({ domain: Domain })
const Domains = OwnDomain.array()

export const domains = {
  list: get('/connections/domains', z.object({}), Domains),
  request: post('/connections/domains', ByDomain, Domains),
  /** Asks the name servers; a job does, and the screens are told. */
  check: post('/connections/domains/:domain/check', ByDomain, Domains),
  /** A code to the postmaster of the domain. */
  mail_code: post('/connections/domains/:domain/code', ByDomain, Domains),
  confirm_code: post(
    '/connections/domains/:domain/proof',
    ByDomain.extend({ code: z.string().trim().toUpperCase().min(1).max(40) }),
    Domains,
  ),
  remove: del('/connections/domains/:domain', ByDomain, Domains),
}
