import type { ReactNode } from 'react'

/** What is known of one thing: name and value, line by line. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="flex flex-col gap-3 text-sm">
    {facts.map(([name, fact]) => (
      <div key={name} className="flex min-h-6 items-center justify-between gap-4">
        <dt className="text-soft">{name}</dt>
        <dd className="min-w-0 text-right font-medium wrap-anywhere">{fact}</dd>
      </div>
    ))}
  </dl>
)
