import { clsx } from 'clsx'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useBackCloses } from './back-closes.ts'
import { useFocusReturn } from './focus-return.ts'

const styles = clsx(
  'fixed inset-y-0 left-0 z-60 w-72 max-w-[85vw] animate-slide-start',
  'bg-ground shadow-raised outline-none lg:hidden',
)

type Props = { open: boolean; onClose: () => void; title: string; children: ReactNode }

/** A panel from the left: the menu of a small screen. */
export function Drawer({ open, onClose, title, children }: Props) {
  const focus = useFocusReturn()
  useBackCloses(open, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(open) => (open ? undefined : onClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-black/35 lg:hidden" />
        <Radix.Content {...focus} aria-describedby={undefined} className={styles}>
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
