import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Boundary } from './Boundary.tsx'
import { count } from './Money.tsx'
import { Skeleton } from './Skeleton.tsx'

type Props = {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  /** The content brings its own spacing, such as a Table does. */
  flush?: boolean
  className?: string
  children: ReactNode
}

const look = 'rounded-card border border-line bg-surface shadow-card'

export function Card({ title, description, actions, flush, className, children }: Props) {
  return (
    <section aria-label={title} className={clsx(look, 'min-w-0', className)}>
      {title && (
        <header
          className={clsx(
            'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 pt-4',
            flush && 'border-b border-line pb-4',
          )}
        >
          <div className="min-w-0">
            <h2 className="text-sm font-semibold">{title}</h2>
            {description && <p className="mt-0.5 text-ui text-soft">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? undefined : 'p-5'}>
        <Boundary>{children}</Boundary>
      </div>
    </section>
  )
}

type StatProps = {
  label: string
  /** Nothing yet: a skeleton of the same height. */
  value: ReactNode | undefined
  /** One line below, such as the change against the period before. */
  note?: ReactNode
  icon?: ReactNode
}

export function StatCard({ label, value, note, icon }: StatProps) {
  return (
    <div className={clsx(look, 'min-w-0 px-5 py-4')}>
      <div className="flex items-center justify-between gap-3">
        <p className="truncate text-ui text-soft">{label}</p>
        {icon && <span className="text-faint *:size-4">{icon}</span>}
      </div>
      <p className="figures mt-2 flex h-8 items-center truncate text-2xl font-semibold tracking-tight">
        {value ?? <Skeleton className="h-6 w-28" />}
      </p>
      {note !== undefined && (
        <p className="mt-1 min-h-5 truncate text-ui text-soft">
          {value === undefined ? <Skeleton className="h-4 w-20" /> : note}
        </p>
      )}
    </div>
  )
}

/** The figures above a list; counts are written out, nothing yet is a skeleton. */
export const StatRow = ({ cards }: { cards: readonly StatProps[] }) => (
  <Stats>
    {cards.map((card) => (
      <StatCard
        key={card.label}
        {...card}
        value={typeof card.value === 'number' ? count(card.value) : card.value}
      />
    ))}
  </Stats>
)

/** What stands above the rows of a list: search, filters, what to do with all of them. */
export const ListHead = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-3 border-b border-line p-4 sm:px-5">{children}</div>
)

/** Cards of figures side by side; two on a phone's width would cut the money off, so one. */
export const Stats = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">{children}</div>
)
