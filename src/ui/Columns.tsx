import { clsx } from 'clsx'
import { useState, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import type { Fill } from './Bar.tsx'

type ColumnSeries = { name: string; fill: Fill }
type ColumnGroup = { name: string; short: string; values: readonly number[] }

type Props = {
  label: string
  /** The title of the columns, such as Month. */
  of: string
  series: readonly ColumnSeries[]
  /** Each column: its values in the order of the series. */
  groups: readonly ColumnGroup[]
  /** `round` for the axis, which needs no cents. */
  show: (value: number, round?: boolean) => ReactNode
}

const fills: Partial<Record<Fill, [column: string, spot: string]>> = {
  prevention: ['fill-prevention', 'bg-prevention'],
  treatment: ['fill-treatment', 'bg-treatment'],
  solidarity: ['fill-solidarity', 'bg-solidarity'],
}
const stylesOf = ({ fill }: ColumnSeries) => fills[fill] ?? ['fill-primary', 'bg-primary']

/** Stacked columns for the eye; the same figures as a table for readers, and for whoever asks for it. */
export function Columns({ label, of, series, groups, show }: Props) {
  const [as_table, setAsTable] = useState(false)
  const sums = groups.map(({ values }) =>
    values.reduce((sum, value) => sum + Math.max(0, value), 0),
  )
  const most = roundAbove(Math.max(1, ...sums))
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-ui text-soft" aria-hidden>
          {series.map((one) => (
            <li key={one.name} className="flex items-center gap-2">
              <span className={clsx('size-2.5 rounded-full', stylesOf(one)[1])} />
              {one.name}
            </li>
          ))}
        </ul>
        <Button
          size="small"
          variant="quiet"
          className="max-sm:-ml-2.5"
          onClick={() => setAsTable(!as_table)}
        >
          {as_table ? 'Show as chart' : 'Show as table'}
        </Button>
      </div>
      {!as_table && (
        <p aria-hidden className="mb-1 border-t border-dashed border-line pt-1 text-2xs text-faint">
          {show(most, true)}
        </p>
      )}
      {!as_table && (
        <div aria-hidden className="flex gap-1.5 sm:gap-3">
          {groups.map((group, at) => (
            <div key={group.name} title={group.name} className="flex min-w-0 flex-1 flex-col gap-2">
              <Column series={series} values={group.values} most={most} />
              <span className="flex justify-center text-2xs whitespace-nowrap text-faint">
                {groups.length > 6 && at % 2 ? (
                  <span className="max-sm:hidden">{group.short}</span>
                ) : (
                  group.short
                )}
              </span>
            </div>
          ))}
        </div>
      )}
      <div className={as_table ? 'relative overflow-x-auto' : 'sr-only'}>
        <Figures label={label} of={of} series={series} groups={groups} show={show} />
      </div>
    </>
  )
}

/** The next number that reads easily: 1, 2, 2.5, 4, 5 or 8 with zeros behind it. */
function roundAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((step) => step * power >= value) ?? 10) * power
}

type ColumnProps = { series: readonly ColumnSeries[]; values: readonly number[]; most: number }

// Sizes are attributes in percent, as the content policy forbids inline styles.
function Column({ series, values, most }: ColumnProps) {
  const heights = values.map((value) => (100 * Math.max(0, value)) / most)
  const below = (at: number) => heights.slice(0, at).reduce((sum, height) => sum + height, 0)
  return (
    <svg className="block h-40 w-full border-b border-edge" preserveAspectRatio="none">
      {series.map((one, at) => (
        <rect
          key={one.name}
          width="100%"
          y={`${100 - below(at) - (heights[at] ?? 0)}%`}
          height={`${heights[at] ?? 0}%`}
          className={clsx(stylesOf(one)[0], 'stroke-surface stroke-1')}
        />
      ))}
    </svg>
  )
}

const Figures = ({ label, of, series, groups, show }: Props) => (
  <table className="w-full text-ui">
    <caption className="sr-only">{label}</caption>
    <thead>
      <tr className="border-b border-line text-faint">
        <th scope="col" className="py-1.5 text-left font-medium">
          {of}
        </th>
        {series.map(({ name }) => (
          <th key={name} scope="col" className="px-2 py-1.5 text-right font-medium">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody className="divide-y divide-line">
      {groups.map(({ name, values }) => (
        <tr key={name}>
          <th scope="row" className="py-1.5 text-left font-normal whitespace-nowrap text-soft">
            {name}
          </th>
          {series.map((one, at) => (
            <td key={one.name} className="figures px-2 py-1.5 text-right">
              {show(values[at] ?? 0)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
