// Whether this device has a connection at all; a server that does not answer is another matter.
import { useSyncExternalStore } from 'react'

export const isOffline = () => !navigator.onLine

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
