import { clsx } from 'clsx'

/** Holds the place of what is still loading. Give it the size of what will come. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={clsx('block animate-shimmer rounded-md bg-pressed/70', className ?? 'h-4 w-24')}
    />
  )
}
