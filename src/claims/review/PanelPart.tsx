import type { ReactNode } from 'react'

/** A part of an opened claim, under its own small heading. */
export const PanelPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="min-w-0">
    <h3 className="mb-2.5 text-ui font-semibold text-soft">{title}</h3>
    {children}
  </section>
)
