// Notices about the security of an account: always sent to its owner, by mail and under the bell.
import type { Context } from 'hono'
import { z } from 'zod'
import { deviceOf } from '#lib/device.ts'
import type { Task } from '#lib/jobs.server.ts'
import { write } from '#lib/mail-text.server.ts'
import { in_mails } from '#lib/writing.ts'
import { inWords } from '#notifications/words.contract.ts'
import type { AuthActContext } from './audit.server.ts'
import { openAuth, type Auth } from './auth.server.ts'
import type { AuthOptions } from './settings.server.ts'
import { findUser, type FactorRow } from './users.server.ts'

const notices = [
  'password_changed',
  'email_changed',
  'two_step_on',
  'two_step_off',
  'two_step_reset',
  'factor_added',
  'factor_removed',
  'codes_made',
  'code_used',
  'taken_in',
  'payout_account_changed',
  'new_device',
] as const
type NoticeName = (typeof notices)[number]
type MailFacts = { factor?: string; email?: string; left?: number } | Record<string, string>

type Owner = { id: string; email: string | null }

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

export async function notifyOwner(
  { auth, tx, c }: AuthActContext,
  owner: Owner,
  notice: NoticeName,
  facts: MailFacts = {},
) {
  const { title, sentence } = inWords({ code: notice, facts }, in_mails)
  const [notified] = await tx<[{ company: string | null }]>`
    select auth.notify_owner(${owner.id}, ${notice}, ${tx.json(facts)}) as company`
  if (!owner.email) return
  const { site_url } = auth.settings
  const where = c && whereFrom(auth, c)
  const mail = write(owner.email, {
    subject: title,
    paragraphs: [
      sentence,
      `It happened on ${clock.format(auth.now())} UTC${where ? `, ${where}` : ''}.`,
    ],
    link: {
      label: 'Review your security settings',
      address: `${site_url}/dashboard/settings#security`,
    },
    end: `If that was not you, tell your administrator, and choose a new password at once: ${site_url}/auth/forgot-password`,
    foot: { text: 'You always get notices about the security of your account.', links: [] },
    ...(notified.company ? { company: notified.company } : {}),
  })
  await auth.post(tx, mail)
}

function whereFrom(auth: Auth, c: Context): string | undefined {
  const device = deviceOf(c.req.header('user-agent'))
  const address = auth.settings.client_address(c)
  const parts = [device && `with ${device}`, address && `from the address ${address}`]
  return parts.filter(Boolean).join(' ') || undefined
}

const factor_names: Record<FactorRow['factor_type'], string> = {
  totp: 'an authenticator app',
  phone: 'a phone number',
  webauthn: 'a passkey',
  recovery_code: 'recovery codes',
}

/** 'a passkey (My laptop)' */
export const nameOf = ({ factor_type, friendly_name }: FactorRow) =>
  friendly_name ? `${factor_names[factor_type]} (${friendly_name})` : factor_names[factor_type]

const NoticeJob = z.object({
  person_id: z.uuid(),
  notice: z.enum(notices),
  facts: z.record(z.string(), z.string()).optional(),
})

/** Mails about what acts of the product did to an account. */
export const mailNotices =
  (options: AuthOptions): Task =>
  async (job) => {
    const { person_id, notice, facts } = NoticeJob.parse(job)
    const auth = openAuth(options)
    await auth.sql.begin(async (tx) => {
      const owner = await findUser(tx, person_id)
      if (owner) await notifyOwner({ auth, tx, c: undefined }, owner, notice, facts)
    })
  }
