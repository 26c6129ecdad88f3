import { clsx } from 'clsx'
import { Bell as BellIcon } from 'lucide-react'
import { Popover } from 'radix-ui'
import { lazy, Suspense, useState } from 'react'
import { api } from '#api.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { useRead } from '#ui/ask.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

// The list is for those who press: the bell itself is on every page.
const Latest = lazy(async () => ({ default: (await import('./Latest.tsx')).Latest }))

const bellLook = clsx(
  'relative grid size-9 place-items-center rounded-control text-soft',
  'hover:bg-sunken hover:text-ink',
)
const countLook = clsx(
  'figures absolute top-0.5 right-0 grid h-4 min-w-4 place-items-center rounded-full bg-bad px-1',
  'text-[0.625rem] leading-none font-semibold text-on-bad ring-2 ring-ground',
)
const panelLook = clsx(
  'z-70 flex max-h-[min(34rem,var(--radix-popover-content-available-height))] animate-appear',
  'w-[min(24rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-card bg-raised shadow-raised',
)

/** How much there is that one has not read; pressed, the latest of it. */
export function Bell() {
  const [open, setOpen] = useState(false)
  const unread = useRead(api.notifications.unread, {}, { quiet: true })?.unread ?? 0
  const figure = unread > 99 ? '99+' : String(unread)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={unread ? `Notifications, ${figure} unread` : 'Notifications'}
        className={bellLook}
      >
        <BellIcon className="size-5" aria-hidden />
        {unread > 0 && (
          <span aria-hidden="true" className={countLook}>
            {figure}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Notifications"
          className={panelLook}
        >
          <Boundary>
            <Suspense fallback={<Skeleton className="m-4 h-24" />}>
              <Latest onGo={() => setOpen(false)} />
            </Suspense>
          </Boundary>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
