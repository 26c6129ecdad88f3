import { useState } from 'react'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import type { Dependent, dependents } from '#dependents/dependents.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { count } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { Badge } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { DecideDependent, DeclineDependent } from './DecideDependent.tsx'
import { relationships } from '#dependents/words.contract.ts'

/** Family members whose cover waits for HR, oldest first. Nothing where there are none. */
export function CoverRequests() {
  const requests = useRead(api.dependents.requests, {})
  const [declining, setDeclining] = useState<Dependent>()
  return (
    <>
      {requests && requests.waiting > 0 && <List requests={requests} onDecline={setDeclining} />}
      {declining && (
        <DeclineDependent dependent={declining} onClose={() => setDeclining(undefined)} />
      )}
    </>
  )
}

type Requests = z.infer<(typeof dependents)['requests']['output']>
type ListProps = { requests: Requests; onDecline: (dependent: Dependent) => void }

function List({ requests, onDecline }: ListProps) {
  return (
    <Card
      flush
      title="Dependents waiting for your approval"
      description="They are covered as soon as you approve, from the requested day."
      actions={<Badge tone="accent">{count(requests.waiting)}</Badge>}
    >
      <ul className="divide-y divide-line">
        {requests.dependents.map((dependent) => (
          <li key={dependent.id} className="flex flex-wrap items-center gap-3 px-5 py-3 text-sm">
            <Avatar initials={initialsOf(dependent.full_name)} />
            <span className="min-w-40 flex-1">
              <span className="font-medium wrap-anywhere">{dependent.full_name}</span>
              <span className="block text-ui wrap-anywhere text-soft">
                {relationships[dependent.relationship]} of {dependent.person_name}, born{' '}
                <DateText value={dependent.born_on} />, from{' '}
                <DateText value={dependent.covered_from} />
              </span>
            </span>
            <DecideDependent dependent={dependent} onDecline={onDecline} />
          </li>
        ))}
      </ul>
      {requests.waiting > requests.dependents.length && (
        <p className="border-t border-line px-5 py-3 text-ui text-soft">
          {count(requests.dependents.length)} of {count(requests.waiting)}: the next appear as you
          decide.
        </p>
      )}
    </Card>
  )
}
