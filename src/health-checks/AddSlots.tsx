import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { useController, useWatch } from 'react-hook-form'
import { health_checks_api } from '#api/health-checks-api.ts'
import { nextWeekday } from '#lib/days.ts'
import { Problem } from '#problems.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { dayIn, todayIn } from '#ui/calendar-days.ts'
import { Callout } from '#ui/Callout.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { Fault } from '#ui/Field.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { counted } from '#ui/figures.ts'
import { useSettled } from '#ui/settled.ts'
import { TextField } from '#ui/TextField.tsx'
import { zoneName } from '#ui/time-zones.ts'
import type { CheckProvider, SlotPreview } from './health-checks.contract.ts'
import { timeIn, weekdays } from './moments.ts'
import { NewSlots } from './setting-up.contract.ts'

type Props = { provider: CheckProvider; open: boolean; onClose: () => void }

/** One time, or a pattern of them, with a count before anything is made. */
export function AddSlots({ provider, open, onClose }: Props) {
  const add = useWrite(
    health_checks_api.add_slots,
    ({ slots }) => `${counted(slots, 'time')} added`,
  )
  // A weekday first: the usual pattern, Mondays to Fridays, has times at once.
  const first = nextWeekday(todayIn(provider.time_zone))
  return (
    <Dialog open={open} onClose={onClose} title="Add times" description={about(provider)}>
      <Form
        name={`add-times-${provider.id}`}
        shape={NewSlots}
        defaults={{
          provider_id: provider.id,
          from_on: first,
          to_on: first,
          weekdays: [1, 2, 3, 4, 5],
          from_time: '09:00',
          to_time: '12:00',
          minutes: 20,
          capacity: 2,
        }}
        onSubmit={async (values) => {
          await add.submit(values)
          onClose()
        }}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <DateField name="from_on" label="First day" required />
          <DateField name="to_on" label="Last day" required />
        </div>
        <Weekdays />
        <div className="grid grid-cols-2 gap-5">
          <TextField name="from_time" label="From" type="time" required />
          <TextField name="to_time" label="Until" type="time" required />
          <TextField name="minutes" label="Minutes each" type="number" required />
          <TextField name="capacity" label="Places each" type="number" required />
        </div>
        <Preview time_zone={provider.time_zone} />
        <FormButtons waiting="Adding...">Add times</FormButtons>
      </Form>
    </Dialog>
  )
}

const about = ({ name, time_zone }: CheckProvider) =>
  `At ${name}, by the clock there (${zoneName(time_zone)}). ` +
  'For one slot, choose one day and end it after a single appointment.'

function Weekdays() {
  const { field, fieldState } = useController({ name: 'weekdays' })
  const chosen = field.value as number[]
  const toggle = (number: number) =>
    field.onChange(
      chosen.includes(number) ? chosen.filter((day) => day !== number) : [...chosen, number],
    )
  return (
    <fieldset className="min-w-0">
      <legend className="text-sm font-medium">On</legend>
      <div className="mt-1.5 grid grid-cols-7 gap-1.5">
        {weekdays.map(({ number, short, long }) => (
          <button
            key={number}
            type="button"
            aria-label={long}
            aria-pressed={chosen.includes(number)}
            onClick={() => toggle(number)}
            className={clsx(
              'h-10 rounded-control border text-ui font-medium transition-colors',
              chosen.includes(number)
                ? 'border-transparent bg-primary text-on-primary'
                : 'border-edge hover:bg-sunken',
            )}
          >
            {short}
          </button>
        ))}
      </div>
      <Fault id="weekdays" text={fieldState.error?.message} />
    </fieldset>
  )
}

/** The times that would be made, shown while one types. */
function Preview({ time_zone }: { time_zone: string }) {
  const values = useWatch()
  const [preview, setPreview] = useState<SlotPreview | string>()
  const { settled } = useSettled(values)
  const typed = JSON.stringify(settled)
  useEffect(() => {
    const input = NewSlots.safeParse(JSON.parse(typed))
    const stop = new AbortController()
    const ask = async () => {
      if (!input.success) return setPreview(undefined)
      try {
        setPreview(await health_checks_api.preview_slots(input.data, { signal: stop.signal }))
      } catch (error) {
        if (error instanceof Problem) setPreview(error.message)
        else if (!stop.signal.aborted) showFailure(error)
      }
    }
    void ask()
    return () => stop.abort()
  }, [typed])
  return (
    <div aria-live="polite" className="min-h-16">
      {typeof preview === 'string' && <Callout tone="accent">{preview}</Callout>}
      {typeof preview === 'object' && <SlotsPreview preview={preview} time_zone={time_zone} />}
    </div>
  )
}

function SlotsPreview({ preview, time_zone }: { preview: SlotPreview; time_zone: string }) {
  const { slots, days, already_there, past, first_at, last_at } = preview
  const left_out = [
    already_there > 0 && `${counted(already_there, 'is', 'are')} there already`,
    past > 0 && `${counted(past, 'is', 'are')} over`,
  ].filter(Boolean)
  return (
    <Callout tone={slots > 0 ? 'notice' : 'accent'}>
      <span className="font-medium">{`${counted(slots, 'time')} on ${counted(days, 'day')}`}</span>
      {first_at && last_at && (
        <>
          , the first on <DateText value={dayIn(first_at, time_zone)} /> at{' '}
          {timeIn(first_at, time_zone)}, the last on <DateText value={dayIn(last_at, time_zone)} />{' '}
          at {timeIn(last_at, time_zone)}
        </>
      )}
      .{left_out.length > 0 && ` Left out: ${left_out.join(', ')}.`}
    </Callout>
  )
}
