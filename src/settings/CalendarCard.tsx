import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { zoneName } from '#ui/time-zones.ts'
import type { CompanyCalendar } from './settings.contract.ts'

/** The company's country and region: on their public holidays the clock of reviews stands still. */
export function CalendarCard() {
  const calendar = useRead(lazy_api.settings.calendar, {})
  const countries = useRead(lazy_api.settings.places, {})
  if (!calendar || !countries)
    return (
      <Card>
        <Skeleton className="h-40 w-full" />
      </Card>
    )
  return (
    <Card>
      <Place calendar={calendar} countries={namesOf(countries)} />
    </Card>
  )
}

const CalendarFields = z.object({
  country: z.string().min(1, 'Choose a country'),
  region: z.string().optional(),
})
const namesOf = (places: readonly { code: string; name: string }[]) =>
  Object.fromEntries(places.map(({ code, name }) => [code, name]))

type Props = { calendar: CompanyCalendar; countries: Record<string, string> }

function Place({ calendar, countries }: Props) {
  const change = useWrite(lazy_api.settings.change_calendar, 'Calendar saved')
  const { country, region, time_zone } = calendar
  return (
    <Form
      follows
      name="company-calendar"
      shape={CalendarFields}
      defaults={{ country: country ?? '', region }}
      onSubmit={({ country: chosen, region: of = '' }) =>
        change.submit({ country: chosen, region: of })
      }
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          name="country"
          label="Country"
          options={countries}
          placeholder="Choose a country"
          required
        />
        <Regions />
      </div>
      <p className="text-sm text-soft">
        Time zone {zoneName(time_zone)}. Weekends and public holidays do not count towards the days
        of a review.
      </p>
      <Days calendar={calendar} />
      <FormButtons waiting="Saving...">Save calendar</FormButtons>
    </Form>
  )
}

/** Shown for countries that have regions with holidays of their own. */
function Regions() {
  const { watch, getValues, setValue } = useFormContext()
  const country = String(watch('country') ?? '')
  const regions = useRead(lazy_api.settings.places, country ? { country } : undefined, {
    quiet: true,
  })
  useEffect(() => {
    // The region chosen in another country would be sent with this one.
    const chosen = getValues('region')
    if (regions && !regions.some(({ code }) => code === chosen)) setValue('region', '')
  }, [regions, getValues, setValue])
  if (!country || !regions?.length) return null
  return (
    <SelectField
      key={country}
      name="region"
      label="Region"
      options={namesOf(regions)}
      placeholder="The whole country"
    />
  )
}

function Days({ calendar: { country, is_known, holidays } }: Pick<Props, 'calendar'>) {
  if (!country)
    return <p className="text-sm text-soft">Without a country no public holiday is known.</p>
  if (!is_known && holidays.length === 0)
    return <p className="text-sm text-soft">Its public holidays are being loaded.</p>
  return (
    <details className="rounded-card bg-ground p-4 text-sm">
      <summary className="cursor-pointer rounded font-medium">
        Public holidays of the next twelve months ({holidays.length})
      </summary>
      <ul className="mt-3 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        {holidays.map(({ on_day, name }) => (
          <li key={on_day} className="flex justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="text-soft">
              <DateText value={on_day} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
