// Sending: a mail is written in the transaction that causes it, if no limit forbids it.
import type { Context } from 'hono'
import { write } from '#lib/mail-text.server.ts'
import type { Auth, Db } from './auth.server.ts'
import type { MailShare } from './settings.server.ts'
import { AuthFailure } from './failure.server.ts'
import { hasOneLeft, mailRate, networkOf, takeFor } from './limits.server.ts'
import { mail_texts, type Inviter } from './mails.server.ts'
import { makeOneTime, type OneTimeKind, type OneTime } from './one-time.server.ts'
import { pageLink } from './redirects.server.ts'
import type { UserRow } from './users.server.ts'

const overMailRate = (message: string) =>
  new AuthFailure(429, 'over_email_send_rate_limit', message)

export function secondsToWait(auth: Auth, sent_at: string | null): number {
  if (!sent_at) return 0
  const due = Date.parse(sent_at) + auth.settings.mail_every_seconds * 1000
  return Math.max(0, Math.ceil((due - auth.now().getTime()) / 1000))
}

export const tooSoon = (seconds: number) =>
  `For security purposes, you can only request this after ${seconds} seconds.`

function refuseTooSoon(auth: Auth, sent_at: string | null) {
  const seconds = secondsToWait(auth, sent_at)
  if (seconds > 0) throw overMailRate(tooSoon(seconds))
}

/** Asked before any account is looked up, so that known and unknown addresses are refused alike. */
export async function refuseWhenSentJustNow(auth: Auth, kind: string, email: string) {
  const { mail_every_seconds: seconds, autoconfirm } = auth.settings
  if (seconds === 0 || autoconfirm) return
  const rate = { burst: 1, per_second: 1 / seconds }
  if (await takeFor(auth, auth.sql, `${kind} ${email}`, rate)) return
  throw overMailRate(tooSoon(seconds))
}

/**
 * Mails that let people into their own account come first: a quarter of the hour's mails is for those alone. The rest goes to any
 * address that somebody enters: at most a third of it to one domain, and a tenth of all mails by one network.
 */
type MailPurpose = 'owner' | 'anybody'
const of_anybody = 3 / 4
const to_one_domain = 1 / 4
const from_one_network = 1 / 10
const for_one_account = 1 / 10
const to_one_address = 1 / 10

function refuseMail(auth: Auth, share: MailShare): never {
  auth.mailRefused(share)
  throw overMailRate('email rate limit exceeded')
}

/** Asked before any account is looked up: whether the service may send now must not depend on whether the address is known. */
export async function refuseWhenMailIsSpent(
  auth: Auth,
  c: Context,
  email: string,
  purpose: MailPurpose,
) {
  const { settings, sql } = auth
  if (settings.autoconfirm) return
  const network = networkOf(settings, c)
  const asks = mailRate(settings, from_one_network)
  if (network && !(await takeFor(auth, sql, `mails from ${network}`, asks))) {
    refuseMail(auth, 'network')
  }
  if (purpose === 'anybody') {
    const domain = `mails to ${email.split('@')[1]}`
    const rate = mailRate(settings, to_one_domain)
    if (!(await takeFor(auth, sql, domain, rate))) refuseMail(auth, 'domain')
    const left = await hasOneLeft(auth, 'mails to anybody', mailRate(settings, of_anybody))
    if (!left) refuseMail(auth, 'anybody')
  }
  if (!(await hasOneLeft(auth, 'mails', mailRate(settings)))) refuseMail(auth, 'all')
}

/**
 * A signed-in person may be a stranger with one address: an account gets no more of the hour's mails than a network, and one
 * recipient no more than that from all accounts together.
 */
export async function spentBy(
  auth: Auth,
  db: Db,
  user: UserRow,
  to: string,
): Promise<MailShare | undefined> {
  const own = mailRate(auth.settings, for_one_account)
  if (!(await takeFor(auth, db, `mails of ${user.id}`, own))) return 'account'
  const theirs = mailRate(auth.settings, to_one_address)
  return (await takeFor(auth, db, `mails to ${to}`, theirs)) ? undefined : 'address'
}

type MailRequest = { user: UserRow; to: string; sent_at: string | null; purpose: MailPurpose }

export async function refuseTooManyMails(
  auth: Auth,
  c: Context,
  { user, to, sent_at, purpose }: MailRequest,
) {
  refuseTooSoon(auth, sent_at)
  if (auth.settings.autoconfirm) return
  const spent = await spentBy(auth, auth.sql, user, to)
  if (spent) refuseMail(auth, spent)
  await refuseWhenMailIsSpent(auth, c, to, purpose)
}

export async function spendMail(auth: Auth, tx: Db, purpose: MailPurpose) {
  const { settings } = auth
  if (settings.autoconfirm) return
  if (purpose === 'anybody') {
    const taken = await takeFor(auth, tx, 'mails to anybody', mailRate(settings, of_anybody))
    if (!taken) refuseMail(auth, 'anybody')
  }
  if (!(await takeFor(auth, tx, 'mails', mailRate(settings)))) refuseMail(auth, 'all')
}

type MailKind = 'confirmation' | 'invite' | 'recovery' | 'set_password'
const typeOf = {
  confirmation: 'signup',
  invite: 'invite',
  recovery: 'recovery',
  set_password: 'recovery',
}
const kindOf: Record<MailKind, OneTimeKind> = {
  confirmation: 'confirmation',
  invite: 'confirmation',
  recovery: 'recovery',
  set_password: 'recovery',
}

type LinkMail = {
  mail_kind: MailKind
  user: UserRow
  redirect_to: string
  seconds?: number
  from?: Inviter | undefined
}
const nobody: Inviter = { company: null, by: null }

/** Mails a link and a code, and remembers when. */
export async function mailLink(auth: Auth, tx: Db, mail: LinkMail): Promise<void> {
  const { mail_kind, user, redirect_to, seconds = auth.settings.link_seconds, from = nobody } = mail
  if (!user.email) return
  const kind = kindOf[mail_kind]
  const { link, code } = await makeOneTime(auth, tx, {
    kind,
    user_id: user.id,
    address: user.email,
    seconds,
  })
  // A first password is no reset: the page welcomes.
  const first = mail_kind === 'set_password' ? '&first=1' : ''
  const address = pageLink(auth, link, typeOf[mail_kind], redirect_to) + first
  const code_address = `${auth.settings.site_url}/auth/verify?type=${typeOf[mail_kind]}${first}`
  const content = mail_texts[mail_kind]({ address, code, seconds, from, code_address })
  await auth.post(tx, write(user.email, content))
  await markSent(auth, tx, user.id, mail_kind)
}

/** Mails the confirmation again. An invited person has as long as an invitation gives, whoever asked for this mail. */
export function mailConfirmation(auth: Auth, tx: Db, user: UserRow, redirect_to: string) {
  const { invitation_seconds: seconds } = auth.settings
  if (user.invited_at)
    return mailLink(auth, tx, { mail_kind: 'invite', user, redirect_to, seconds })
  return mailLink(auth, tx, { mail_kind: 'confirmation', user, redirect_to })
}

export async function markSent(auth: Auth, tx: Db, user_id: string, mail_kind: MailKind) {
  const at = auth.at()
  const sent = {
    confirmation: { confirmation_sent_at: at },
    invite: { confirmation_sent_at: at, invited_at: at },
    recovery: { recovery_sent_at: at },
    set_password: { recovery_sent_at: at },
  }[mail_kind]
  await tx`update auth.users set ${auth.sql({ ...sent, updated_at: at })} where id = ${user_id}`
}

/**
 * Mails both addresses, which have to agree. If somebody has the new address already they are told instead, and the change waits
 * forever: to whoever asks it looks like any other.
 */
export async function mailEmailChange(
  auth: Auth,
  tx: Db,
  user: UserRow,
  new_email: string,
  redirect_to: string,
) {
  refuseTooSoon(auth, user.email_change_sent_at)
  const seconds = auth.settings.link_seconds
  const linkOf = ({ link, code }: OneTime) => ({
    address: pageLink(auth, link, 'email_change', redirect_to),
    code,
    seconds,
  })
  if (user.email) {
    await spendMail(auth, tx, 'anybody')
    const made = await makeOneTime(auth, tx, {
      kind: 'email_change_current',
      user_id: user.id,
      address: user.email,
    })
    const content = mail_texts.email_change_current(linkOf(made), new_email)
    await auth.post(tx, write(user.email, content))
  }
  await spendMail(auth, tx, 'anybody')
  const [taken] = await tx`
    select from auth.users where email = ${new_email} and aud = ${user.aud}`
  if (taken) {
    await mailAddressAttempt(auth, tx, new_email, user.aud)
    await tx`delete from auth.one_time_tokens
      where user_id = ${user.id} and kind = 'email_change_new'`
  } else {
    const made = await makeOneTime(auth, tx, {
      kind: 'email_change_new',
      user_id: user.id,
      address: new_email,
    })
    await auth.post(tx, write(new_email, mail_texts.email_change_new(linkOf(made))))
  }
  await tx`update auth.users set email_change = ${new_email}, email_change_halves = 0,
      email_change_sent_at = ${auth.at()}, updated_at = ${auth.at()}
    where id = ${user.id}`
}

export async function mailReauthentication(auth: Auth, tx: Db, user: UserRow, email: string) {
  refuseTooSoon(auth, user.reauthentication_sent_at)
  await spendMail(auth, tx, 'owner')
  const { code } = await makeOneTime(auth, tx, {
    kind: 'reauthentication',
    user_id: user.id,
    address: email,
  })
  const content = mail_texts.reauthentication({ code, seconds: auth.settings.link_seconds })
  await auth.post(tx, write(email, content))
  await tx`update auth.users set reauthentication_sent_at = ${auth.at()} where id = ${user.id}`
}

/** Skips a locked account instead of waiting: two people who ask for each other's address hold their own accounts. */
async function mailAddressAttempt(auth: Auth, tx: Db, email: string, aud: string) {
  const due = auth.at(-auth.settings.mail_every_seconds)
  const warned = await tx`
    update auth.users set warned_at = ${auth.at()} where id in (
      select id from auth.users where email = ${email} and aud = ${aud}
        and (warned_at is null or warned_at <= ${due}) for update skip locked) returning id`
  if (warned.length === 0) return
  const { site_url } = auth.settings
  const content = mail_texts.address_attempt({ sign_in: `${site_url}/auth/login` })
  await auth.post(tx, write(email, content))
}

/** Tells an owner that somebody tried to sign up with their address, unless they were told a moment ago. */
export async function mailSignUpAttempt(auth: Auth, tx: Db, user: UserRow) {
  if (!user.email || secondsToWait(auth, user.warned_at) > 0) return
  await spendMail(auth, tx, 'anybody')
  const { site_url } = auth.settings
  const content = mail_texts.sign_up_attempt({
    sign_in: `${site_url}/auth/login`,
    recover: `${site_url}/auth/forgot-password`,
  })
  await auth.post(tx, write(user.email, content))
  await tx`update auth.users set warned_at = ${auth.at()} where id = ${user.id}`
}
