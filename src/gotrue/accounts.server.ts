// Accounts that somebody of the product makes for others, and what is mailed to those.
import { randomInt, randomUUID } from 'node:crypto'
import { Problem } from '#problems.ts'
import { record } from './audit.server.ts'
import { openAuth, type Auth, type Db } from './auth.server.ts'
import { readEmail, type Members } from './body.server.ts'
import { mailLink } from './mailing.server.ts'
import type { Inviter } from './mails.server.ts'
import { hashPassword, refuseTooLong } from './passwords.server.ts'
import type { AuthOptions } from './settings.server.ts'
import { confirmEmail, findUser, insertUser } from './users.server.ts'

type NewAccount = {
  email: string
  full_name: string
  role: 'super_admin' | 'company_admin' | 'employee'
  company_id: string | null
  phone?: string | undefined
  department?: string | undefined
  /** A first password, to be changed at the first sign-in. */
  password?: string | undefined
  /** Somebody vouches for the address. Otherwise following a link confirms it. */
  confirmed?: boolean
  mail: 'invite' | 'set_password' | 'none'
}

/**
 * Makes the account, its person (by the triggers of the database) and its mail together. Refuses an
 * address that is taken. The caller decides who may do this.
 */
export async function makeAccount(
  options: AuthOptions,
  account: NewAccount,
): Promise<{ id: string }> {
  const auth = openAuth(options)
  const email = addressOf(account.email)
  const id = randomUUID()
  const { full_name, role, company_id, phone, department, password } = account
  if (password !== undefined) refuseTooLong(password)
  const password_hash = password === undefined ? undefined : await hashPassword(auth, password)
  const known: Members = { sub: id, email, email_verified: false, phone_verified: false, full_name }
  await auth.sql.begin(async (tx) => {
    const made = await insertUser(auth, tx, {
      id,
      aud: 'authenticated',
      email,
      password_hash,
      password_must_change: password_hash !== undefined,
      user_metadata: known,
      identity_data: known,
      placement: { role, company_id, phone, department },
    })
    if (!made) throw taken()
    await record({ auth, tx, c: undefined }, 'user_invited', undefined, {
      user_id: id,
      user_email: email,
    })
    if (account.mail !== 'none') await mailTo(auth, tx, id, account.mail)
    // Confirming comes last: it decides what the person becomes, so their place must be known.
    if (account.confirmed) await confirmEmail(auth, tx, id)
  })
  return { id }
}

const taken = () =>
  new Problem('invalid_input', {
    fields: { email: ['This email address already has an account'] },
  })

function addressOf(email: string): string {
  try {
    return readEmail(email.trim())
  } catch {
    throw new Problem('invalid_input', { fields: { email: ['Enter a valid email address'] } })
  }
}

async function mailTo(
  auth: Auth,
  tx: Db,
  id: string,
  mail_kind: 'invite' | 'set_password',
  from?: Inviter,
) {
  const user = await findUser(tx, id)
  if (!user) throw new Problem('not_found')
  const redirect_to = `${auth.settings.site_url}/auth/reset-password`
  const seconds = auth.settings.invitation_seconds
  await mailLink(auth, tx, { mail_kind, user, redirect_to, seconds, from })
}

/**
 * Mails an account its link, the first time or again. Accounts of `auth.add_accounts` get their tokens only here, by a job each,
 * so that a hundred thousand of them need no memory and survive a restart.
 */
export async function mailInvitation(
  options: AuthOptions,
  user_id: string,
  mail_kind: 'invite' | 'set_password' = 'invite',
  from?: Inviter,
): Promise<void> {
  const auth = openAuth(options)
  await auth.sql.begin((tx) => mailTo(auth, tx, user_id, mail_kind, from))
}

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** Twelve random characters, then one of each class that some rule may ask for. */
export function initialPassword(): string {
  const random = Array.from({ length: 12 }, () => letters[randomInt(letters.length)])
  return `${random.join('')}Aa1!`
}
