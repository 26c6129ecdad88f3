import type { ReactNode } from 'react'
import { StatCard, Stats } from '#ui/Card.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

type Figure = {
  label: string
  value: string | undefined
  note: ReactNode
  icon: ReactNode
}

/** Cards side by side; on a phone one small card, so that what there is to do stays in sight. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <>
    <div className="max-sm:hidden">
      <Stats>
        {figures.map((figure) => (
          <StatCard key={figure.label} {...figure} />
        ))}
      </Stats>
    </div>
    <dl className="grid grid-cols-2 gap-x-5 gap-y-3 rounded-card border border-line bg-surface p-4 shadow-card sm:hidden">
      {figures.map(({ label, value, note }) => (
        <div key={label} className="min-w-0">
          <dt className="truncate text-ui text-soft">{label}</dt>
          <dd className="figures text-base font-semibold wrap-anywhere">
            {value ?? <Skeleton className="my-1 h-4 w-16" />}
          </dd>
          <dd className="truncate text-xs text-faint">{value === undefined ? '' : note}</dd>
        </div>
      ))}
    </dl>
  </>
)
