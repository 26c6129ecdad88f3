// Whether this device has a connection at all; a server that does not answer is another matter.
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

export const isOffline = () => !navigator.onLine

/** Acts each time that the connection is back. */
export function useBackOnline(act: () => void) {
  const goOn = useEffectEvent(act)
  useEffect(() => {
    const listener = () => goOn()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [])
}

export const useOnline = () =>
  useSyncExternalStore(
    (changed) => {
      addEventListener('online', changed)
      addEventListener('offline', changed)
      return () => {
        removeEventListener('online', changed)
        removeEventListener('offline', changed)
      }
    },
    () => navigator.onLine,
  )
