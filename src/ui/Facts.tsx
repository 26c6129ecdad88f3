import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

type Props = {
  /** Falsy entries are skipped, for facts that this thing does not have. */
  facts: readonly (Fact | '' | false | null | undefined)[]
  variant?: keyof typeof variants
  className?: string
}

const variants = {
  lines: [
    'flex flex-col gap-3',
    'flex min-h-6 items-center justify-between gap-4',
    'text-right font-medium',
  ],
  sums: ['flex flex-col gap-2', 'flex items-baseline justify-between gap-4', 'figures text-right'],
  pairs: ['flex flex-col gap-2', 'flex gap-4 *:[dt]:w-20 *:[dt]:shrink-0', ''],
  columns: ['grid gap-x-6 gap-y-3 sm:grid-cols-3', 'min-w-0 *:[dt]:text-ui', 'mt-0.5'],
} as const

export function Facts({ facts, variant = 'lines', className }: Props) {
  const [list, line, value_styles] = variants[variant]
  return (
    <dl className={clsx('text-sm', list, className)}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]} className={line}>
              <dt className="text-soft">{fact[0]}</dt>
              <dd className={clsx('min-w-0 wrap-anywhere', value_styles)}>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
