// Places that one can go to by typing: the pages and the acts of a role, each with the words that people use for it.
import {
  admin_rights,
  isOpenTo,
  type CallerKind,
  type RoleAndRights,
} from '#permissions/callers.ts'
import { menuOf, menus, pageAt, pages, paths, type PageName } from '#paths.ts'
import type { Me } from '#users/users.contract.ts'

type FindPlace = {
  to: string
  title: string
  /** Other names by which people look for it. */
  also?: string
  /** The people who may do it there, where the page is open to others, too. */
  for?: readonly CallerKind[]
}

const acts: Record<Me['role'], readonly FindPlace[]> = {
  employee: [
    { to: `${paths.my_claims}?new`, title: 'New claim', also: 'submit receipt bill expense' },
    { to: `${paths.my_claims}#account`, title: 'Bank account', also: 'IBAN payout paid to' },
    { to: `${paths.dependents}?new`, title: 'Add dependent', also: 'family child spouse parent' },
  ],
  company_admin: [
    {
      to: `${paths.employees}?add=Single`,
      title: 'Add Employee',
      also: 'person invite hire',
      for: ['people'],
    },
    {
      to: `${paths.employees}?add=Bulk+Upload`,
      title: 'Import employees',
      also: 'bulk upload file excel',
      for: ['people'],
    },
    {
      to: `${paths.funds}?open=allocate`,
      title: 'Allocate',
      also: 'money pools budget',
      for: ['finance'],
    },
    {
      to: `${paths.funds}?open=rebalance`,
      title: 'Rebalance',
      also: 'move money pools',
      for: ['finance'],
    },
  ],
  super_admin: [
    { to: `${paths.companies}?add=yes`, title: 'Add Company', also: 'customer' },
    { to: `${paths.users}?add=yes`, title: 'Add User', also: 'admin invite' },
  ],
}

/** Pages that no menu names, and parts of pages. */
const more: Record<Me['role'], readonly FindPlace[]> = {
  employee: [],
  company_admin: [
    { to: `${paths.funds}?tab=Plan`, title: 'Plan', also: 'plan year grants carry over' },
    {
      to: `${paths.funds}?tab=Statement`,
      title: 'Statement',
      also: 'ledger entries transactions balance',
      for: ['finance', 'auditor'],
    },
    { to: paths.payouts, title: 'Payouts', also: 'pay run bank file payment IBAN account' },
    {
      to: paths.claim_policy,
      title: 'Claim policy',
      also: 'rules limits approvals steps types manager deputy',
    },
    { to: paths.groups, title: 'Groups', also: 'employees departments teams' },
    { to: paths.connections, title: 'Connections', also: 'keys webhooks domains' },
    {
      to: `${paths.settings}#books`,
      title: 'Payroll and books',
      also: 'wage types accounts journal DATEV bookkeeping',
      for: ['finance', 'auditor'],
    },
    {
      to: `${paths.settings}#rights`,
      title: 'People with rights',
      also: 'admins invite second admin owner reviewer finance auditor',
      for: ['owner'],
    },
    {
      to: `${paths.settings}#away`,
      title: 'Absences',
      also: 'deputy away holiday',
      for: admin_rights,
    },
    { to: `${paths.settings}#calendar`, title: 'Public holidays', also: 'calendar working days' },
  ],
  super_admin: [{ to: `${paths.settings}#installation`, title: 'Installation', also: 'mail' }],
}

const for_all: readonly FindPlace[] = [
  { to: paths.notifications, title: 'Notifications', also: 'bell messages' },
  { to: `${paths.settings}#profile`, title: 'Profile', also: 'name phone picture' },
  {
    to: `${paths.settings}#security`,
    title: 'Security',
    also: 'password two-step passkey sessions',
  },
  { to: `${paths.settings}#notifications`, title: 'Email notifications', also: 'mails switch' },
  { to: `${paths.settings}#data`, title: 'Your data', also: 'privacy export erase delete' },
]

const known_as: Partial<Record<PageName, string>> = {
  employees: 'people manager department group',
  my_claims: 'receipts bank IBAN',
  audit: 'record history changes',
}

const pageNamed = (name: PageName): FindPlace => ({
  to: pages[name].path,
  title: pages[name].title,
  also: known_as[name] ?? '',
})

/** All there is for somebody: what they can do first. */
export function placesFor(me: RoleAndRights): FindPlace[] {
  const { role } = me
  const own: FindPlace[] = me.has_own
    ? [
        ...acts.employee,
        { to: paths.employee, title: 'My Fund', also: 'own dashboard' },
        ...menus.employee.slice(2).map(pageNamed),
      ]
    : []
  const menu = menuOf(me).map(pageNamed)
  const all = [...acts[role], ...own, ...menu, ...more[role], pageNamed('settings'), ...for_all]
  const isOpen = (place: FindPlace) => {
    const open_to = place.for ?? pageAt(place.to.replace(/[?#].*/, ''))?.open_to
    return Array.isArray(open_to) && isOpenTo(open_to, me)
  }
  return all.filter(
    (place, at) => all.findIndex((other) => other.to === place.to) === at && isOpen(place),
  )
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The places in which every typed word begins a word; matches of the title come before those of the keywords. */
export function placesNamed(typed: string, places: readonly FindPlace[]): FindPlace[] {
  const typed_words = plain(typed).split(/\s+/).filter(Boolean)
  const begins = (text: string) => {
    const words = plain(text).split(/[\s-]+/)
    return typed_words.every((part) => words.some((word) => word.startsWith(part)))
  }
  const named = places.filter(({ title }) => begins(title))
  const known = places.filter(
    (place) => !named.includes(place) && begins(`${place.title} ${place.also ?? ''}`),
  )
  return [...named, ...known]
}
