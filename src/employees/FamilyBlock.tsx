import { useState } from 'react'
import { api } from '#api/api.ts'
import type { Dependent } from '#dependents/dependents.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EndCover } from '#shared/EndCover.tsx'
import { DecideDependent, DeclineDependent } from './DecideDependent.tsx'
import { cover_states, lastDayOf, relationships } from '#dependents/words.contract.ts'

/** Cover states in HR's words. */
const coverStates: typeof cover_states = {
  ...cover_states,
  requested: ['Waiting for you', 'accent'],
}

/** An employee's family, as far as cover goes. */
export function FamilyBlock({ person_id }: { person_id: string }) {
  const family = useRead(api.dependents.of, { person_id })
  const [declining, setDeclining] = useState<Dependent>()
  return (
    <section aria-label="Dependents" className="border-t border-line pt-5">
      <h3 className="text-sm font-semibold">Dependents</h3>
      {!family && <Skeleton className="mt-3 h-6 w-40" />}
      {family?.length === 0 && <p className="mt-1 text-sm text-soft">None registered.</p>}
      <ul className="divide-y divide-line">
        {family?.map((dependent) => (
          <Row key={dependent.id} dependent={dependent} onDecline={setDeclining} />
        ))}
      </ul>
      {declining && (
        <DeclineDependent dependent={declining} onClose={() => setDeclining(undefined)} />
      )}
    </section>
  )
}

type RowProps = { dependent: Dependent; onDecline: (dependent: Dependent) => void }

function Row({ dependent, onDecline }: RowProps) {
  const { id, full_name, relationship, born_on, covered_from, covered_to, cover_state } = dependent
  const [ending, setEnding] = useState(false)
  const resume = useWrite(api.dependents.resume, `${full_name} stays covered`)
  const [text, tone] = coverStates[cover_state]
  const last = lastDayOf(dependent)
  return (
    <li className="flex flex-col items-start gap-2 py-3 text-sm">
      <span className="flex w-full flex-wrap items-center justify-between gap-2">
        <span className="font-medium wrap-anywhere">{full_name}</span>
        <Status tone={tone}>{text}</Status>
      </span>
      <span className="text-ui text-soft">
        {relationships[relationship]}, born <DateText value={born_on} />, from{' '}
        <DateText value={covered_from} />
        {last && (
          <>
            {' '}
            to <DateText value={last} />
          </>
        )}
      </span>
      {cover_state === 'requested' && (
        <DecideDependent dependent={dependent} onDecline={onDecline} />
      )}
      {!covered_to && dependent.refusals.end === null && (
        <Button size="small" onClick={() => setEnding(true)}>
          End cover
        </Button>
      )}
      {covered_to && dependent.refusals.resume === null && (
        <Button size="small" loading={resume.pending} onClick={() => resume({ id })}>
          Resume cover
        </Button>
      )}
      <EndCover
        dependent={dependent}
        open={ending}
        onClose={() => setEnding(false)}
        description="The employee is notified. Bills up to the last day can still be claimed; later ones can’t."
      />
    </li>
  )
}
