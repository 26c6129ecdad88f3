// Whether somebody may call an act, and as whom they do it, by the table in policy.ts.
import type { Act } from '#contracts.ts'
import { callers, type Actor } from '#policy.ts'
import type { ProblemCode } from '#problems.ts'
import { rightFor } from '#rights.ts'
import type { Role } from '#users/users.contract.ts'

/** Who asks where nobody is signed in. */
export const visitor: Actor = {
  id: '00000000-0000-0000-0000-000000000000',
  role: 'employee',
  status: 'pending',
  company_id: null,
  currency: null,
  has_own: false,
  waiting_for: 'email_confirmation',
}

export function call(actor: Actor, act: Act): ProblemCode | undefined {
  const who = callers[act]
  const by_right = actor.key && who.includes(actor.role) && rightFor(actor.key.rights, act)
  if (actor.key) return by_right ? undefined : 'key_right_missing'
  if (who === 'anyone' || who === 'signed_in') return undefined
  if (actor.waiting_for === 'two_step') return 'two_step_needed'
  if (actor.waiting_for === 'new_password') return 'new_password_needed'
  if (actor.status !== 'active') return 'account_pending'
  return who.includes(seatOf(actor, act).role) ? undefined : 'forbidden'
}

/** As whom they do it: an admin does what only employees do, with what is their own, as an employee. */
export function seatOf(actor: Actor, act: Act): Actor {
  const who = callers[act]
  if (actor.key) return { ...actor, key: { ...actor.key, right: rightFor(actor.key.rights, act) } }
  const as_employee =
    actor.has_own && Array.isArray(who) && !who.includes(actor.role) && who.includes('employee')
  return as_employee ? { ...actor, role: 'employee' } : actor
}

/** Whether a page is theirs to open; the same holds for it. */
export const mayOpen = (open_to: readonly Role[], who: Pick<Actor, 'role' | 'has_own'>) =>
  open_to.includes(who.role) || (who.has_own && open_to.includes('employee'))
