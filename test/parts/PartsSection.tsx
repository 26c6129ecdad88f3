import type { ReactNode } from 'react'

export const PartsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-4">
    <h2 className="mt-4 text-lg font-semibold tracking-tight">{title}</h2>
    {children}
  </section>
)

export const PartsRow = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)
