import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Boundary } from './Boundary.tsx'
import { count } from './figures.ts'
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

const styles = 'rounded-card border border-line bg-surface shadow-card'
const wide_styles = 'sm:rounded-card sm:border sm:border-line sm:bg-surface sm:shadow-card'
const narrow_styles =
  'max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-4 max-sm:shadow-card'
const figureStyles = clsx(
  'figures font-semibold tracking-tight wrap-anywhere',
  'max-sm:min-h-6 sm:mt-2 sm:flex sm:min-h-8 sm:items-center sm:text-2xl',
)

export function Card({ title, description, actions, flush, className, children }: Props) {
  return (
    <section
      aria-label={title}
      // A table's head would stand out of its corners.
      className={clsx(styles, 'min-w-0', flush && 'overflow-clip', className)}
    >
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
    <div className={clsx(wide_styles, 'min-w-0 sm:px-5 sm:py-4')}>
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-ui text-soft">{label}</p>
        {icon && <span className="text-faint *:size-4 max-sm:hidden">{icon}</span>}
      </div>
      <p className={figureStyles}>{value ?? <Skeleton className="h-4 w-20 sm:h-6 sm:w-28" />}</p>
      {note !== undefined && (
        <p className="line-clamp-2 min-h-4 text-xs wrap-anywhere text-soft sm:mt-1 sm:min-h-5 sm:text-ui">
          {value === undefined ? <Skeleton className="h-3 w-16 sm:h-4 sm:w-20" /> : note}
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

/** The part above the rows of a list: search, filters, acts on all of them. */
export const ListHead = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-3 border-b border-line p-4 sm:px-5">{children}</div>
)

/** Cards of figures side by side; on a phone one small card, so that what there is to do stays in sight. */
export const Stats = ({ children }: { children: ReactNode }) => (
  <div className={clsx('grid grid-cols-2 gap-x-5 gap-y-4 sm:gap-4 xl:grid-cols-4', narrow_styles)}>
    {children}
  </div>
)
