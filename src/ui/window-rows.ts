import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useState, type RefObject } from 'react'

type Options = {
  row_px: number
  /** Rows drawn beyond those in sight. */
  overscan: number
  /** The height of the bars that lie over the rows, at the top and at the bottom of the window. */
  covered_px?: number
}

/** Which rows of a list that scrolls with the window are drawn, and how far from the top of the page it begins. */
export function useWindowRows(
  list: RefObject<Element | null>,
  rows: readonly { id: string | number }[],
  { row_px, overscan, covered_px = 0 }: Options,
) {
  const [from_top, setFromTop] = useState(0)
  useLayoutEffect(() => {
    const box = list.current?.getBoundingClientRect()
    if (box) setFromTop(box.top + window.scrollY)
  }, [list])
  // oxlint-disable-next-line react/incompatible-library -- its functions change on every scroll, as they must
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => row_px,
    overscan,
    scrollMargin: from_top,
    scrollPaddingStart: covered_px,
    scrollPaddingEnd: covered_px,
    getItemKey: (at) => rows[at]?.id ?? at,
  })
  return { virtual, from_top }
}
