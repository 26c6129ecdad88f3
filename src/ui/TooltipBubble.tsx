import { clsx } from 'clsx'
import { Tooltip as Radix } from 'radix-ui'
import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

const styles = clsx(
  'z-90 max-w-72 animate-appear rounded-md bg-ink px-2.5 py-1.5 text-xs text-balance',
  'text-ground shadow-raised',
)

type Props = {
  text: string
  /** The control's place on screen. */
  anchor: DOMRect
  onStay: () => void
  onLeave: () => void
  onClose: () => void
}

/**
 * The bubble, placed where there is room. Its anchor is a copy of the control's box, so that the control itself need not change.
 */
export default function TooltipBubble(props: Props): ReactNode {
  const { text, anchor, onStay, onLeave, onClose } = props
  const { left, top, width, height } = anchor
  useEffect(() => {
    const scrolled = { capture: true, passive: true }
    window.addEventListener('scroll', onClose, scrolled)
    return () => window.removeEventListener('scroll', onClose, scrolled)
  })
  const likeness = (
    <Radix.Trigger asChild>
      <span
        aria-hidden="true"
        className="pointer-events-none fixed"
        style={{ left, top, width, height }}
      />
    </Radix.Trigger>
  )
  return (
    <Radix.Provider>
      <Radix.Root open onOpenChange={(open) => !open && onClose()}>
        {createPortal(likeness, document.body)}
        <Radix.Portal>
          <Radix.Content
            aria-hidden="true"
            sideOffset={6}
            collisionPadding={12}
            className={styles}
            onPointerEnter={onStay}
            onPointerLeave={onLeave}
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
