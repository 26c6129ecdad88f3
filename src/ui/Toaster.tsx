import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ComponentProps,
} from 'react'
import { standOn } from './focus-return.ts'
import { arriving_ms, dismiss, shownToasts, undo_shown_ms, useLate, type Toast } from './toast.ts'

// A mere note, such as that a form opens, is gone once it can be read.
const shown_ms = { success: 5000, failure: 5000, notice: 2500 }

const icons = {
  success: <CircleCheck className="size-4.5 text-good" aria-hidden />,
  failure: <CircleAlert className="size-4.5 text-bad" aria-hidden />,
  notice: <Info className="size-4.5 text-primary" aria-hidden />,
}

// A library's toasts add <style> tags without a nonce, which our content policy refuses.
export function Toaster() {
  const toasts = useSyncExternalStore(shownToasts.listen, shownToasts.read)
  return (
    <section aria-label="Notifications" className={clsx(cornerStyles, 'print:hidden')}>
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

// Toasts are at the bottom, above a sheet's buttons; on wide screens as wide as the menu, where they cover nothing of the page.
const cornerStyles = clsx(
  'pointer-events-none fixed inset-x-2 bottom-20 z-100 sm:max-w-sm lg:max-w-58',
  // Before the dashboard there is no menu, and the form is at the left.
  'lg:in-[:root:has([data-beside-form])]:left-auto',
  'lg:in-[:root:has([data-beside-form])]:w-58',
  // The bar of what is selected has up to three rows on a phone.
  'max-sm:in-[:root:has([data-foot-bar])]:bottom-52',
)
const cardStyles = clsx(
  'pointer-events-auto absolute inset-x-0 flex animate-rise items-start gap-x-3 py-3 pr-2 pl-4',
  'rounded-card bg-raised text-sm shadow-raised lg:pl-3',
)
// A notice on a phone is shown over a sheet's title, where it takes no press, as the sheet has fields at its bottom, too.
const noticeStyles = clsx(
  'max-sm:pointer-events-none max-sm:fixed max-sm:inset-x-2 max-sm:top-2 max-sm:bottom-auto!',
)
const gap = 8

/** Places a toast in the lowest free spot, and leaves it there: a toast that moves would put its Undo under a pointer. */
function place(card: HTMLElement | null) {
  if (!card) return
  const placed = [...document.querySelectorAll<HTMLElement>('[data-toast]')]
    .filter((other) => other.style.bottom)
    .map((other) => ({ from: parseFloat(other.style.bottom), height: other.offsetHeight }))
    .sort((one, other) => one.from - other.from)
  let bottom = 0
  for (const { from, height } of placed) {
    if (bottom + card.offsetHeight + gap <= from) break
    bottom = from + height + gap
  }
  card.style.bottom = `${bottom}px`
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const late = useLate(undo_shown_ms)
  // A second press on the one that was here before does nothing to the one that came.
  const arrived = useLate(arriving_ms)
  const before = useRef<Element>(null)
  const giveBack = useCallback(() => standOn(before.current), [])
  useEffect(() => {
    if (held) return undefined
    const wait = toast.action ? undo_shown_ms : shown_ms[toast.tone]
    const timer = setTimeout(() => dismiss(toast.id), wait)
    return () => clearTimeout(timer)
  }, [held, toast])
  return (
    <div
      ref={place}
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ currentTarget, relatedTarget: left }) => {
        setHeld(true)
        if (!currentTarget.contains(left)) before.current = left
      }}
      onBlur={() => setHeld(false)}
      className={clsx(
        cardStyles,
        toast.tone === 'notice' && !toast.action && noticeStyles,
        !arrived && '*:pointer-events-none',
      )}
    >
      <span className="mt-px">{icons[toast.tone]}</span>
      <p className="min-w-0 flex-1 wrap-anywhere">{toast.text}</p>
      {toast.action && !late && (
        <ToastButton
          giveBack={giveBack}
          className="-my-1 rounded-md px-2 py-1 font-medium text-primary-ink hover:bg-sunken"
          onClick={() => {
            toast.action?.run()
            dismiss(toast.id)
          }}
        >
          {toast.action.label}
        </ToastButton>
      )}
      <ToastButton
        giveBack={giveBack}
        aria-label="Dismiss"
        className="-my-1 rounded-md p-1.5 text-faint hover:bg-sunken hover:text-ink"
        onClick={() => dismiss(toast.id)}
      >
        <X className="size-4" aria-hidden />
      </ToastButton>
    </div>
  )
}

type ButtonProps = ComponentProps<'button'> & { giveBack: () => void }

/** A toast that disappears while it has the focus gives the focus back. */
function ToastButton({ giveBack, ...rest }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const one = button.current
    return () => {
      if (document.activeElement === one) giveBack()
    }
  }, [giveBack])
  return <button ref={button} type="button" {...rest} />
}
