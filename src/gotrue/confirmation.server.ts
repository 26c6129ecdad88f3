// A proof given once more within a session, which some acts of the product need.
import type { Context } from 'hono'
import type { Auth } from './auth.server.ts'
import { requireUser } from './bearer.server.ts'
import { readBody, textField } from './body.server.ts'
import { AuthFailure, sessionGone } from './failure.server.ts'
import { isTheirs } from './own-password.server.ts'
import { isFresh, reauthenticationNeeded } from './proofs.server.ts'
import { addMethod } from './sessions.server.ts'
import { CodeProof, takeCode } from './sso/codes.server.ts'
import type { UserRow } from './users.server.ts'

const Proof = CodeProof.extend({ password: textField })

/** POST /confirmation: a password, or the code of a sign-in at their company's provider. */
export async function confirm(auth: Auth, c: Context): Promise<Response> {
  const { user, session } = await requireUser(auth, c)
  auth.limit(c, 'user')
  const { password, ...code } = readBody(c, Proof)
  if (!session) throw sessionGone()
  await (code.auth_code
    ? confirmByProvider(auth, user, session.id, code)
    : confirmByPassword(auth, user, session.id, password))
  return c.json({})
}

async function confirmByPassword(
  auth: Auth,
  user: UserRow,
  session_id: string,
  password: string | undefined,
) {
  if (!password || !(await isTheirs(auth, user, password))) {
    throw new AuthFailure(400, 'current_password_invalid', 'This is not your password')
  }
  await addMethod(auth, auth.sql, session_id, 'password')
}

/** The session is tied to the one at the provider from now on: signing out there ends it here. */
async function confirmByProvider(
  auth: Auth,
  user: UserRow,
  session_id: string,
  proof: Parameters<typeof takeCode>[1],
) {
  const { user_id, kind, provider_id, subject, sid, proven_at } = await takeCode(auth, proof)
  if (user_id !== user.id) {
    throw new AuthFailure(400, 'user_mismatch', 'At the provider you are somebody else')
  }
  if (!isFresh(auth, proven_at)) {
    throw reauthenticationNeeded('The provider does not say that you proved it just now')
  }
  await auth.sql.begin(async (tx) => {
    await addMethod(auth, tx, session_id, `sso/${kind}`, proven_at)
    await tx`delete from auth.sso_sessions where session_id = ${session_id}`
    await tx`insert into auth.sso_sessions (session_id, provider_id, subject, sid)
      values (${session_id}, ${provider_id}, ${subject}, ${sid})`
  })
}
