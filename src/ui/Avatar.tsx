import { clsx } from 'clsx'

/** 'Ana Horvat' → 'AH'. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const [first = '', last = words[0]?.slice(1) ?? ''] = [words[0], words.slice(1).at(-1)]
  return (first.slice(0, 1) + last.slice(0, 1)).toUpperCase()
}

type Props = { initials: string; large?: boolean; className?: string }

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
