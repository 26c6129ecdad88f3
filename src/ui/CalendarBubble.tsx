import { Popover } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { Calendar, type CalendarProps } from './Calendar.tsx'

type Props = CalendarProps & { anchor: RefObject<HTMLDivElement | null>; onClose: () => void }

/** The calendar under its field. Leaving it goes back to what was typed. */
export default function CalendarBubble({ anchor, onClose, ...calendar }: Props): ReactNode {
  const isOwn = (target: EventTarget | null) =>
    target instanceof Node && anchor.current?.contains(target)
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          aria-label="Calendar"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            const content = event.currentTarget as HTMLElement
            content.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            anchor.current?.querySelector('input')?.focus()
          }}
          onInteractOutside={(event) => {
            if (isOwn(event.target)) event.preventDefault()
          }}
          className="z-70 animate-appear rounded-card bg-raised p-3 shadow-raised"
        >
          <Calendar {...calendar} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
