import { useState, type ReactNode } from 'react'
import type { Need } from '#notifications/needs.contract.ts'
import { NeedLine } from './NeedLine.tsx'

type Props = { lines: readonly Need[]; empty: ReactNode }

/** What was just done keeps its place: a second press must not meet the next line. */
export function NeedList({ lines, empty }: Props) {
  const [done, setDone] = useState<readonly Need[]>([])
  const kept = done.filter((one) => !lines.some((line) => keyOf(line) === keyOf(one)))
  const all = [
    ...lines.map((need) => ({ need, done: false })),
    ...kept.map((need) => ({ need, done: true })),
  ].toSorted((a, b) => ageOf(a.need).localeCompare(ageOf(b.need)))
  if (all.length === 0) return empty
  return (
    <ul className="divide-y divide-line">
      {all.map((line) => (
        <NeedLine
          key={keyOf(line.need)}
          {...line}
          onDone={() => setDone((before) => [...before, line.need])}
        />
      ))}
    </ul>
  )
}

const keyOf = ({ kind, number, thing_id }: Need) => `${kind} ${number ?? thing_id ?? ''}`

/** What has no day comes last, as it was told. */
const ageOf = ({ since }: Need) => since ?? '9'
