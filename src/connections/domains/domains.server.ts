// The acts of a company's admins on its domains.
import { besideFields } from '#lib/field-problems.server.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { OwnDomain, type domains } from './domains.contract.ts'
import { recordOf } from './record.ts'

const about_domain = Object.fromEntries(
  ['domain_taken', 'free_mail_domain', 'domain_already_yours', 'too_many_domains'].map((code) => [
    code,
    'domain',
  ]),
)

export const domainsHandlers: Handlers<typeof domains> = {
  list: ({ tx, actor }) => list(tx, actor.company_id),

  request: async ({ tx, actor, input: { domain } }) => {
    await besideFields(about_domain, tx`select request_domain(${domain})`)
    return list(tx, actor.company_id)
  },

  check: async ({ tx, actor, input: { domain } }) => {
    await tx`select check_domain(${domain})`
    return list(tx, actor.company_id)
  },

  mail_code: async ({ tx, actor, input: { domain } }) => {
    await tx`select mail_domain_code(${domain})`
    return list(tx, actor.company_id)
  },

  confirm_code: async ({ tx, actor, input: { domain, code } }) => {
    await besideFields(
      { domain_code_wrong: 'code' },
      tx`select confirm_domain_code(${domain}, ${code.replaceAll(/[\s-]/g, '')})`,
    )
    return list(tx, actor.company_id)
  },

  remove: async ({ tx, actor, input: { domain } }) => {
    await tx`select remove_domain(${domain})`
    return list(tx, actor.company_id)
  },
}

async function list(tx: Tx, company_id: string | null) {
  const shape = OwnDomain.omit({ record: true })
  const found = await rows(
    shape,
    tx`
      with own as (
        select c.domain, true as is_first, c.domain_proven_at as proven_at from companies c
          where c.id = ${company_id} and c.domain is not null
        union all
        select d.domain, false, d.proven_at from company_domains d
          where d.company_id = ${company_id})
      select domain, coalesce(o.is_first, false) as is_first, o.proven_at,
          k.checking is not null as is_requested, coalesce(k.checking, false) as checking,
          k.checked_at, k.fault, k.mailed_at
        from own o full join (
          select k.domain, k.checking, k.checked_at, k.fault, k.mailed_at from domain_requests k
            where k.company_id = ${company_id}) k
          using (domain)
        order by is_first desc, domain`,
  )
  return found.map((one) => ({ ...one, record: recordOf(one.domain, company_id ?? '') }))
}
