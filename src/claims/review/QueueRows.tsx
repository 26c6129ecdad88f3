import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import type { QueuedClaim } from './review.contract.ts'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useWindowRows } from '#ui/window-rows.ts'
import { rowId } from './QueueRow.tsx'

const beyond_rows = 10

type Props = {
  rows: readonly QueuedClaim[]
  more: (() => void) | undefined
  failed: boolean
  /** Called with the first row in sight. */
  see: (row: number) => void
  total: number | null | undefined
  row_px: number
  /** The claim to scroll to, with the focus if the keyboard was moved there. */
  target: Target | undefined
  draw: (claim: QueuedClaim) => ReactNode
}

export type Target = { id: number; focus: boolean }

/** The queue in the page: it scrolls with the window. */
export function RowsOfPage(props: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { virtual, from_top } = useWindowRows(list, props.rows, {
    row_px: props.row_px,
    overscan: beyond_rows,
    covered_px: 80,
  })
  useTarget(props, virtual)
  return <Rows {...props} {...drawnRows(virtual)} list={list} above={from_top} />
}

/** The queue beside an open claim: it scrolls by itself. */
export function RowsOfColumn(props: Props) {
  const list = useRef<HTMLUListElement>(null)
  const box = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- its functions change on every scroll, as they must
  const virtual = useVirtualizer({
    count: props.rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => props.row_px,
    overscan: beyond_rows,
    scrollPaddingStart: 8,
    scrollPaddingEnd: 8,
    getItemKey: (at) => props.rows[at]?.id ?? at,
  })
  useTarget(props, virtual)
  return (
    <div ref={box} className="relative min-h-0 flex-1 overflow-y-auto">
      <Rows {...props} {...drawnRows(virtual)} list={list} above={0} />
    </div>
  )
}

type Virtual = Virtualizer<Window, Element> | Virtualizer<HTMLDivElement, Element>
const drawnRows = (virtual: Virtual) => ({
  items: virtual.getVirtualItems(),
  height_px: virtual.getTotalSize(),
  measure: virtual.measureElement,
})

type RowsProps = Props &
  ReturnType<typeof drawnRows> & { list: RefObject<HTMLUListElement | null>; above: number }

function Rows(props: RowsProps) {
  const { rows, more, failed, see, total, draw, list, items, height_px, measure, above } = props
  const last = items.at(-1)
  const nears_end = (last?.index ?? 0) >= rows.length - beyond_rows
  useEffect(() => {
    if (nears_end && !failed) more?.()
  }, [nears_end, failed, more])
  const first = items[0]?.index
  useEffect(() => {
    if (first !== undefined) see(first)
  }, [first, see])
  return (
    <ul ref={list} aria-label="Claims" style={{ height: height_px }} className="relative w-full">
      {items.map(({ index, key, start }) => (
        <li
          key={key}
          ref={measure}
          data-index={index}
          aria-posinset={index + 1}
          aria-setsize={total ?? -1}
          style={{ transform: `translateY(${start - above}px)` }}
          className="absolute inset-x-0 top-0 border-b border-line"
        >
          {rows[index] && draw(rows[index])}
        </li>
      ))}
    </ul>
  )
}

/** Scrolls to a row first and focuses it afterwards: a row out of sight is not drawn. */
function useTarget({ rows, target }: Props, virtual: Virtual) {
  const done = useRef<Target>(undefined)
  const index = target ? rows.findIndex(({ id }) => id === target.id) : -1
  useEffect(() => {
    if (!target || index < 0 || done.current === target) return undefined
    virtual.scrollToIndex(index, { align: 'auto' })
    // Rows above may go meanwhile, so it counts as done only when the row is reached.
    const frame = requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        done.current = target
        if (!target.focus) return
        document.getElementById(rowId(target.id))?.focus({ preventScroll: true })
      }),
    )
    return () => cancelAnimationFrame(frame)
  }, [target, index, virtual])
}
