// Whether somebody who is signed in knows their password, asked again before what matters.
import type { Context } from 'hono'
import { z } from 'zod'
import type { Auth } from './auth.server.ts'
import { requireUser } from './bearer.server.ts'
import { readBody, text } from './body.server.ts'
import { AuthFailure, sessionGone, tooManyRequests } from './failure.server.ts'
import { codeRate, refill, takeFor } from './limits.server.ts'
import { matches } from './passwords.server.ts'
import { addMethod } from './sessions.server.ts'
import type { UserRow } from './users.server.ts'

/** Somebody who finds an open session must not try passwords on it without limit. */
export async function isTheirs(auth: Auth, user: UserRow, password: string): Promise<boolean> {
  const bucket = `password ${user.id}`
  if (!(await takeFor(auth, auth.sql, bucket, codeRate))) throw tooManyRequests()
  if (!(await matches(auth, password, user.password_hash))) return false
  await refill(auth.sql, bucket)
  return true
}

/** POST /confirmation { password }: the session has proven it again, which some acts of the product ask for. */
export async function confirmPassword(auth: Auth, c: Context): Promise<Response> {
  const { user, session } = await requireUser(auth, c)
  auth.limit(c, 'user')
  const { password } = readBody(c, z.object({ password: text }))
  if (!session) throw sessionGone()
  if (!password || !(await isTheirs(auth, user, password))) {
    throw new AuthFailure(400, 'current_password_invalid', 'This is not your password')
  }
  await addMethod(auth, auth.sql, session.id, 'password')
  return c.json({})
}
