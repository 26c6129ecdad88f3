import { useSyncExternalStore } from 'react'

type Theme = 'system' | 'light' | 'dark'

// The same key and attribute as public/theme.js, which runs before the first paint.
const KEY = 'theme'
const listeners = new Set<() => void>()

function read(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function chooseTheme(theme: Theme) {
  if (theme === 'system') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(KEY, theme)
    document.documentElement.dataset['theme'] = theme
  }
  for (const listener of listeners) listener()
}

export const useTheme = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, read)
