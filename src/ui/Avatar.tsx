import { clsx } from 'clsx'

type Props = {
  /** 'Ana Horvat' → 'AH'. */
  initials: string
  large?: boolean
  className?: string
}

/** Decorative: the name stands beside it or names its button. */
export function Avatar({ initials, large, className }: Props) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'grid shrink-0 place-items-center rounded-full select-none',
        'bg-primary-wash font-semibold text-primary-ink',
        large ? 'size-11 text-sm' : 'size-8 text-xs',
        className,
      )}
    >
      {initials}
    </span>
  )
}
