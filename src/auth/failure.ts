import { isAuthApiError, isAuthWeakPasswordError, type AuthError } from '@supabase/auth-js'
import { Problem } from '#problems.ts'

/** The protocol says "User is banned", which tells nobody what to do. */
const suspended =
  'This account or its whole company is suspended. Ask your HR team, or the provider if HR can’t sign in either.'

/** The server's own message; where it had none to give, the sentence for the unexpected. */
export function messageOf(error: AuthError, unexpected: string): string {
  if (error.code === 'user_banned') return suspended
  const from_service = isAuthApiError(error) || isAuthWeakPasswordError(error)
  return from_service && error.status !== undefined && error.status < 500
    ? error.message
    : unexpected
}

/** A refused password stands beside its field, as any refused field does. */
export function throwIfWeak(error: AuthError | null) {
  if (error?.code === 'weak_password') {
    throw new Problem('invalid_input', { fields: { password: [error.message] } })
  }
}
