import { useEffect, useState } from 'react'

type ToastTone = 'success' | 'failure' | 'notice'
export type Toast = { id: number; text: string; tone: ToastTone; action?: ToastAction | undefined }
type ToastAction = { label: string; run: () => void }

let toasts: readonly Toast[] = []
let last_id = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

const isPlain = ({ action, tone }: Toast) => !action && tone !== 'failure'

/** 'Payout 2', 'claim #5' */
const thingIn = (text: string) => /\b(?:claim|payout) #?\d+/i.exec(text)?.[0].toLowerCase()

/**
 * Shows a sentence at the bottom of the screen. The same sentence is never shown twice at once. Of messages that something was
 * done only the last two stay, as they cover a list's last rows; and of two about the same claim or payout only the newer.
 */
export function toast(text: string, tone: ToastTone = 'success', action?: ToastAction) {
  const thing = thingIn(text)
  const others = toasts.filter(
    (shown) => shown.text !== text && !(thing && isPlain(shown) && thingIn(shown.text) === thing),
  )
  const plain = others.filter(isPlain).slice(0, -1)
  const kept = others.filter((shown) => !plain.includes(shown))
  change([...kept, { id: ++last_id, text, tone, action }].slice(-4))
  return last_id
}

export const dismiss = (id: number) => change(toasts.filter((shown) => shown.id !== id))

/** Another person at this screen must not see the last one's messages, nor undo their acts. */
export const dismissAll = () => change([])

export const shownToasts = {
  read: () => toasts,
  listen: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

/** The time for which taking an act back is offered. */
export const undo_shown_ms = 10_000

/** A button that appears where another one was ignores presses for this long, as they are meant for the other. */
export const arriving_ms = 600

/** Whether so much time has passed since it was first shown. */
export function useLate(ms: number) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return late
}
