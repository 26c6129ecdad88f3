// How a domain is proven: its name servers are asked for our record, or its postmaster is mailed a code.
import { createHash, randomInt } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { z } from 'zod'
import type { Task } from '#lib/jobs.server.ts'
import { write } from '#lib/mail-text.server.ts'
import type { Post } from '#lib/mail.server.ts'
import { recordOf } from './record.ts'

const DomainInput = z.object({ company_id: z.uuid(), domain: z.string() })

export function checkDomain(servers: readonly string[]): Task {
  return async (input, { sql }) => {
    const { company_id, domain } = DomainInput.parse(input)
    const fault = await faultOf(servers, domain, company_id)
    await sql`select private.note_domain_check(${company_id}, ${domain}, ${fault})`
  }
}

async function faultOf(servers: readonly string[], domain: string, company_id: string) {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const { name, value } = recordOf(domain, company_id)
  try {
    const records = await resolver.resolveTxt(name)
    return records.some((parts) => parts.join('').trim() === value) ? null : 'different'
  } catch (error) {
    const { code = '' } = error as { code?: string }
    return ['ENOTFOUND', 'ENODATA'].includes(code) ? 'missing' : 'servers'
  }
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Mails a code of fifty bits, good for a day: not to be guessed, and short enough to be read out by the mailbox's reader. */
export function mailDomainCode(post: Post): Task {
  return async (input, { sql }) => {
    const { company_id, domain } = DomainInput.parse(input)
    const code = Array.from({ length: 10 }, () => letters[randomInt(letters.length)]).join('')
    const hash = createHash('sha256').update(code).digest()
    await sql.begin(async (tx) => {
      const [company] = await tx<{ name: string }[]>`
        update domain_requests k set code_hash = ${hash}, code_ends_at = now() + interval '1 day'
          from companies c
          where c.id = k.company_id and k.company_id = ${company_id} and k.domain = ${domain}
          returning c.name`
      if (company) await post(tx, mailTo(domain, company.name, code))
    })
  }
}

const mailTo = (domain: string, company: string, code: string) =>
  write(`postmaster@${domain}`, {
    subject: `Does ${domain} belong to ${company}?`,
    paragraphs: [
      `${company} says that ${domain} is its domain. With this code its admins at Healthfund verify it: ` +
        'they then vouch for all addresses there.',
      'If that is right, hand them the code. If not, do nothing.',
    ],
    code: `${code.slice(0, 5)}-${code.slice(5)}`,
    end: 'The code works once, for a day.',
  })
