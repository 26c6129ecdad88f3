import { Slot } from 'radix-ui'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { FocusEvent, PointerEvent, ReactElement } from 'react'

/**
 * The bubble is loaded when the first is shown: no page needs it to be seen. Where it cannot be had (offline,
 * or the product was renewed meanwhile) the page must not fall with it.
 */
const TooltipBubble = lazy(() =>
  import('./TooltipBubble.tsx').catch(() => ({ default: () => null })),
)

const after_hover_ms = 250
/** Long enough to move onto the sentence itself. */
const grace_ms = 150

type Props = {
  text: string
  /** The control's own name says the same. */
  names?: boolean
  children: ReactElement
}

/** A sentence beside a control: on hover, on focus, by touch where it does nothing. The control must be focusable. */
export function Tooltip({ text, names, children }: Props) {
  const [anchor, setAnchor] = useState<DOMRect>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  useEffect(() => () => clearTimeout(timer.current), [])

  const later = (act: () => void, ms: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(act, ms)
  }
  const show = (control: Element, ms: number) =>
    later(() => setAnchor(control.getBoundingClientRect()), ms)
  const hide = (ms = 0) => later(() => setAnchor(undefined), ms)

  return (
    <>
      <Slot.Root
        {...(names ? {} : { 'aria-describedby': id })}
        onPointerEnter={(event: PointerEvent) => {
          if (event.pointerType !== 'touch') show(event.currentTarget, after_hover_ms)
        }}
        onPointerLeave={(event: PointerEvent) => {
          if (event.pointerType !== 'touch') hide(grace_ms)
        }}
        onPointerDown={() => hide()}
        onPointerUp={(event: PointerEvent) => {
          const control = event.currentTarget
          const dead = control.getAttribute('aria-disabled') === 'true'
          if (event.pointerType === 'touch' && dead) show(control, grace_ms)
        }}
        onFocus={(event: FocusEvent) => {
          if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget, 0)
        }}
        onBlur={() => hide()}
      >
        {children}
      </Slot.Root>
      {!names && (
        <span id={id} hidden>
          {text}
        </span>
      )}
      {anchor && (
        <Suspense>
          <TooltipBubble
            text={text}
            anchor={anchor}
            onStay={() => clearTimeout(timer.current)}
            onLeave={() => hide(grace_ms)}
            onClose={() => hide()}
          />
        </Suspense>
      )}
    </>
  )
}
