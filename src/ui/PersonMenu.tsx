import { useState, type ReactNode } from 'react'
import { Avatar } from './Avatar.tsx'
import { onDemand } from './OnDemand.tsx'
import { isOffline } from './online.ts'

export type MenuEntry = {
  to: string
  title: string
  icon: ReactNode
  /** How much is there to do, such as '12'. */
  badge?: string | undefined
}

export type PersonMenuProps = {
  email: string | undefined
  name: string
  account: readonly MenuEntry[]
}

const load = () => import('./OpenPersonMenu.tsx')
const OpenPersonMenu = onDemand(async () => (await load()).OpenPersonMenu)

/** A failure now is shown once it is asked for. */
const fetchEarly = () => void (isOffline() || load().catch(() => {}))

/** The person's own menu: what it is made of is fetched when somebody is about to open it. */
export function PersonMenu(props: PersonMenuProps) {
  const [open, setOpen] = useState(false)
  const initials = props.email?.slice(0, 2).toUpperCase() || 'U'
  const trigger = (
    <button
      type="button"
      aria-label={`${initials}, your account`}
      aria-haspopup="menu"
      className="rounded-full"
      onPointerEnter={fetchEarly}
      onFocus={fetchEarly}
      onClick={() => setOpen(true)}
    >
      <Avatar initials={initials} />
    </button>
  )
  if (!open) return trigger
  const close = () => setOpen(false)
  return <OpenPersonMenu {...props} initials={initials} waiting={trigger} onClose={close} />
}
