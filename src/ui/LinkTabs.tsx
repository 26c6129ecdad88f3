import { clsx } from 'clsx'
import { Link, useLocation } from 'react-router'

type Props = { label: string; tabs: readonly { to: string; title: string }[] }

/** Tabs that are pages of their own, each with its address. What lies below one belongs to it. */
export function LinkTabs({ label, tabs }: Props) {
  const { pathname } = useLocation()
  // A single tab would repeat the heading.
  if (tabs.length < 2) return null
  const around = tabs.filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
  const shown = around.sort((one, other) => other.to.length - one.to.length)[0]
  return (
    <nav
      aria-label={label}
      className="relative -mt-3 flex gap-1 overflow-x-auto border-b border-line"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={tab === shown ? 'page' : undefined}
          className={styles}
        >
          {tab.title}
        </Link>
      ))}
    </nav>
  )
}

const styles = clsx(
  '-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm font-medium',
  'whitespace-nowrap text-soft -outline-offset-2 hover:text-ink',
  'aria-[current=page]:border-primary aria-[current=page]:text-ink',
)
