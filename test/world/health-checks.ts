// A provider of health checks in Paris, and their times.
import { daysAfter } from '#lib/days.ts'
import type { Person } from './people.ts'
import type { Scene } from './scene.ts'

export const in_paris = {
  name: 'Clinique du Parc',
  offers: 'Annual health check',
  place: '1 Rue du Parc, Paris',
  time_zone: 'Europe/Paris',
}
/** A day so many days from now, on the calendar of Paris. */
export const dayInParis = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(
    Date.now() + days * 86_400_000,
  )
/** The last Sunday of next March: summer time begins. */
const march = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 31))
export const spring = daysAfter(march.toISOString().slice(0, 10), -march.getUTCDay())
export const everyday = [1, 2, 3, 4, 5, 6, 7]
export const morningSlots = (provider_id: string, day: string, capacity = 2) => ({
  provider_id,
  from_on: day,
  to_on: day,
  weekdays: everyday,
  from_time: '09:00',
  to_time: '12:00',
  minutes: 20,
  capacity,
})
/** A provider with nine times on a day, each with so many places. */
export async function open(
  by: Pick<Person, 'api'>,
  day = dayInParis(7),
  capacity = 2,
  time_zone = 'Europe/Paris',
) {
  const made = await by.api.health_checks.add_provider({ ...in_paris, time_zone })
  await by.api.health_checks.add_slots(morningSlots(made.id, day, capacity))
  const slots = await by.api.health_checks.slots({ provider_id: made.id, from_on: day, to_on: day })
  return { provider_id: made.id, day, slots, ids: slots.map(({ id }) => id) }
}

export const noticesTo = ({ sql }: Scene, { id }: Person) => sql<
  { code: string; facts: { starts_at: string; time_zone: string }; kind: string }[]
>`
  select code, facts, kind from notifications where person_id = ${id} order by id`
