// Mails that somebody asks for by address alone: what is answered never tells whether it is known.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth } from './auth.server.ts'
import { audienceOf, readBody, readEmail, text } from './body.server.ts'
import { AuthFailure, invalid } from './failure.server.ts'
import {
  mailConfirmation,
  mailEmailChange,
  mailLink,
  refuseWhenAskedJustNow,
  refuseWhenMailIsSpent,
  secondsToWait,
  spendMail,
  spentBy,
} from './mailing.server.ts'
import { redirectOf } from './redirects.server.ts'
import { findByEmail, lockUser } from './users.server.ts'

const EVEN_MS = 50

/** Takes as long for those who get a mail as for those who don't. */
async function evenly(work: () => Promise<void>) {
  const [done] = await Promise.allSettled([work(), sleep(EVEN_MS)])
  if (done.status === 'rejected') throw done.reason
}

export async function recover(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'recover')
  const body = readBody(c, z.object({ email: text }))
  if (!body.email) throw invalid('Password recovery requires an email')
  const email = readEmail(body.email)
  await refuseWhenMailIsSpent(auth, c, email, 'owner')
  await evenly(async () => {
    const known = await findByEmail(auth.sql, email, audienceOf(c))
    if (!known) return
    await auth.sql.begin(async (tx) => {
      const user = await lockUser(tx, known.id)
      // The protocol's 429 would tell that the address is known: answer as ever, and send nothing.
      if (!user || secondsToWait(auth, user.recovery_sent_at) > 0) return
      await record({ auth, tx, c }, 'user_recovery_requested', user)
      await spendMail(auth, tx, 'owner')
      await mailLink(auth, tx, { letter: 'recovery', user, redirect_to: redirectOf(auth, c) })
    })
  })
  return c.json({})
}

const Resend = z.object({ type: text, email: text, phone: text })

export async function resend(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'resend')
  const { type, email } = readResend(readBody(c, Resend))
  await refuseWhenMailIsSpent(auth, c, email, 'anybody')
  const kind = type === 'signup' ? 'confirmation' : type
  await refuseWhenAskedJustNow(auth, kind, email)
  await evenly(async () => {
    const known = await findByEmail(auth.sql, email, audienceOf(c))
    if (!known) return
    await auth.sql.begin(async (tx) => {
      const user = await lockUser(tx, known.id)
      if (!user) return
      const redirect_to = redirectOf(auth, c)
      if (type === 'email_change') {
        const to = user.email_change
        const due = secondsToWait(auth, user.email_change_sent_at) === 0
        // A refusal would tell that there is a change: nothing is sent, and nothing said.
        if (to && due && !(await spentBy(auth, tx, user, to)))
          await mailEmailChange(auth, tx, user, to, redirect_to)
      } else if (!user.email_confirmed_at) {
        await record({ auth, tx, c }, 'user_confirmation_requested', user)
        await spendMail(auth, tx, 'anybody')
        await mailConfirmation(auth, tx, user, redirect_to)
      }
    })
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
