import { ListOrdered } from 'lucide-react'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'

const most_shown = 6

/** The types claimed most, by the number of claims of each. */
export function TopTypes() {
  const types = useRead(api.policies.types, {})
  const used = types?.filter((type) => type.claims > 0)
  const top = used?.toSorted((a, b) => b.claims - a.claims).slice(0, most_shown)
  const most = top?.[0]?.claims ?? 0
  return (
    <Card title="Top types" description="Claims of each type, all years">
      {!top && <Skeleton className="h-48 w-full" />}
      {top?.length === 0 && (
        <Empty icon={<ListOrdered aria-hidden />} title="Nothing claimed yet">
          The types claimed most appear here.
        </Empty>
      )}
      <ol className="flex flex-col gap-4">
        {top?.map(({ id, name, category, claims }) => (
          <li key={id}>
            <p className="flex items-baseline justify-between gap-3 text-sm">
              <span className="min-w-0 wrap-anywhere">
                {name} <span className="text-ui text-soft">{categoryNames[category]}</span>
              </span>
              <span className="figures font-medium">{count(claims)}</span>
            </p>
            <Bar
              className="mt-2"
              fill={category}
              percent={(100 * claims) / most}
              label={`${name}, compared with the most claimed`}
            />
          </li>
        ))}
      </ol>
    </Card>
  )
}
