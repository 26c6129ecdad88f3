// Single keys that act. They never fire while somebody types or a dialog asks, and can be switched
// off for good (WCAG 2.1.4).
import { useEffect, useRef, useSyncExternalStore } from 'react'

const kept = 'shortcuts'
const listeners = new Set<() => void>()
const read = () => {
  try {
    return localStorage.getItem(kept) !== 'off'
  } catch {
    // Without a storage shortcuts are on, for this page.
    return true
  }
}

export function setShortcuts(on: boolean) {
  if (on) localStorage.removeItem(kept)
  else localStorage.setItem(kept, 'off')
  for (const listener of listeners) listener()
}

export const useShortcutsOn = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, read)

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]'

const isFree = (event: KeyboardEvent) =>
  !event.defaultPrevented &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !event.isComposing &&
  !(event.target instanceof Element && event.target.closest(typing)) &&
  !document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')

/** `{ j: next, k: before }`: by the key that is pressed, as the keyboard's own layout has it. */
export function useShortcuts(acts: Readonly<Record<string, (() => void) | undefined>>) {
  const on = useShortcutsOn()
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  useEffect(() => {
    if (!on) return undefined
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key]
      if (!act || !isFree(event)) return
      event.preventDefault()
      // A key that is held is one press.
      if (!event.repeat) act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [on])
}
