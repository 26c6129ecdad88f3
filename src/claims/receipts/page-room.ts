// How large a page of a receipt is drawn in the room that it has.
import { useLayoutEffect, useState, type RefObject } from 'react'

export const zooms = [1, 1.5, 2, 3, 4] as const

/** At zoom 1 the page fits into the room, whichever way it is turned. */
export function layOutPage(
  natural: { width: number; height: number },
  room: { width: number; height: number },
  zoom: number,
  quarter: number,
) {
  const lies = quarter % 2 === 1
  const width = lies ? natural.height : natural.width
  const height = lies ? natural.width : natural.height
  const scale = Math.min(room.width / width, room.height / height) * zoom
  return {
    outer: { width: width * scale, height: height * scale },
    inner: {
      width: natural.width * scale,
      height: natural.height * scale,
      transform: `translate(-50%, -50%) rotate(${quarter * 90}deg)`,
    },
  }
}

const padding_px = 24

export function useRoom(box: RefObject<HTMLElement | null>) {
  const [room, setRoom] = useState({ width: 320, height: 400 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = () =>
      setRoom({
        width: Math.max(64, element.clientWidth - padding_px),
        height: Math.max(64, element.clientHeight - padding_px),
      })
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(element)
    return () => watching.disconnect()
  }, [box])
  return room
}
