import {
  Banknote,
  BarChart3,
  Building2,
  CalendarHeart,
  FileText,
  Inbox,
  LayoutDashboard,
  ListChecks,
  PiggyBank,
  Receipt,
  Scale,
  ScrollText,
  Settings,
  UserRound,
  Users,
  UsersRound,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Outlet, useLocation } from 'react-router'
import { api } from '#api/api.ts'
import { countOf } from '#notifications/needs.contract.ts'
import { badgeOf, homeOf, menuOf, pages, type PageName } from '#paths.ts'
import { of_company } from '#topics.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Missing } from '#ui/Empty.tsx'
import { useLive } from '#ui/live.ts'
import { Shell } from '#ui/Shell.tsx'
import type { Me } from '#users/users.contract.ts'
import { useAuth } from './context.ts'
import { Guard } from './Guard.tsx'

const icons: Partial<Record<PageName, ReactNode>> = {
  super_admin: <LayoutDashboard aria-hidden />,
  company_admin: <LayoutDashboard aria-hidden />,
  employee: <LayoutDashboard aria-hidden />,
  companies: <Building2 aria-hidden />,
  users: <UsersRound aria-hidden />,
  inquiries: <Inbox aria-hidden />,
  reports: <BarChart3 aria-hidden />,
  employees: <Users aria-hidden />,
  funds: <Wallet aria-hidden />,
  needs_you: <ListChecks aria-hidden />,
  claims: <FileText aria-hidden />,
  payouts: <Banknote aria-hidden />,
  claim_policy: <Scale aria-hidden />,
  my_claims: <Receipt aria-hidden />,
  my_money: <PiggyBank aria-hidden />,
  dependents: <UserRound aria-hidden />,
  health_checks: <CalendarHeart aria-hidden />,
  audit: <ScrollText aria-hidden />,
  settings: <Settings aria-hidden />,
}

/** Around every page of the dashboard: the guard first, then sidebar and top bar. */
export function SignedIn({ tools }: { tools: ReactNode }) {
  return (
    <Guard>
      <Framed tools={tools} />
    </Guard>
  )
}

function Framed({ tools }: { tools: ReactNode }) {
  const { me, signOut, reload } = useAuth()
  const { pathname } = useLocation()
  useLive(api.live.open, reload, of_company)
  const things = useRead(api.needs.list, {}, { quiet: true })?.things ?? 0
  if (!me) return null
  const menu = menuOf(me).map((name) => ({
    ...entryOf(name),
    ...(name === 'needs_you' && things > 0 ? { badge: countOf(things) } : {}),
  }))
  return (
    <Shell
      home={homeOf(me.role)}
      menu={menu}
      own={me.has_own ? own.filter(({ to }) => !menu.some((entry) => entry.to === to)) : []}
      account={[entryOf('settings')]}
      place={<Place me={me} />}
      badge={badgeOf(me)}
      email={me.email}
      name={me.full_name}
      onLogout={signOut}
      tools={tools}
      footer={[entryOf('accessibility'), entryOf('privacy'), entryOf('terms')]}
      note={`Version ${import.meta.env.VITE_VERSION}`}
    >
      <Boundary of={pathname} missing={nothing_here}>
        <Outlet />
      </Boundary>
    </Shell>
  )
}

const entryOf = (name: PageName) => ({
  to: pages[name].path,
  title: pages[name].title,
  icon: icons[name],
})

const nothing_here = (
  <>
    <title>Page not found · Healthfund</title>
    <h1 className="sr-only">Page not found</h1>
    <Missing />
  </>
)

/** Pages for the own benefits of an admin who was an employee before. */
const own = [
  { ...entryOf('employee'), title: 'My Fund', icon: <Wallet aria-hidden /> },
  entryOf('my_claims'),
  entryOf('dependents'),
  entryOf('my_money'),
  // Admins who set health checks up have the page in their menu already.
  entryOf('health_checks'),
]

function Place({ me }: { me: Me }) {
  return (
    <div className="min-w-0 text-ui">
      <p className="truncate font-medium">{me.company?.name ?? 'Healthfund'}</p>
      <p className="truncate text-soft">{me.full_name || me.email}</p>
    </div>
  )
}
