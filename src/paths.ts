// Every page: its address, its title and who may open it. Plain data, for server and tests, too.
import {
  all_rights,
  admin_rights,
  everybody,
  isOpenTo,
  type CallerKind,
  type RoleAndRights,
} from '#permissions/callers.ts'
import { rightNames } from '#users/rights.contract.ts'
import type { Role } from '#users/users.contract.ts'

/** `anyone`, signed in or not; `visitors` are not yet signed in; else who is one of these. */
export type OpenTo = 'anyone' | 'visitors' | readonly CallerKind[]
type PageEntry = { path: string; title: string; open_to: OpenTo }

const page = <Path extends string>(path: Path, title: string, open_to: OpenTo) => ({
  path,
  title,
  open_to,
})

export const pages = {
  // '/' itself is a file of its own: the landing page, drawn when the screens are built
  demo: page('/demo', 'Demo', 'anyone'),
  contact: page('/contact', 'Contact', 'anyone'),
  terms: page('/terms', 'Terms of Service', 'anyone'),
  privacy: page('/privacy', 'Privacy', 'anyone'),
  accessibility: page('/accessibility', 'Accessibility', 'anyone'),

  login: page('/auth/login', 'Sign In', 'visitors'),
  signup: page('/auth/signup', 'Create Account', 'visitors'),
  forgot_password: page('/auth/forgot-password', 'Forgot password', 'visitors'),
  reset_password: page('/auth/reset-password', 'Reset password', 'anyone'),
  verify: page('/auth/verify', 'Confirm', 'anyone'),
  sso: page('/auth/sso', 'Sign In', 'anyone'),
  setup: page('/auth/setup', 'Set up Healthfund', 'anyone'),

  super_admin: page('/dashboard/super-admin', 'Dashboard', ['super_admin']),
  company_admin: page('/dashboard/company-admin', 'Dashboard', all_rights),
  employee: page('/dashboard/employee', 'Dashboard', ['employee']),
  inquiries: page('/dashboard/inquiries', 'Inquiries', ['super_admin']),
  companies: page('/dashboard/companies', 'Companies', ['super_admin']),
  company: page('/dashboard/companies/:id', 'Company', ['super_admin']),
  users: page('/dashboard/users', 'Users', ['super_admin']),
  reports: page('/dashboard/reports', 'Reports', ['super_admin']),
  employees: page('/dashboard/employees', 'Employees', ['people']),
  people_file: page('/dashboard/employees/file', 'Employees by file', ['people']),
  groups: page('/dashboard/employees/groups', 'Groups', ['people', 'owner']),
  person: page('/dashboard/employees/:id', 'Employee', ['people']),
  funds: page('/dashboard/funds', 'Funds', ['owner', 'finance', 'auditor']),
  claims: page('/dashboard/claims', 'Claims', ['reviewer']),
  payouts: page('/dashboard/claims/payouts', 'Payouts', ['finance']),
  claim_policy: page('/dashboard/claims/policy', 'Policy', ['owner']),
  claim: page('/dashboard/claims/:id', 'Claim', ['reviewer']),
  my_claims: page('/dashboard/my-claims', 'My Claims', ['employee']),
  my_claim: page('/dashboard/my-claims/:id', 'Claim', ['employee']),
  my_money: page('/dashboard/my-money', 'My Money', ['employee']),
  dependents: page('/dashboard/dependents', 'Dependents', ['employee']),
  health_checks: page('/dashboard/health-checks', 'Health Checks', [
    'super_admin',
    'people',
    'employee',
  ]),
  audit: page('/dashboard/audit', 'Audit', ['super_admin', 'owner', 'auditor']),
  needs_you: page('/dashboard/needs-you', 'Needs you', everybody),
  notifications: page('/dashboard/notifications', 'Notifications', everybody),
  erasures: page('/dashboard/erasures', 'Erasure requests', ['super_admin', 'people']),
  connections: page('/dashboard/connections', 'Connections', ['owner']),
  settings: page('/dashboard/settings', 'Settings', everybody),
} satisfies Record<string, PageEntry>

export type PageName = keyof typeof pages

export const paths = {
  landing: '/',
  ...(Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as {
    [Name in PageName]: (typeof pages)[Name]['path']
  }),
}

/** A role has its own dashboard. */
export const homeOf = (role: Role): string => paths[role]

export const roleLabels: Record<Role, string> = {
  super_admin: 'Super Admin',
  company_admin: 'Company Admin',
  employee: 'Employee',
}

/** Company Admin is whoever has all rights of the specification's admin; else each right is named. */
export function badgeOf({ role, rights }: Pick<RoleAndRights, 'role' | 'rights'>): string {
  if (role !== 'company_admin' || admin_rights.every((right) => rights.includes(right)))
    return roleLabels[role]
  return rightNames(rights)
}

const tabs_of_claims: readonly PageName[] = ['payouts', 'claim_policy']

export const menus: Record<Role, readonly PageName[]> = {
  super_admin: [
    'super_admin',
    'needs_you',
    'companies',
    'users',
    'inquiries',
    'health_checks',
    'reports',
    'audit',
    'settings',
  ],
  company_admin: [
    'company_admin',
    'needs_you',
    'employees',
    'funds',
    'claims',
    'payouts',
    'claim_policy',
    'health_checks',
    'audit',
    'settings',
  ],
  employee: ['employee', 'needs_you', 'my_claims', 'dependents', 'my_money', 'health_checks'],
}

/** The role's pages, as far as they may be opened; without the queue, the tabs of Claims stand in its place. */
export const menuOf = (who: RoleAndRights): PageName[] =>
  menus[who.role].filter(
    (name) =>
      isOpenTo(pages[name].open_to as readonly CallerKind[], { ...who, has_own: false }) &&
      !(
        tabs_of_claims.includes(name) &&
        isOpenTo(pages.claims.open_to as readonly CallerKind[], who)
      ),
  )

/** The pages that share the tabs at the top of Claims, and what the tabs are called. */
export const claimsTabs = [
  { page: 'claims', to: paths.claims, title: 'Queue' },
  { page: 'payouts', to: paths.payouts, title: 'Payouts' },
  { page: 'claim_policy', to: paths.claim_policy, title: 'Policy' },
] as const

/** The page of one thing: its address with the number in its place. */
export const pathTo = (path: string, id: string | number): string =>
  path.replace(':id', encodeURIComponent(id))

/** Whether an address is a page of ours, for the server's 200 or 404. */
export const isPage = (path: string): boolean => path === '/' || pageAt(path) !== undefined

export function pageAt(path: string): PageEntry | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  return Object.values<PageEntry>(pages).find((entry) => isAt(entry.path.split('/'), parts))
}

/** `:id` stands for any one part. */
const isAt = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
