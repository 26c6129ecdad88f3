import type { ReactNode } from 'react'
import { StatCard, Stats } from '#ui/Card.tsx'

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
