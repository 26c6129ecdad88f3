// The topics that a person’s open screens hear.
import type { Actor } from '#actor.ts'

/** The company itself: its name stands in the menu, which `me` tells, and no page asks for. */
export const of_company = 'company:'

export function topicsOf(actor: Actor): string[] {
  const own = [`person:${actor.id}`]
  if (actor.status !== 'active' || actor.waiting_for) return own
  if (actor.role === 'super_admin') return [...own, 'supers']
  if (actor.role === 'company_admin')
    return [...own, `admins:${actor.company_id}`, `${of_company}${actor.company_id}`]
  return own
}
