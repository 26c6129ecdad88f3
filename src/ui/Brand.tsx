import { clsx } from 'clsx'
import { heart } from './mark.ts'

/** The mark: a heart that beats. */
function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={clsx('size-7 shrink-0', className)}>
      <rect width="32" height="32" rx="9" className="fill-primary" />
      <path d={heart} className="fill-on-primary" />
      <path
        d="M11.5 16.3h2.6l1.5-2.9 2.2 5 1.2-2.1h1.9"
        className="fill-none stroke-primary"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export function Brand({ className }: { className?: string }) {
  return (
    <span
      className={clsx('inline-flex items-center gap-2.5 font-semibold tracking-tight', className)}
    >
      <Mark />
      Healthfund
    </span>
  )
}
