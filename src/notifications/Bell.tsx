import { clsx } from 'clsx'
import { Bell as BellIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { onDemand } from '#ui/OnDemand.tsx'

// The panel is for those who press: the bell itself is on every page.
const Panel = onDemand(async () => (await import('./Panel.tsx')).Panel)

const bellStyles = clsx(
  'relative grid size-9 place-items-center rounded-control text-soft',
  'hover:bg-sunken hover:text-ink',
)
const countStyles = clsx(
  'figures absolute top-0.5 right-0 grid h-4 min-w-4 place-items-center rounded-full bg-bad px-1',
  'text-[0.625rem] leading-none font-semibold text-on-bad ring-2 ring-ground',
)

/** How much there is that one has not read; pressed, the latest of it. */
export function Bell() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const unread = useRead(api.notifications.unread, {}, { quiet: true })?.unread ?? 0
  const figure = unread > 99 ? '99+' : String(unread)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={unread ? `Notifications, ${figure} unread` : 'Notifications'}
        aria-haspopup="dialog"
        aria-expanded={open}
        className={bellStyles}
        onClick={() => setOpen(!open)}
      >
        <BellIcon className="size-5" aria-hidden />
        {unread > 0 && (
          <span aria-hidden="true" className={countStyles}>
            {figure}
          </span>
        )}
      </button>
      {open && <Panel bell={button} onClose={() => setOpen(false)} />}
    </>
  )
}
