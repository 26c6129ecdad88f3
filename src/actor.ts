// The actor of a request: a person as they are at this moment, or a key of their company in their place.
import type { ActingKey } from '#permissions/key-rights.ts'
import type { CompanyRight } from '#users/rights.contract.ts'
import type { Role, UserStatus, WaitsFor } from '#users/users.contract.ts'

export type Actor = {
  id: string
  role: Role
  status: UserStatus
  company_id: string | null
  currency: string | null // what their company counts its money in
  /** An admin with money, claims or family of their time as an employee. */
  has_own: boolean
  waiting_for: WaitsFor | null
  /** The actor's rights for their company, at this very request. */
  rights: readonly CompanyRight[]
  /** A key of their company asks in their place. */
  key?: ActingKey
}

/** The actor where nobody is signed in. */
export const visitor: Actor = {
  id: '00000000-0000-0000-0000-000000000000',
  role: 'employee',
  status: 'pending',
  company_id: null,
  currency: null,
  has_own: false,
  waiting_for: 'email_confirmation',
  rights: [],
}

/** Reads what `become` answers: 'id role status company currency own waiting rights', and a key with its own. */
export function actorOf(stamp: string): Actor {
  const [id, role, status, company, currency, own, waiting, rights, key, of_key] = stamp.split(' ')
  return {
    id,
    role,
    status,
    company_id: company === '-' ? null : company,
    currency: currency === '-' ? null : currency,
    has_own: own === 'own',
    waiting_for: waiting || null,
    rights: rights === '-' ? [] : rights?.split(','),
    ...(key ? { key: { id: key, rights: of_key?.split(',') } } : {}),
  } as Actor
}
