import { useEffect, type RefObject } from 'react'

/** A part that scrolls can be reached by keyboard, and one that does not is no tab stop. */
export function useScrollable(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element
      if (scrollHeight > clientHeight || scrollWidth > clientWidth) {
        element.setAttribute('tabindex', '0')
      } else if (document.activeElement !== element) element.removeAttribute('tabindex')
    }
    measure()
    const size = new ResizeObserver(measure)
    size.observe(element)
    const parts = new MutationObserver(measure)
    parts.observe(element, { childList: true, subtree: true, attributeFilter: ['style'] })
    return () => {
      size.disconnect()
      parts.disconnect()
    }
  }, [box])
}
