import { CalendarOff } from 'lucide-react'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { lazy_api } from '#api/lazy-api.ts'
import { NewAbsence, type Absence } from '#absences/absences.contract.ts'
import { DateField } from '#ui/DateField.tsx'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** When one is away and who has one's work; below, who else of the company is. */
export function AwayCard() {
  const { id } = useActor()
  const absences = useRead(lazy_api.absences.list, {})
  const deputies = useRead(lazy_api.absences.deputies, {})
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
              <AbsenceLine key={absence.id} absence={absence} is_own={absence.person_id === id} />
            ))}
          </ul>
        )}
        <NewDays colleagues={deputies} />
      </div>
    </Card>
  )
}

function AbsenceLine({ absence, is_own }: { absence: Absence; is_own: boolean }) {
  const end = useWrite(
    lazy_api.absences.end,
    absence.is_now && is_own ? 'Welcome back' : 'Absence removed',
  )
  const { id, person_name, from_on, to_on, is_now, may_end } = absence
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <CalendarOff className="mt-0.5 size-4 shrink-0 self-start text-faint" aria-hidden />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">
          {is_own ? 'You' : person_name}, <DateText value={from_on} /> – <DateText value={to_on} />
        </p>
        <p className="text-soft wrap-anywhere">{whoHasIt(absence)}</p>
      </div>
      {may_end && (
        <Button
          size="small"
          className="max-sm:ml-8"
          loading={end.pending}
          onClick={() => end({ id })}
        >
          {is_now && is_own ? 'I’m back' : 'Remove'}
        </Button>
      )}
    </li>
  )
}

type Colleague = { id: string; full_name: string }
const namesOf = (colleagues: readonly Colleague[] = []) =>
  Object.fromEntries(colleagues.map(({ id, full_name }) => [id, full_name]))

function whoHasIt({ is_now, has_it, deputy_name }: Absence): string {
  if (!is_now) return deputy_name ? `Deputy: ${deputy_name}` : 'No deputy'
  return has_it ? `${has_it} is standing in` : 'Nobody is standing in: the work waits'
}

/** Admins who can stand in for the chosen person; a deputy who no longer can is cleared. */
function DeputyField() {
  const { watch, setValue } = useFormContext()
  const person_id = String(watch('person_id') ?? '')
  const deputy_id = String(watch('deputy_id') ?? '')
  const input = person_id ? { person_id } : {}
  const deputies = useRead(lazy_api.absences.deputies, input, { keep: true })
  const is_gone = deputies !== undefined && deputies.every(({ id }) => id !== deputy_id)
  useEffect(() => {
    if (is_gone && deputy_id) setValue('deputy_id', '')
  }, [is_gone, deputy_id, setValue])
  return (
    <SelectField name="deputy_id" label="Deputy" options={namesOf(deputies)} placeholder="Nobody" />
  )
}

function NewDays({ colleagues }: { colleagues: readonly Colleague[] }) {
  const add = useWrite(lazy_api.absences.add, 'Absence saved')
  return (
    <Form
      name="new-absence"
      defaults={{ person_id: '', deputy_id: '', from_on: '', to_on: '' }}
      shape={NewAbsence}
      onSubmit={(days) => add.submit(days)}
      resets
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          name="person_id"
          label="Who is away"
          options={namesOf(colleagues)}
          placeholder="You"
        />
        <DeputyField />
        <DateField name="from_on" label="First day" required />
        <DateField name="to_on" label="Last day" required />
      </div>
      <p className="text-sm text-soft">
        A deputy is notified of new work in place of the person who is away, and decides in their
        own name: never on their own claims, and two approvals still need two people. A colleague
        whose absence you enter is notified, and you can’t be their deputy.
      </p>
      <FormButtons waiting="Saving...">Save absence</FormButtons>
    </Form>
  )
}
