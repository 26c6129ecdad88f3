import { clsx } from 'clsx'

export function Spinner({ className, label }: { className?: string; label?: string }) {
  const drawing = (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={clsx('animate-spin', className ?? 'size-5')}
    >
      <circle
        cx="12"
        cy="12"
        r="9"
        className="fill-none stroke-current opacity-20"
        strokeWidth="3"
      />
      <path
        d="M12 3a9 9 0 0 1 9 9"
        className="fill-none stroke-current"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  )
  if (!label) return drawing
  return (
    <output className="inline-flex items-center gap-2">
      {drawing}
      <span className="sr-only">{label}</span>
    </output>
  )
}

export function Waiting({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center text-primary">
      <Spinner label={label} className="size-7" />
    </div>
  )
}
