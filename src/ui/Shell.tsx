import { clsx } from 'clsx'
import { LogOut, Menu as MenuIcon } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { Badge } from './Badge.tsx'
import { Brand } from './Brand.tsx'
import { Button, IconButton } from './Button.tsx'
import { OfflineNote } from './Offline.tsx'
import { onDemand } from './OnDemand.tsx'
import { PersonMenu, type MenuEntry } from './PersonMenu.tsx'
import { useWayBack } from './way-back.ts'

const Drawer = onDemand(async () => (await import('./Drawer.tsx')).Drawer)

type Props = {
  home: string
  menu: readonly MenuEntry[]
  /** Entries for the person's own benefits, below the menu under "Yours". */
  own?: readonly MenuEntry[]
  /** Entries of the person's own menu. */
  account: readonly MenuEntry[]
  /** The person's company, below the menu. */
  place?: ReactNode
  badge: string
  email: string | undefined
  name: string
  onLogout: () => Promise<void>
  /** The part before the person in the top bar, such as a bell. */
  tools?: ReactNode
  footer?: readonly { to: string; title: string }[]
  note?: string | undefined
  children: ReactNode
}

export function Shell(props: Props) {
  const main = useRef<HTMLElement>(null)
  useWayBack()
  useGutter()
  return (
    <div data-shell className={shellStyles}>
      <button type="button" className={skipStyles} onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <aside className="sticky top-0 hidden h-dvh border-r border-line lg:block print:hidden">
        <Sidebar {...props} />
      </aside>
      <div className="flex min-w-0 flex-col">
        <TopBar {...props} />
        <main ref={main} tabIndex={-1} className="flex-1 outline-none [--below-bar:3.5rem]">
          {props.children}
        </main>
        <Footer links={props.footer ?? []} note={props.note} />
      </div>
    </div>
  )
}

/** The width that is kept for a scrollbar: it is there without a scrollbar as well, which media queries ignore. */
function useGutter() {
  useEffect(() => {
    const { documentElement: root, body } = document
    const measure = () => {
      if (Object.hasOwn(body.dataset, 'scrollLocked')) return
      const { width } = root.getBoundingClientRect()
      root.style.setProperty('--gutter', `${window.innerWidth - width}px`)
    }
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
}

const Footer = ({
  links,
  note,
}: {
  links: NonNullable<Props['footer']>
  note: string | undefined
}) => (
  <footer className={footerStyles}>
    {links.map(({ to, title }) => (
      <Link key={to} to={to} className="rounded-sm py-1 hover:text-ink hover:underline">
        {title}
      </Link>
    ))}
    {note && <p className="py-1 text-faint sm:ml-auto">{note}</p>}
  </footer>
)

const footerStyles = clsx(
  'mx-auto flex w-full max-w-6xl flex-wrap gap-x-4 gap-y-1 px-4 pb-6 text-ui text-soft sm:px-6',
  'lg:px-10 print:hidden',
)

const shellStyles = clsx(
  'min-h-dvh [--sidebar:15.5rem] lg:grid lg:grid-cols-[var(--sidebar)_minmax(0,1fr)] print:block',
)

const skipStyles = clsx(
  'fixed top-3 left-3 z-80 -translate-y-20 rounded-control bg-primary px-4 py-2 text-sm',
  'font-medium text-on-primary focus:translate-y-0 print:hidden',
)

function Sidebar({ home, menu, own = [], place, onGo }: Props & { onGo?: () => void }) {
  return (
    <div className="relative flex h-full flex-col gap-6 overflow-y-auto px-3 py-4">
      <Link to={home} onClick={onGo} className="mx-2 mt-0.5 flex rounded-md">
        <Brand />
      </Link>
      <nav aria-label="Main">
        <Entries entries={menu} onGo={onGo} />
        {own.length > 0 && (
          <>
            <p className="mt-5 mb-1 px-2.5 text-xs font-medium text-soft">Yours</p>
            <Entries entries={own} onGo={onGo} />
          </>
        )}
      </nav>
      {place && <div className="mt-auto border-t border-line px-2.5 pt-4">{place}</div>}
    </div>
  )
}

type EntriesProps = { entries: readonly MenuEntry[]; onGo: (() => void) | undefined }

const Entries = ({ entries, onGo }: EntriesProps) => (
  <ul className="flex flex-col gap-0.5">
    {entries.map(({ to, title, icon, badge }) => (
      <li key={to}>
        <NavLink to={to} onClick={onGo} className={entryStyles}>
          {icon}
          {title}
          {badge && <span className={badgeStyles}>{badge}</span>}
        </NavLink>
      </li>
    ))}
  </ul>
)

const badgeStyles =
  'figures ml-auto rounded-full bg-accent-wash px-2 py-0.5 text-xs font-semibold text-accent-ink'

const entryStyles = ({ isActive }: { isActive: boolean }) =>
  clsx(
    'flex h-9 items-center gap-3 rounded-control px-2.5 text-sm font-medium transition-colors',
    '[&>svg]:size-4 [&>svg]:shrink-0',
    isActive ? 'bg-primary-wash text-primary-ink' : 'text-soft hover:bg-sunken hover:text-ink',
  )

function TopBar(props: Props) {
  const [open, setOpen] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    await props.onLogout()
    setLeaving(false)
  }
  return (
    <header className="sticky top-0 z-40 border-b border-line bg-ground print:hidden">
      <div className={barStyles}>
        <IconButton
          label="Open menu"
          className="-ml-2 lg:hidden"
          aria-expanded={open}
          icon={<MenuIcon className="size-5" aria-hidden />}
          onClick={() => setOpen(true)}
        />
        {open && (
          <Drawer open onClose={() => setOpen(false)} title="Menu">
            <Sidebar {...props} onGo={() => setOpen(false)} />
          </Drawer>
        )}
        <Badge tone="primary">{props.badge}</Badge>
        <OfflineNote />
        <div className="ml-auto flex items-center gap-1 max-[22rem]:gap-0 sm:gap-2">
          {props.tools}
          <PersonMenu {...props} />
          <Button
            variant="quiet"
            aria-label="Logout"
            loading={leaving}
            icon={LogOut}
            onClick={() => void leave()}
            className="px-2.5!"
          >
            <span className="max-sm:hidden">Logout</span>
          </Button>
        </div>
      </div>
    </header>
  )
}

const barStyles = clsx(
  'mx-auto flex h-14 w-full max-w-6xl items-center gap-3 px-4 sm:px-6 lg:px-10',
  // A page that is enlarged four times is as narrow as this.
  'max-[22rem]:gap-1 max-[22rem]:px-3',
)
