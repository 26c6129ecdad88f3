import { clsx } from 'clsx'
import { Popover } from 'radix-ui'
import type { RefObject } from 'react'
import { Boundary } from '#ui/Boundary.tsx'
import { Latest } from './Latest.tsx'

const panelStyles = clsx(
  'z-70 flex max-h-[min(34rem,var(--radix-popover-content-available-height))] animate-appear',
  'w-[min(24rem,var(--radix-popover-content-available-width))] flex-col overflow-hidden rounded-card bg-raised shadow-raised',
)

type Props = { bell: RefObject<HTMLButtonElement | null>; onClose: () => void }

/** The panel below the bell. The bell is outside of it: pressing it again closes the panel, and gets the focus back. */
export function Panel({ bell, onClose }: Props) {
  const isOfBell = (target: EventTarget | null) =>
    target instanceof Node && Boolean(bell.current?.contains(target))
  return (
    <Popover.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Popover.Anchor virtualRef={bell} />
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Notifications"
          className={panelStyles}
          onInteractOutside={(event) => {
            if (isOfBell(event.target)) event.preventDefault()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            bell.current?.focus()
          }}
        >
          <Boundary>
            <Latest onGo={onClose} />
          </Boundary>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
