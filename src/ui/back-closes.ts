// Back closes what lies over the page, before it leaves the page: as on a phone, where Back is how one closes things.
// The entries of the history stay as they are: the browser is brought forward again to the entry it left.
import { useEffect, useEffectEvent, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * `entered`: an entry of its own may have opened it. `tried`: Back is left to that entry's address. `closing`: the address has
 * not opened it.
 */
type Layer = {
  close: () => void
  kept: boolean
  entered: boolean
  step?: 'tried' | 'closing' | undefined
}
/** Entries are numbered by the router. Below a floor there is no entry of this document to come back from. */
type HistoryEntry = { idx: number; floor?: boolean }

const layers: Layer[] = []
let current = { idx: 0, pathname: '', search: '' }
/** Done once the browser is at its entry again; until then nobody hears of where it is. */
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

/** The floor has the address the page began with: what that opens was closed since, and is not opened once more. */
function leave(event: PopStateEvent) {
  event.stopImmediatePropagation()
  return history.back()
}

/** Back from the first entry would leave the document, and nobody could close anything. */
function layFloor() {
  const state = history.state as HistoryEntry | null
  if (entryOf(state).idx > 0 || !navigator.userActivation.hasBeenActive) return
  history.replaceState({ ...state, idx: 0, floor: true }, '')
  history.pushState({ ...state, idx: 1, floor: false }, '')
}

// Before the router: of a window's listeners the first one is told first, so main.tsx has this module from the start.
window.addEventListener('popstate', onPop)

let shown_key = ''

function notePage(key: string) {
  if (key !== shown_key) returning = undefined
  shown_key = key
}

/** Hears the router: a page that moved on by itself left no entry to bring the browser forward to. */
export function PageWatcher() {
  const { key } = useLocation()
  useEffect(() => notePage(key), [key])
  return null
}

/** For what lies over the page while it is open. What is kept open stays: Back does nothing then. */
export function useBackCloses(open: boolean, close: () => void, kept = false) {
  const { pathname, search } = useLocation()
  // Forward brings the entry of a sheet back, too; one that was replaced is the list's.
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
