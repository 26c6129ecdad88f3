import { clsx } from 'clsx'
import { useShortcutsOn } from './shortcuts.ts'

/** The key beside what it does. Decorative: screen readers are told by the list of keys. */
export function Kbd({ children, onFill }: { children: string; onFill?: boolean }) {
  if (!useShortcutsOn()) return null
  return (
    <kbd
      aria-hidden="true"
      className={clsx(
        'hidden h-5 min-w-5 place-items-center rounded border px-1 font-sans text-2xs font-medium',
        'sm:pointer-fine:inline-grid',
        onFill ? 'border-current/40' : 'border-line bg-sunken text-soft',
      )}
    >
      {children}
    </kbd>
  )
}
