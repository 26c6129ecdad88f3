import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type CalloutTone = 'notice' | 'good' | 'accent' | 'bad'

const styles = {
  notice: { box: 'bg-primary-wash', ink: 'text-primary-ink', Icon: Info },
  good: { box: 'bg-good-wash', ink: 'text-good-ink', Icon: CircleCheck },
  accent: { box: 'bg-accent-wash', ink: 'text-accent-ink', Icon: TriangleAlert },
  bad: { box: 'bg-bad-wash', ink: 'text-bad-ink', Icon: CircleAlert },
}

type Props = {
  tone?: CalloutTone
  title?: string
  action?: ReactNode
  /** The text was read aloud elsewhere. */
  quiet?: boolean
  children?: ReactNode
}

export function Callout({ tone = 'notice', title, action, quiet, children }: Props) {
  const { box, ink, Icon } = styles[tone]
  return (
    <div
      role={tone === 'bad' && !quiet ? 'alert' : undefined}
      className={clsx('flex gap-3 rounded-card px-4 py-3 text-sm', box)}
    >
      <Icon className={clsx('mt-0.5 size-4 shrink-0', ink)} aria-hidden />
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          {title && <p className={clsx('font-medium', ink)}>{title}</p>}
          <div className="text-ink/85 wrap-anywhere">{children}</div>
        </div>
        {action}
      </div>
    </div>
  )
}
