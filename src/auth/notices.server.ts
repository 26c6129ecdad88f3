// What touches the security of an account is told to its owner, by mail and under the bell, always.
import type { Context } from 'hono'
import { deviceOf } from '#lib/device.ts'
import { write } from '#lib/letter.server.ts'
import { openAuth, type Auth, type Db } from './auth.server.ts'
import type { AuthOptions } from './settings.server.ts'
import { findUser, type FactorRow } from './users.server.ts'

type Facts = { factor?: string; email?: string; left?: number }
type Words = (facts: Facts) => [title: string, sentence: string]

const notices = {
  password_changed: () => [
    'Your password was changed',
    'Every other session of your account has ended.',
  ],
  email_changed: ({ email }) => [
    'Your email address was changed',
    `From now on you sign in with ${email}.`,
  ],
  two_step_on: ({ factor }) => [
    'Two-step verification is on',
    `From now on signing in asks for a second step: ${factor}.`,
  ],
  two_step_off: ({ factor }) => [
    'Two-step verification is off',
    `The last second step, ${factor}, was removed. Your password alone now signs in.`,
  ],
  two_step_reset: () => [
    'Your two-step verification was reset',
    'The provider’s staff removed your second steps, as they do when somebody asks them to. You were signed out everywhere.',
  ],
  factor_added: ({ factor }) => ['A second step was added', `It is ${factor}.`],
  factor_removed: ({ factor }) => ['A second step was removed', `It was ${factor}.`],
  codes_made: () => [
    'New recovery codes were made',
    'Codes that you kept from before work no more.',
  ],
  code_used: ({ left }) => [
    'A recovery code was used to sign in',
    left === 1 ? 'One code is left.' : `${left} codes are left.`,
  ],
  taken_in: () => [
    'A company added your account',
    'Its HR added you by your email address; your dashboard says which company it is.',
  ],
  payout_account_changed: () => [
    'The account for your payouts was changed',
    'What is paid out to you goes to the new bank account from now on.',
  ],
  new_device: () => [
    'A new device signed in to your account',
    'It is one that we have not seen with your account before.',
  ],
} satisfies Record<string, Words>
export type Notice = keyof typeof notices

type Owner = { id: string; email: string | null }

const clock = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** `c` is the request that did it; what a job did came from nowhere. */
export async function tellOwner(
  auth: Auth,
  db: Db,
  c: Context | undefined,
  owner: Owner,
  notice: Notice,
  facts: Facts = {},
) {
  const [title, sentence] = notices[notice](facts)
  await db`select auth.tell_owner(${owner.id}, ${title}, ${sentence})`
  if (!owner.email) return
  const { site_url } = auth.settings
  const where = c && whereFrom(auth, c)
  const mail = write(owner.email, {
    subject: title,
    says: [sentence, `It happened on ${clock.format(auth.now())} UTC${where ? `, ${where}` : ''}.`],
    link: { label: 'Look at your security', address: `${site_url}/dashboard/settings#security` },
    end: `If that was not you, choose a new password at once (${site_url}/auth/forgot-password) and tell your administrator.`,
    foot: { text: 'Notices about the security of your account always come.', links: [] },
  })
  await auth.post(db as never, mail)
}

function whereFrom(auth: Auth, c: Context): string | undefined {
  const device = deviceOf(c.req.header('user-agent'))
  const address = auth.settings.client_address(c)
  const said = [device && `with ${device}`, address && `from the address ${address}`]
  return said.filter(Boolean).join(' ') || undefined
}

const kinds: Record<FactorRow['factor_type'], string> = {
  totp: 'an authenticator app',
  phone: 'a phone number',
  webauthn: 'a passkey',
  recovery_code: 'recovery codes',
}

/** 'a passkey (My laptop)' */
export const nameOf = ({ factor_type, friendly_name }: FactorRow) =>
  friendly_name ? `${kinds[factor_type]} (${friendly_name})` : kinds[factor_type]

/** For what acts of the product do to an account. */
export async function mailNotice(options: AuthOptions, person_id: string, notice: Notice) {
  const auth = openAuth(options)
  await auth.sql.begin(async (tx) => {
    const owner = await findUser(tx, person_id)
    if (owner) await tellOwner(auth, tx, undefined, owner, notice)
  })
}

export const isNotice = (word: unknown): word is Notice =>
  typeof word === 'string' && Object.hasOwn(notices, word)
