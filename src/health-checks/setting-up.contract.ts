// The forms for setting up health checks: a provider, and times by a pattern.
import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { TimeZone } from '#lib/time-zones.ts'
import { OneLine } from '#lib/one-line.ts'

const text = (what: string, max: number) =>
  OneLine.min(2, `${what} must be at least 2 characters`).max(
    max,
    `${what} must be at most ${max} characters`,
  )

export const NewProvider = z.object({
  name: text('Name', 100),
  offers: text('What is offered', 100),
  place: text('Address', 200),
  note: z.string().trim().max(500, 'At most 500 characters').optional(),
  time_zone: TimeZone,
})

export const ClosingReason = z.object({
  reason: z.string().trim().max(200, 'At most 200 characters').optional(),
})

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 09:00')
const weekday_bounds = 'Weekdays are from 1 (Monday) to 7 (Sunday)'
const Weekday = z.int().min(1, weekday_bounds).max(7, weekday_bounds)
const longest_ms = 366 * 86_400_000

/** One time, or all that fit between two times on certain weekdays of a stretch of days. */
export type NewSlots = z.input<typeof NewSlots>
export const NewSlots = z
  .object({
    provider_id: z.uuid(),
    from_on: Day(),
    to_on: Day(),
    /** 1 is Monday. */
    weekdays: z.array(Weekday).min(1, 'Choose at least one weekday').max(7),
    from_time: Time,
    to_time: Time,
    minutes: z.coerce
      .number('Enter how many minutes')
      .int('Whole minutes')
      .min(5, 'At least 5 minutes')
      .max(480, 'At most 480 minutes'),
    capacity: z.coerce
      .number('Enter how many people')
      .int('Whole people')
      .min(1, 'At least one place')
      .max(500, 'At most 500 places'),
  })
  .refine(({ from_on, to_on }) => to_on >= from_on, {
    message: 'The last day can’t be before the first',
    path: ['to_on'],
  })
  .refine(({ from_on, to_on }) => Date.parse(to_on) - Date.parse(from_on) <= longest_ms, {
    message: 'At most a year at a time',
    path: ['to_on'],
  })
  .refine((s) => minutesOf(s.to_time) - minutesOf(s.from_time) >= s.minutes, {
    message: 'No slot of this length fits between the times',
    path: ['to_time'],
  })
