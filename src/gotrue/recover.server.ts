// Mails that somebody asks for by address alone; the answer never tells whether the address is known.
import type { Context } from 'hono'
import { z } from 'zod'
import { record, type AuthActContext } from './audit.server.ts'
import type { Auth } from './auth.server.ts'
import { audienceOf, readBody, readEmail, textField } from './body.server.ts'
import { AuthFailure, invalid } from './failure.server.ts'
import {
  mailConfirmation,
  mailEmailChange,
  mailLink,
  refuseWhenSentJustNow,
  refuseWhenMailIsSpent,
  secondsToWait,
  spendMail,
  spentBy,
} from './mailing.server.ts'
import { redirectOf } from './redirects.server.ts'
import { findByEmail, lockUser, type UserRow } from './users.server.ts'

/**
 * Work that only a known account causes is done after the answer: its time would tell who has an account. The connection may be
 * gone by then, so the address of the request is read before.
 */
function afterTheAnswer(
  auth: Auth,
  c: Context,
  email: string,
  work: (context: AuthActContext, user: UserRow, redirect_to: string) => Promise<void>,
) {
  const aud = audienceOf(c)
  const redirect_to = redirectOf(auth, c)
  const address = auth.settings.client_address(c)
  auth.afterwards.begin(async () => {
    const known = await findByEmail(auth.sql, email, aud)
    if (!known) return
    await auth.sql
      .begin(async (tx) => {
        const user = await lockUser(tx, known.id)
        if (user) await work({ auth, tx, c: undefined, address }, user, redirect_to)
      })
      .catch((error: unknown) => {
        // The hour's last mail went to somebody else meanwhile.
        if (!(error instanceof AuthFailure)) throw error
        auth.log.info({ code: error.code }, 'auth refused')
      })
  })
}

export async function recover(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'recover')
  const body = readBody(c, z.object({ email: textField }))
  if (!body.email) throw invalid('Password recovery requires an email')
  const email = readEmail(body.email)
  await refuseWhenMailIsSpent(auth, c, email, 'owner')
  afterTheAnswer(auth, c, email, async (context, user, redirect_to) => {
    // The protocol's 429 would tell that the address is known: answer as ever, and send nothing.
    if (secondsToWait(auth, user.recovery_sent_at) > 0) return
    await record(context, 'user_recovery_requested', user)
    await spendMail(auth, context.tx, 'owner')
    await mailLink(auth, context.tx, { mail_kind: 'recovery', user, redirect_to })
  })
  return c.json({})
}

const Resend = z.object({ type: textField, email: textField, phone: textField })

export async function resend(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'resend')
  const { type, email } = readResend(readBody(c, Resend))
  await refuseWhenMailIsSpent(auth, c, email, 'anybody')
  const kind = type === 'signup' ? 'confirmation' : type
  await refuseWhenSentJustNow(auth, kind, email)
  afterTheAnswer(auth, c, email, async (context, user, redirect_to) => {
    const { tx } = context
    if (type === 'email_change') {
      const to = user.email_change
      const due = secondsToWait(auth, user.email_change_sent_at) === 0
      // A refusal would show that a change is pending: if nothing can be sent, the answer is the same.
      if (to && due && !(await spentBy(auth, tx, user, to)))
        await mailEmailChange(auth, tx, user, to, redirect_to)
    } else if (!user.email_confirmed_at) {
      await record(context, 'user_confirmation_requested', user)
      await spendMail(auth, tx, 'anybody')
      await mailConfirmation(auth, tx, user, redirect_to)
    }
  })
  return c.json({})
}

function readResend({ type = '', email, phone }: z.output<typeof Resend>) {
  if (!['signup', 'email_change', 'sms', 'phone_change'].includes(type)) {
    throw invalid('Missing one of these types: signup, email_change, sms, phone_change')
  }
  const by_mail = type === 'signup' || type === 'email_change'
  if (email && phone) throw invalid('Only an email address or phone number should be provided.')
  if (!email && !phone) throw invalid('Missing email address or phone number')
  if (by_mail && !email) throw invalid('Type provided requires an email address')
  if (!by_mail && !phone) throw invalid('Type provided requires a phone number')
  if (phone) throw new AuthFailure(400, 'phone_provider_disabled', 'Phone logins are disabled')
  return { type, email: readEmail(email) }
}
