import { CalendarOff } from 'lucide-react'
import { api } from '#api.ts'
import { NewAbsence, type Absence } from '#absences/absences.contract.ts'
import { DateField } from '#ui/DateField.tsx'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** When one is away and who has one's work; below, who else of the company is. */
export function AwayCard() {
  const { id } = useActor()
  const absences = useRead(api.absences.list, {})
  const deputies = useRead(api.absences.deputies, {})
  if (!absences || !deputies)
    return (
      <Card>
        <Skeleton className="h-44 w-full" />
      </Card>
    )
  return (
    <Card>
      <div className="flex flex-col gap-5">
        {absences.length > 0 && (
          <ul className="divide-y divide-line rounded-card bg-ground px-4">
            {absences.map((absence) => (
              <Line key={absence.id} absence={absence} mine={absence.person_id === id} />
            ))}
          </ul>
        )}
        <NewDays deputies={deputies} />
      </div>
    </Card>
  )
}

function Line({ absence, mine }: { absence: Absence; mine: boolean }) {
  const end = useWrite(api.absences.end, absence.is_now ? 'Welcome back' : 'Absence removed')
  const { id, person_name, from_on, to_on, is_now } = absence
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <CalendarOff className="size-4 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">
          {mine ? 'You' : person_name}, <DateText value={from_on} /> – <DateText value={to_on} />
        </p>
        <p className="text-soft wrap-anywhere">{whoHasIt(absence)}</p>
      </div>
      {mine && (
        <Button size="small" loading={end.pending} onClick={() => end({ id })}>
          {is_now ? 'I’m back' : 'Remove'}
        </Button>
      )}
    </li>
  )
}

function whoHasIt({ is_now, has_it, deputy_name }: Absence): string {
  if (!is_now) return deputy_name ? `Deputy: ${deputy_name}` : 'No deputy'
  return has_it ? `${has_it} has the work` : 'Nobody has the work: it waits'
}

type Deputies = readonly { id: string; full_name: string }[]

function NewDays({ deputies }: { deputies: Deputies }) {
  const add = useWrite(api.absences.add, 'Absence saved')
  return (
    <Form
      name="new-absence"
      defaults={{ from_on: '', to_on: '' }}
      shape={NewAbsence}
      onSubmit={(days) => add.submit(days)}
      resets
    >
      <div className="grid items-start gap-5 sm:grid-cols-3">
        <DateField name="from_on" label="First day" required />
        <DateField name="to_on" label="Last day" required />
        <SelectField
          name="deputy_id"
          label="Deputy"
          options={Object.fromEntries(deputies.map(({ id, full_name }) => [id, full_name]))}
          placeholder="Nobody"
        />
      </div>
      <p className="text-sm text-soft">
        Your deputy is told of new work in your place, and decides as themselves: never on their own
        claims, and two approvals stay two people’s.
      </p>
      <div className="flex justify-end">
        <SubmitButton waiting="Saving...">Save Absence</SubmitButton>
      </div>
    </Form>
  )
}
