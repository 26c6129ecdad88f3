import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Avatar } from './Avatar.tsx'

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
const OpenPersonMenu = lazy(async () => ({ default: (await load()).OpenPersonMenu }))

/** The person's own menu: what it is made of is fetched when somebody is about to open it. */
export function PersonMenu(props: PersonMenuProps) {
  const [wanted, setWanted] = useState(false)
  const initials = props.email?.slice(0, 2).toUpperCase() || 'U'
  const trigger = (
    <button
      type="button"
      aria-label={`${initials}, your account`}
      aria-haspopup="menu"
      className="rounded-full"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <Avatar initials={initials} />
    </button>
  )
  if (!wanted) return trigger
  return (
    <Suspense fallback={trigger}>
      <OpenPersonMenu {...props} initials={initials} />
    </Suspense>
  )
}
