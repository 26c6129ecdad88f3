import { useState } from 'react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { DecideDependent, DeclineDependent } from './DecideDependent.tsx'
import { relationships } from '#dependents/words.contract.ts'

type Props = { id: string; onClose: () => void }

/** One request for cover, away from their list. */
export function DependentDialog({ id, onClose }: Props) {
  const requests = useRead(api.dependents.requests, {})
  const dependent = requests?.dependents.find((one) => one.id === id)
  const [declining, setDeclining] = useState<typeof dependent>()
  if (declining) return <DeclineDependent dependent={declining} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={dependent ? `Cover of ${dependent.full_name}` : 'Cover of a dependent'}
      description="They are covered as soon as you approve, from the requested day."
      moot={requests && !dependent ? 'This was decided or withdrawn a moment ago.' : undefined}
      actions={
        dependent && (
          <DecideDependent dependent={dependent} onDecline={() => setDeclining(dependent)} />
        )
      }
    >
      {dependent ? (
        <Facts
          facts={[
            [
              'Relationship',
              `${relationships[dependent.relationship]} of ${dependent.person_name}`,
            ],
            ['Born', <DateText key="born" value={dependent.born_on} />],
            ['Covered from', <DateText key="from" value={dependent.covered_from} />],
          ]}
        />
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
    </Dialog>
  )
}
