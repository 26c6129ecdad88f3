import { useEffect, useEffectEvent, useState, type RefObject } from 'react'

/** Files that are let go anywhere in the window are meant for us; missing by an inch loses no page. */
export function useDropped(
  zone: RefObject<HTMLElement | null>,
  onFiles: (files: File[]) => void,
  listens = true,
) {
  const [over, setOver] = useState(false)
  const add = useEffectEvent(onFiles)
  useEffect(() => {
    if (!listens) return undefined
    const carries = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const dragged = (event: DragEvent) => {
      if (!carries(event)) return
      event.preventDefault()
      setOver(true)
    }
    const left = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent) => {
      if (!carries(event)) return
      event.preventDefault()
      setOver(false)
      add([...(event.dataTransfer?.files ?? [])])
      zone.current?.scrollIntoView({ block: 'nearest' })
    }
    const handlers = { dragover: dragged, dragleave: left, drop: dropped }
    for (const [name, handler] of Object.entries(handlers)) {
      addEventListener(name, handler as EventListener)
    }
    return () => {
      for (const [name, handler] of Object.entries(handlers)) {
        removeEventListener(name, handler as EventListener)
      }
    }
  }, [zone, listens])
  return over
}
