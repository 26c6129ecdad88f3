// Closing a panel returns the focus to where it was opened. Radix does so only for panels with a trigger inside.
import { useRef, type RefObject } from 'react'

const fields = 'input, select, textarea, button:not([aria-label="Close"]), a[href]'

/**
 * Returns the focus when a dialog closes, unless something else was focused meanwhile, such as the next row, or the page was
 * left.
 */
export function useFocusReturn(leaves?: RefObject<boolean>) {
  const opener = useRef<Element | null>(null)
  return {
    onOpenAutoFocus: (event: Event) => {
      opener.current = lasting(document.activeElement)
      // A panel that is still loading gets the focus itself: it has no field yet, and Close would get the ring.
      const panel = event.target
      if (!(panel instanceof HTMLElement) || panel.querySelector(fields)) return
      event.preventDefault()
      panel.focus()
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      // The focus is on the page itself if a panel within this one was closed just before.
      if (standsOnPage()) standOn(leaves?.current ? null : opener.current, event.target)
    },
  }
}

/** The focus is on nothing of the page: nowhere, or on the page as a whole. */
export function standsOnPage(): boolean {
  const { activeElement: now, body } = document
  return !now || now === body || now.tagName === 'MAIN'
}

/** Focuses an element; if it is gone, the panel that is open besides this one, or else the page. */
export function standOn(element: Element | null, closing?: EventTarget | null) {
  const main = document.querySelector('main')
  const panels = [...document.querySelectorAll('[role$=dialog][data-state=open]')]
  const left = panels.filter((panel) => panel !== closing).at(-1) ?? main
  const to = element?.isConnected && element !== document.body ? element : left
  // The page as a whole begins below its head: the focus on it must not scroll it there.
  if (to instanceof HTMLElement) to.focus({ preventScroll: to === main })
}

/** An entry of a menu goes with its menu: what opened that stays. */
function lasting(element: Element | null): Element | null {
  const trigger = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return trigger ? document.getElementById(trigger) : element
}
