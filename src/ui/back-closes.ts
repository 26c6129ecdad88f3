// Back first closes what lies over the page (a dialog, a sheet), and only then leaves the page, as on a phone. Entries of the
// history are not removed for it: Back has moved the browser one entry back, so it is sent forward to the entry it left.
import { useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * `entered`: a history entry may have been made to open it, as for a sheet with an address. `tried`: Back is left to the router,
 * in case the entry before has the sheet closed. `closing`: it had not, so the layer is closed here.
 */
type Layer = {
  close: () => void
  kept: boolean
  entered: boolean
  step?: 'tried' | 'closing' | undefined
}
/** Entries are numbered by the router. The floor is the document's first entry; Back from it leaves the document. */
type HistoryEntry = { idx: number; floor?: boolean }

const layers: Layer[] = []
let current = { idx: 0, pathname: '', search: '' }
/** Set while the browser is on its way forward to the entry it left: the router hears nothing until it is there. */
let returning: { act: () => void } | undefined

const entryOf = (state: unknown): HistoryEntry => ({
  idx: 0,
  ...(state as Partial<HistoryEntry> | null),
})

function onPop(event: PopStateEvent) {
  const { idx, floor } = entryOf(event.state)
  if (returning) {
    event.stopImmediatePropagation()
    if (idx !== current.idx) return history.go(current.idx - idx)
    const { act } = returning
    returning = undefined
    return act()
  }
  const top = layers.at(-1)
  if (!top) return floor ? leave(event) : undefined
  if (idx !== current.idx - 1 || top.step) return undefined
  const { pathname, search } = window.location
  const may_be_its_own = pathname === current.pathname && search !== current.search
  if (may_be_its_own && top.entered && layers.length === 1 && !top.kept && !floor) {
    top.step = 'tried'
    return undefined
  }
  event.stopImmediatePropagation()
  returning = { act: () => (top.kept || !layers.includes(top) ? undefined : top.close()) }
  return history.go(1)
}

/**
 * Leaves the document at once: the floor repeats the first page's address, and would open again a sheet that was closed since.
 */
function leave(event: PopStateEvent) {
  event.stopImmediatePropagation()
  return history.back()
}

/** Lays a second entry over the first one: Back from the first would leave the document before anything could be closed. */
function layFloor() {
  const state = history.state as HistoryEntry | null
  if (entryOf(state).idx > 0 || !navigator.userActivation.hasBeenActive) return
  history.replaceState({ ...state, idx: 0, floor: true }, '')
  history.pushState({ ...state, idx: 1, floor: false }, '')
}

// The listener must come before the router's, so main.tsx imports this module first: a window calls its listeners in order.
window.addEventListener('popstate', onPop)

let shown_key = ''

function notePage(key: string) {
  if (key !== shown_key) returning = undefined
  shown_key = key
}

/** A page that moved on by itself left no entry to bring the browser forward to, so that is given up. */
export function PageWatcher() {
  const { key } = useLocation()
  useEffect(() => notePage(key), [key])
  return null
}

/** Closes a layer over the page by Back while it is open. `kept`: Back does nothing, as beside codes that are shown only once. */
export function useBackCloses(open: boolean, close: () => void, kept = false) {
  const { pathname, search } = useLocation()
  // A sheet's address can be an entry of its own, also when Forward brought it back. A replaced entry is the list's.
  const entered = useNavigationType() !== NavigationType.Replace
  const layer = useRef<Layer>({ close, kept, entered })
  useEffect(() => {
    Object.assign(layer.current, { close, kept })
  })
  const isEntered = useEffectEvent(() => entered)
  useEffect(() => {
    const one = layer.current
    if (!open) return undefined
    one.entered = isEntered()
    layers.push(one)
    layFloor()
    return () => {
      one.step = undefined
      layers.splice(layers.indexOf(one), 1)
    }
  }, [open])
  useEffect(() => {
    const one = layer.current
    if (!open) return
    if (one.step === 'tried') {
      one.step = 'closing'
      history.go(1)
    } else if (one.step === 'closing') {
      one.step = undefined
      one.close()
    } else if (!layers.some(({ step }) => step)) {
      current = { idx: entryOf(history.state).idx, pathname, search }
    }
  }, [open, pathname, search])
}
