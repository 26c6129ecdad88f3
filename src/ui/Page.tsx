import type { ReactNode } from 'react'
import { Boundary } from './Boundary.tsx'

type Props = { title: string; description?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Page({ title, description, actions, children }: Props) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 sm:px-6 lg:px-10 lg:py-9">
      <title>{`${title} · Healthfund`}</title>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 lg:mb-8">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {description && <p className="mt-1 max-w-2xl text-sm text-soft">{description}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-6">
        <Boundary>{children}</Boundary>
      </div>
    </div>
  )
}
