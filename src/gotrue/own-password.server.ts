// Whether somebody who is signed in knows their password, asked again before what matters.
import type { Auth } from './auth.server.ts'
import { tooManyRequests } from './failure.server.ts'
import { codeRate, refill, takeFor } from './limits.server.ts'
import { matches } from './passwords.server.ts'
import type { UserRow } from './users.server.ts'

/** Whether the password is right, with a limit: somebody who finds an open session must not guess at will. */
export async function isTheirs(auth: Auth, user: UserRow, password: string): Promise<boolean> {
  const bucket = `password ${user.id}`
  if (!(await takeFor(auth, auth.sql, bucket, codeRate))) throw tooManyRequests()
  if (!(await matches(auth, password, user.password_hash))) return false
  await refill(auth.sql, bucket)
  return true
}
