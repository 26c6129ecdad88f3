import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { download, get, patch, post, Refusal } from '#lib/contract.ts'
import { NewProvider, NewSlots, ClosingReason } from './setting-up.contract.ts'

export type CheckProvider = z.infer<typeof CheckProvider>
export const CheckProvider = z.object({
  id: z.uuid(),
  /** Whether HR of the own company organises it: then HR sees who comes. */
  of_company: z.boolean(),
  name: z.string(),
  offers: z.string(),
  place: z.string(),
  note: z.string().nullable(),
  time_zone: z.string(),
  closed_at: z.iso.datetime().nullable(),
  version: z.int(),
  next_free_on: z.iso.date().nullable(),
  /** Times to come that are not closed. */
  slots: z.int(),
  places: z.int(),
  booked: z.int(),
  refusals: z.object({ add_slots: Refusal, close: Refusal, reopen: Refusal }),
})

export type CheckSlot = z.infer<typeof CheckSlot>
export const CheckSlot = z.object({
  id: z.uuid(),
  starts_at: z.iso.datetime(),
  day: z.iso.date(),
  minutes: z.int(),
  capacity: z.int(),
  taken: z.int(),
  past: z.boolean(),
  closed_at: z.iso.datetime().nullable(),
  close_reason: z.string().nullable(),
})

/** A slot as it is shown to people who may come. */
export type OfferedSlot = z.infer<typeof OfferedSlot>
export const OfferedSlot = CheckSlot.extend({ refusals: z.object({ book: Refusal }) })

/** A slot as it is shown to the people who run the check. */
export type ListedSlot = z.infer<typeof ListedSlot>
export const ListedSlot = CheckSlot.extend({
  visitors: z.string().array(),
  refusals: z.object({ close: Refusal, reopen: Refusal }),
})

export type SlotPreview = z.infer<typeof SlotPreview>
export const SlotPreview = z.object({
  /** How many would be made, or were. */
  slots: z.int(),
  days: z.int(),
  already_there: z.int(),
  past: z.int(),
  first_at: z.iso.datetime().nullable(),
  last_at: z.iso.datetime().nullable(),
})

export type CheckBooking = z.infer<typeof CheckBooking>
export const CheckBooking = z.object({
  id: z.uuid(),
  slot_id: z.uuid(),
  provider_id: z.uuid(),
  of_company: z.boolean(),
  name: z.string(),
  offers: z.string(),
  place: z.string(),
  note: z.string().nullable(),
  time_zone: z.string(),
  starts_at: z.iso.datetime(),
  minutes: z.int(),
  day: z.iso.date(),
  status: z.enum(['booked', 'cancelled']),
  cancelled_side: z.enum(['person', 'provider', 'company']).nullable(),
  cancel_reason: z.string().nullable(),
  /** The code for the desk of a provider who is not told names. */
  code: z.string(),
  past: z.boolean(),
  refusals: z.object({ move: Refusal, cancel: Refusal }),
})

const ExpiringMoney = z.object({
  category: Category,
  amount_cents: z.int(),
  /** The last day a bill can be from. */
  use_by: z.iso.date(),
  /** The last day a claim for it can be filed. */
  filing_ends_on: z.iso.date(),
})

const BookRefusals = z.object({ book: Refusal })

/** The checks that one may book; `left_on` is the last day of whoever asks, after which nothing is. */
export const OfferedChecks = z.object({
  providers: CheckProvider.array(),
  left_on: z.iso.date().nullable(),
  refusals: BookRefusals,
})

export type HealthReminderFacts = z.infer<typeof HealthReminderFacts>
export const HealthReminderFacts = z.object({
  last_check_on: z.iso.date().nullable(),
  /** No check for a year, and none booked. */
  due: z.boolean(),
  next: CheckBooking.nullable(),
  expiring: ExpiringMoney.array(),
  refusals: BookRefusals,
})

const ById = z.object({ id: z.uuid() })
export const Cancelled = z.object({ cancelled: z.int() })
const OnDay = z.object({ provider_id: z.uuid(), day: Day() })

const Days = z.object({ provider_id: z.uuid(), from_on: Day(), to_on: Day() })

export const health_checks = {
  providers: get('/health-checks/providers', z.object({}), CheckProvider.array()),
  slots: get('/health-checks/slots', Days, CheckSlot.array()),
  /** The checks that the asker can book, also if they set some up. */
  offered: get('/health-checks/offered', z.object({}), OfferedChecks),
  offered_slots: get('/health-checks/offered/slots', Days, OfferedSlot.array()),

  mine: get('/health-checks/bookings', z.object({}), CheckBooking.array()),
  book: post('/health-checks/bookings', z.object({ slot_id: z.uuid() }), CheckBooking, {
    idempotent: true,
  }),
  move: post('/health-checks/bookings/:id/move', ById.extend({ slot_id: z.uuid() }), CheckBooking),
  cancel: post('/health-checks/bookings/:id/cancellation', ById, CheckBooking),
  calendar: download('/health-checks/bookings/:id/calendar.ics', ById, { recorded: false }),
  reminder: get('/health-checks/reminder', z.object({}), HealthReminderFacts),

  add_provider: post('/health-checks/providers', NewProvider, CheckProvider, { idempotent: true }),
  change_provider: patch(
    '/health-checks/providers/:id',
    NewProvider.extend({ id: z.uuid(), version: z.int() }),
    CheckProvider,
  ),
  close_provider: post(
    '/health-checks/providers/:id/closing',
    ById.extend(ClosingReason.shape),
    Cancelled,
  ),
  reopen_provider: post('/health-checks/providers/:id/opening', ById, CheckProvider),
  preview_slots: post('/health-checks/slots/preview', NewSlots, SlotPreview),
  add_slots: post('/health-checks/slots', NewSlots, SlotPreview, { idempotent: true }),
  close_slot: post('/health-checks/slots/:id/closing', ById.extend(ClosingReason.shape), Cancelled),
  reopen_slot: post('/health-checks/slots/:id/opening', ById, CheckSlot),
  close_day: post('/health-checks/days/closing', OnDay.extend(ClosingReason.shape), Cancelled),
  /** Names where HR organises the check, else the codes that people say at the desk. */
  day_list: get('/health-checks/days', OnDay, ListedSlot.array()),
}
