import { row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { calendarOf, type CalendarEntry } from './calendar.server.ts'
import {
  CheckBooking,
  CheckProvider,
  CheckSlot,
  HealthReminderFacts,
  OfferedChecks,
  OfferedSlot,
  type health_checks,
} from './health-checks.contract.ts'
import { settingUp } from './setting-up.server.ts'

type HealthCheckHandlers = Handlers<typeof health_checks>

const days_at_once = 62

type SlotsRead = Pick<Parameters<HealthCheckHandlers['slots']>[0], 'tx' | 'input'>

/** `within` narrows the visible slots. */
function slotsOf({ tx, input: { provider_id, from_on, to_on } }: SlotsRead, within: SqlPart) {
  if (Date.parse(to_on) - Date.parse(from_on) > days_at_once * 86_400_000) {
    throw new Problem('invalid_input', { fields: { to_on: ['At most two months at a time'] } })
  }
  return tx`select s.*, s.starts_at <= now() as past,
      json_build_object('book', slot_refusal('book', s)) as refusals from check_slots s
    where s.provider_id = ${provider_id} and s.day between ${from_on} and ${to_on} ${within}
    order by s.starts_at limit 5000`
}

/** Nobody is offered a time at which they are no longer with the company. */
const untilLastDay = (tx: Tx, { id }: Actor): SqlPart => tx`
  and check_day_refusal(s.day, (select f.left_on from profiles f where f.id = ${id})) is null`

const bookRefusals = (tx: Tx): SqlPart => tx`json_build_object('book',
  check_day_refusal(company_today(f.company_id), f.left_on)) as refusals`

/** Each list has two acts with the same query: row security answers differently for setting up and for coming. */
const browsing: Pick<HealthCheckHandlers, 'providers' | 'slots' | 'offered' | 'offered_slots'> = {
  providers: ({ tx, actor }) => rows(CheckProvider, providersOf(tx, actor, tx``)),
  slots: (call) => rows(CheckSlot, slotsOf(call, call.tx``)),
  offered: async ({ tx, actor }) => {
    const [providers, facts] = await Promise.all([
      rows(CheckProvider, providersOf(tx, actor, untilLastDay(tx, actor))),
      row(
        OfferedChecks.omit({ providers: true }),
        tx`select f.left_on, ${bookRefusals(tx)} from profiles f where f.id = ${actor.id}`,
      ),
    ])
    return { providers, ...facts }
  },
  offered_slots: (call) => rows(OfferedSlot, slotsOf(call, untilLastDay(call.tx, call.actor))),
}

const booking: Pick<
  HealthCheckHandlers,
  'mine' | 'book' | 'move' | 'cancel' | 'calendar' | 'reminder'
> = {
  mine: ({ tx, actor }) =>
    rows(
      CheckBooking,
      tx`select ${bookingColumns(tx)} from ${bookings(tx)} where b.person_id = ${actor.id}
        order by b.starts_at desc, b.id limit 100`,
    ),

  book: async ({ tx, input: { slot_id } }) => {
    const [made] = await tx<[{ id: string }]>`select book_check(${slot_id}) as id`
    return findBooking(tx, made.id)
  },

  move: async ({ tx, input: { id, slot_id } }) => {
    await tx`select move_check(${id}, ${slot_id})`
    return findBooking(tx, id)
  },

  cancel: async ({ tx, input: { id } }) => {
    await tx`select cancel_check(${id})`
    return findBooking(tx, id)
  },

  calendar: async ({ tx, actor, input: { id } }) => {
    const [entry] = await tx<CalendarEntry[]>`
      select ${bookingColumns(tx)}, b.sequence, b.changed_at from ${bookings(tx)}
      where b.id = ${id} and b.person_id = ${actor.id}`
    if (!entry) throw new Problem('not_found')
    const cancelled = entry.status === 'cancelled'
    return {
      name: cancelled ? 'health-check-cancelled.ics' : 'health-check.ics',
      type: `text/calendar; charset=utf-8; method=${cancelled ? 'CANCEL' : 'PUBLISH'}`,
      body: calendarOf(entry),
    }
  },

  reminder: ({ tx, actor }) => reminderOf(tx, actor),
}

export const healthChecksHandlers: HealthCheckHandlers = { ...browsing, ...booking, ...settingUp }

/** Employees see all providers that they may come to; people who set up see theirs. `within` says which times are free. */
const providersOf = (tx: Tx, actor: Actor, within: SqlPart) => tx`
  select p.id, p.company_id is not null as of_company, p.name, p.offers, p.place, p.note,
    p.time_zone, p.closed_at, p.version, s.next_free_on, s.slots, s.places, s.booked,
    check_provider_refusals(p.closed_at) as refusals
  from check_providers p
  cross join lateral (
    select count(*)::int as slots, coalesce(sum(s.capacity), 0)::int as places,
      coalesce(sum(s.taken), 0)::int as booked,
      min(s.day) filter (where s.taken < s.capacity ${within}) as next_free_on
    from check_slots s
    where s.provider_id = p.id and s.starts_at > now() and s.closed_at is null) s
  ${
    actor.role === 'employee'
      ? tx`where p.closed_at is null`
      : tx`where p.company_id is not distinct from ${actor.company_id}`
  }
  order by p.closed_at is not null, lower(p.name), p.id limit 200`

const bookings = (tx: Tx) => tx`check_bookings b
  join check_slots s on s.id = b.slot_id join check_providers p on p.id = s.provider_id
  cross join lateral (select booking_refusal(b.status, b.starts_at) as refusal) r`

const bookingColumns = (tx: Tx) => tx`
  b.id, b.slot_id, p.id as provider_id, p.company_id is not null as of_company, p.name, p.offers,
  p.place, p.note, p.time_zone, b.starts_at, s.minutes, b.day, b.status, b.cancelled_side,
  b.cancel_reason, b.code, b.starts_at <= now() as past,
  json_build_object('move', r.refusal, 'cancel', r.refusal) as refusals`

const findBooking = (tx: Tx, id: string) =>
  row(CheckBooking, tx`select ${bookingColumns(tx)} from ${bookings(tx)} where b.id = ${id}`)

const LastCheck = HealthReminderFacts.pick({ last_check_on: true, due: true, refusals: true })

async function reminderOf(tx: Tx, actor: Actor) {
  const [last, coming, expiring] = await Promise.all([
    row(
      LastCheck,
      tx`select (select max(b.day) from check_bookings b where b.person_id = f.id
            and b.status = 'booked' and b.starts_at <= now()) as last_check_on,
          check_due(f.company_id, f.id) as due, ${bookRefusals(tx)}
        from profiles f where f.id = ${actor.id}`,
    ),
    rows(
      CheckBooking,
      tx`select ${bookingColumns(tx)} from ${bookings(tx)}
        where b.person_id = ${actor.id} and b.status = 'booked' and b.starts_at > now()
        order by b.starts_at limit 1`,
    ),
    rows(
      HealthReminderFacts.shape.expiring.element,
      tx`select e.* from company_today(${actor.company_id}) today
        cross join lateral expiring_money(${actor.company_id}, ${actor.id}, today) e`,
    ),
  ])
  const next = coming[0] ?? null
  return { ...last, next, expiring }
}
