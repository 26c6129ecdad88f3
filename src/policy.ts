// Who may do what. First the table: every act and who may call it at all. Then the rules: why not?
// A rule answers with the reason it refuses, or with nothing when it allows.
import type { Act } from '#contracts.ts'
import type { ProblemCode } from '#problems.ts'
import type { Role, UserStatus, Waiting } from '#users/users.contract.ts'

export type Actor = {
  id: string
  role: Role
  status: UserStatus
  company_id: string | null
  waiting_for: Waiting | null
}

/** Who asks where nobody is signed in. */
export const visitor: Actor = {
  id: '00000000-0000-0000-0000-000000000000',
  role: 'employee',
  status: 'pending',
  company_id: null,
  waiting_for: 'email_confirmation',
}

/** `anyone`: even signed out. `signed_in`: even pending. Else an active person of one of the roles. */
export type Callers = 'anyone' | 'signed_in' | readonly Role[]

export const callers: Record<Act, Callers> = {
  'users.me': 'signed_in',
  'users.setup': 'anyone',
  'live.open': 'signed_in',
}

export function call(actor: Actor, act: Act): ProblemCode | undefined {
  const who = callers[act]
  if (who === 'anyone' || who === 'signed_in') return undefined
  if (actor.waiting_for === 'two_step') return 'two_step_needed'
  if (actor.status !== 'active') return 'account_pending'
  return who.includes(actor.role) ? undefined : 'forbidden'
}

/** What a person's open screens are told about. */
export function topicsOf(actor: Actor): string[] {
  const own = [`person:${actor.id}`]
  if (actor.status !== 'active') return own
  if (actor.role === 'super_admin') return [...own, 'supers']
  if (actor.role === 'company_admin') return [...own, `admins:${actor.company_id}`]
  return own
}
