import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type BadgeTone = 'neutral' | 'primary' | 'accent' | 'good' | 'bad'

const styles: Record<BadgeTone, string> = {
  neutral: 'bg-sunken text-soft',
  primary: 'bg-primary-wash text-primary-ink',
  accent: 'bg-accent-wash text-accent-ink',
  good: 'bg-good-wash text-good-ink',
  bad: 'bg-bad-wash text-bad-ink',
}

const dots: Record<BadgeTone, string> = {
  neutral: 'bg-edge',
  primary: 'bg-primary',
  accent: 'bg-accent',
  good: 'bg-good',
  bad: 'bg-bad',
}

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex h-6 shrink-0 items-center rounded-full px-2.5 text-xs font-medium whitespace-nowrap',
        styles[tone],
      )}
    >
      {children}
    </span>
  )
}

/** A state, with a dot: never told by colour alone. */
export function Status({ tone = 'neutral', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <Badge tone={tone}>
      <span aria-hidden="true" className={clsx('mr-1.5 size-1.5 rounded-full', dots[tone])} />
      {children}
    </Badge>
  )
}
