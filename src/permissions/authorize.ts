// Whether somebody may call an act, and in which seat they do it, by the table in policy.ts.
import type { Act } from '#contracts.ts'
import type { Actor } from '#actor.ts'
import { isOpenTo, openByRight } from '#permissions/callers.ts'
import { callers } from '#policy.ts'
import type { ProblemCode } from '#problems.ts'
import { rightFor } from '#permissions/key-rights.ts'

export function call(actor: Actor, act: Act): ProblemCode | undefined {
  const who = callers[act]
  if (actor.key) {
    const by_right = Array.isArray(who) && openByRight(who, actor)
    return by_right && rightFor(actor.key.rights, act) ? undefined : 'key_right_missing'
  }
  if (who === 'anyone' || who === 'signed_in') return undefined
  if (actor.waiting_for === 'two_step') return 'two_step_needed'
  if (actor.waiting_for === 'new_password') return 'new_password_needed'
  if (actor.status !== 'active') return 'account_pending'
  return isOpenTo(who, actor) ? undefined : 'forbidden'
}

/** The seat in which an actor acts: an act for employees alone is done as an employee. */
export function seatOf(actor: Actor, act: Act): Actor {
  const who = callers[act]
  if (actor.key) return { ...actor, key: { ...actor.key, right: rightFor(actor.key.rights, act) } }
  const as_employee = actor.has_own && Array.isArray(who) && !openByRight(who, actor)
  return as_employee ? { ...actor, role: 'employee', rights: [] } : actor
}
