// The kinds of caller that acts and pages are open to, and the groups of them that often stand together.
import { CompanyRight } from '#users/rights.contract.ts'

/** Each of a company's people is an `employee` here; rights for the company come beside that. */
export type CallerKind = 'super_admin' | 'employee' | CompanyRight
/** `anyone`: even signed out. `signed_in`: even pending. Otherwise an active person of one of these kinds. */
export type Callers = 'anyone' | 'signed_in' | readonly CallerKind[]

export const all_rights: readonly CompanyRight[] = CompanyRight.options
/** The rights of the specification's admin, in SQL by the same name: holders of one of them have work that waits for them. */
export const admin_rights = ['owner', 'people', 'reviewer', 'finance'] as const
/** Any active person. */
export const everybody: readonly CallerKind[] = ['super_admin', 'employee', ...all_rights]

export type RoleAndRights = {
  role: 'super_admin' | 'company_admin' | 'employee'
  rights: readonly CompanyRight[]
  has_own: boolean
}

/** Whether something is open to somebody, by a right of theirs or as one of the company's people. */
export const isOpenTo = (open_to: readonly CallerKind[], who: RoleAndRights): boolean =>
  openByRight(open_to, who) || (who.has_own && open_to.includes('employee'))

export const openByRight = (
  open_to: readonly CallerKind[],
  { role, rights }: RoleAndRights,
): boolean =>
  role === 'company_admin'
    ? rights.some((right) => open_to.includes(right))
    : open_to.includes(role)
