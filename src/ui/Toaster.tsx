import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { dismiss, shownToasts, undo_shown_ms, useLate, type Toast } from './toast.ts'

// A mere note, such as that a form opens, is gone once it can be read.
const shown_ms = { success: 5000, failure: 5000, notice: 2500 }

const icons = {
  success: <CircleCheck className="size-4.5 text-good" aria-hidden />,
  failure: <CircleAlert className="size-4.5 text-bad" aria-hidden />,
  notice: <Info className="size-4.5 text-primary" aria-hidden />,
}

// Not a library's: those add <style> tags without a nonce, which our content policy refuses.
export function Toaster() {
  const toasts = useSyncExternalStore(shownToasts.listen, shownToasts.read)
  return (
    <section aria-label="Notifications" className={clsx(cornerLook, 'print:hidden')}>
      {/* Live by word, too: an open dialog hides all else from screen readers. */}
      <output aria-live="polite" className="contents">
        {toasts
          .filter((toast) => toast.tone !== 'failure')
          .map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
      </output>
      <div role="alert" aria-live="assertive" className="contents">
        {toasts
          .filter((toast) => toast.tone === 'failure')
          .map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
      </div>
    </section>
  )
}

// At the top, in the middle: what forms, dialogs and pages are decided with stands below or at the sides. On a phone it
// leaves the corner free in which a panel is closed.
const cornerLook = clsx(
  'pointer-events-none fixed inset-x-0 top-0 z-100 flex flex-col items-center gap-2 p-1.5',
  'max-sm:pr-14 sm:p-2',
)
const cardLook = clsx(
  'pointer-events-auto flex w-full max-w-sm animate-rise items-start gap-3',
  'rounded-card bg-raised py-3 pr-2 pl-4 text-sm shadow-raised',
)

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const late = useLate(undo_shown_ms)
  useEffect(() => {
    if (held) return undefined
    const wait = toast.action ? undo_shown_ms : shown_ms[toast.tone]
    const timer = setTimeout(() => dismiss(toast.id), wait)
    return () => clearTimeout(timer)
  }, [held, toast])
  return (
    <div
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={cardLook}
    >
      <span className="mt-px">{icons[toast.tone]}</span>
      <p className="min-w-0 flex-1 wrap-anywhere">{toast.text}</p>
      {toast.action && !late && (
        <button
          type="button"
          className="-my-1 rounded-md px-2 py-1 font-medium text-primary-ink hover:bg-sunken"
          onClick={() => {
            toast.action?.run()
            dismiss(toast.id)
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="-my-1 rounded-md p-1.5 text-faint hover:bg-sunken hover:text-ink"
        onClick={() => dismiss(toast.id)}
      >
        <X className="size-4" aria-hidden />
      </button>
    </div>
  )
}
