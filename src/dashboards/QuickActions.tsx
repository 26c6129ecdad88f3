import { BarChart3, Building2, ChevronRight, Settings, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#paths.ts'

const actions: { title: string; to: string; icon: ReactNode }[] = [
  { title: 'Add company', to: `${paths.companies}?add=yes`, icon: <Building2 aria-hidden /> },
  {
    title: 'Generate report',
    to: `${paths.reports}?generate=fund_allocation`,
    icon: <BarChart3 aria-hidden />,
  },
  { title: 'Manage users', to: paths.users, icon: <UsersRound aria-hidden /> },
  {
    title: 'System settings',
    to: `${paths.settings}#installation`,
    icon: <Settings aria-hidden />,
  },
]

/** Each leads right to the act. */
export const QuickActions = () => (
  <ul className="-mx-2 -my-2 flex flex-col">
    {actions.map(({ title, to, icon }) => (
      <li key={title}>
        <Link
          to={to}
          className="flex h-12 items-center gap-3 rounded-control px-2 text-sm font-medium transition-colors hover:bg-sunken"
        >
          <span className="grid size-8 place-items-center rounded-control bg-primary-wash text-primary-ink *:size-4">
            {icon}
          </span>
          {title}
          <ChevronRight className="ml-auto size-4 text-faint" aria-hidden />
        </Link>
      </li>
    ))}
  </ul>
)
