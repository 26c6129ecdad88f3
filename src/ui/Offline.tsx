import { WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Empty } from './Empty.tsx'
import { useOnline } from './online.ts'

/** A note in the top bar of every page, for as long as it lasts. */
export function OfflineNote() {
  const online = useOnline()
  return (
    <output className="min-w-0">
      {!online && (
        <span className="flex items-center gap-2 rounded-full bg-accent-wash px-3 py-1 text-ui">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          <span className="truncate">
            You’re offline
            <span className="max-lg:sr-only">. Nothing can be sent until you’re back online.</span>
          </span>
        </span>
      )}
    </output>
  )
}

type Props = { screen: { arrived: boolean }; children: ReactNode }

/** Instead of a page whose files never arrived; it opens once there is a connection. */
export function WhenOnline({ screen, children }: Props) {
  const online = useOnline()
  if (online || screen.arrived) return children
  return (
    <Empty icon={<WifiOff aria-hidden />} title="You’re offline">
      This page opens as soon as you’re back online.
    </Empty>
  )
}
