import type { ReactNode } from 'react'
import type { z } from 'zod'
import { StatCard, Stats } from '#ui/Card.tsx'
import { count } from '#ui/figures.ts'
import type { ClaimCounts } from './claims.contract.ts'

type Figure = {
  label: string
  value: string | undefined
  note: ReactNode
  icon: ReactNode
}

export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <Stats>
    {figures.map((figure) => (
      <StatCard key={figure.label} {...figure} />
    ))}
  </Stats>
)

type NotApproved = Pick<z.infer<typeof ClaimCounts>, 'rejected' | 'reversed' | 'withdrawn'>

export const notApprovedText = (counts: NotApproved | undefined) =>
  counts &&
  [
    `${count(counts.rejected)} rejected`,
    counts.reversed && `${count(counts.reversed)} reversed`,
    `${count(counts.withdrawn)} withdrawn`,
  ]
    .filter(Boolean)
    .join(', ')
