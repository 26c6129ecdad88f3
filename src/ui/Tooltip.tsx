import { clsx } from 'clsx'
import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

const look = clsx(
  'z-90 max-w-72 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-xs text-balance',
  'text-ground shadow-raised',
)

export const TooltipRoot = Radix.Provider

/** A sentence beside a control, on hover and on focus. The control must be focusable. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content sideOffset={6} collisionPadding={12} className={look}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
