// Providers, their times and their days: by the platform for all companies, by HR for its own.
import { z } from 'zod'
import { Refusal } from '#lib/contract.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import {
  Cancelled,
  CheckProvider,
  CheckSlot,
  health_checks,
  SlotPreview,
} from './health-checks.contract.ts'
import type { NewSlots } from './setting-up.contract.ts'

type HealthCheckHandlers = Handlers<typeof health_checks>

const slots_at_once = 5000

export const settingUp: Pick<
  HealthCheckHandlers,
  | 'add_provider'
  | 'change_provider'
  | 'close_provider'
  | 'reopen_provider'
  | 'preview_slots'
  | 'add_slots'
  | 'close_slot'
  | 'reopen_slot'
  | 'close_day'
  | 'day_list'
> = {
  add_provider: async ({ tx, input }) => {
    const { name, offers, place, note = null, time_zone } = input
    const [made] = await tx<[{ id: string }]>`
      insert into check_providers (company_id, name, offers, place, note, time_zone)
      values (actor_company(), ${name}, ${offers}, ${place}, ${note || null}, ${time_zone})
      returning id`
    return findProvider(tx, made.id)
  },

  change_provider: async ({ tx, input }) => {
    const { id, version, name, offers, place, note = null, time_zone } = input
    const [changed] = await tx`
      update check_providers set name = ${name}, offers = ${offers}, place = ${place},
        note = ${note || null}, time_zone = ${time_zone}
      where id = ${id} and version = ${version} returning id`
    if (!changed) {
      await findProvider(tx, id)
      throw new Problem('changed_meanwhile')
    }
    return findProvider(tx, id)
  },

  close_provider: async ({ tx, input: { id, reason = null } }) => {
    return row(Cancelled, tx`select close_provider(${id}, ${reason || null}) as cancelled`)
  },

  reopen_provider: async ({ tx, input: { id } }) => {
    await tx`select reopen_provider(${id})`
    return findProvider(tx, id)
  },

  preview_slots: ({ tx, input }) => previewSlots(tx, input),

  add_slots: async ({ tx, input }) => {
    const preview = await previewSlots(tx, input)
    if (preview.slots > slots_at_once) throw new Problem('too_many_slots')
    const none = preview.slots === 0
    if (none && preview.past + preview.already_there === 0) throw new Problem('no_such_day')
    // A pattern without a future slot is passed on as it is: the database answers why it is refused.
    const which = none
      ? tx``
      : tx`where w.starts_at > now()
      on conflict on constraint slot_already_there do nothing`
    await tx`
      insert into check_slots (company_id, provider_id, starts_at, minutes, capacity)
      select company_id, provider_id, starts_at, ${input.minutes}, ${input.capacity}
      from (${patternSlots(tx, input)}) w ${which}`
    return preview
  },

  close_slot: async ({ tx, input: { id, reason = null } }) => {
    return row(Cancelled, tx`select close_slot(${id}, ${reason || null}) as cancelled`)
  },

  reopen_slot: async ({ tx, input: { id } }) => {
    await tx`select reopen_slot(${id})`
    return row(
      CheckSlot,
      tx`select s.*, s.starts_at <= now() as past from check_slots s where id = ${id}`,
    )
  },

  close_day: async ({ tx, input: { provider_id, day, reason = null } }) => {
    await findProvider(tx, provider_id)
    return row(
      Cancelled,
      tx`select close_check_day(${provider_id}, ${day}, ${reason || null}) as cancelled`,
    )
  },

  day_list: async ({ tx, input: { provider_id, day } }) => {
    const { of_company } = await findProvider(tx, provider_id)
    const visitors = of_company
      ? tx`select p.full_name from check_bookings b join profiles p on p.id = b.person_id
          where b.slot_id = s.id and b.status = 'booked' order by p.sort_name, p.id`
      : tx`select c.code from day_codes(${provider_id}, ${day}) c where c.slot_id = s.id`
    return rows(
      health_checks.day_list.output.element,
      tx`select s.*, s.starts_at <= now() as past, array(${visitors}) as visitors,
          json_build_object('close', slot_refusal('close', s),
            'reopen', reopening_refusal(s.id)) as refusals
        from check_slots s where s.provider_id = ${provider_id} and s.day = ${day}
        order by s.starts_at`,
    )
  },
}

/** A provider that the asker set up or may change; others are not found. */
const findProvider = (tx: Tx, id: string) =>
  row(
    CheckProvider,
    tx`select p.*, p.company_id is not null as of_company, null as next_free_on,
        count(s.id)::int as slots, coalesce(sum(s.capacity), 0)::int as places,
        coalesce(sum(s.taken), 0)::int as booked, check_provider_refusals(p.closed_at) as refusals
      from check_providers p left join check_slots s
        on s.provider_id = p.id and s.starts_at > now() and s.closed_at is null
      where p.id = ${id} and p.company_id is not distinct from actor_company()
      group by p.id`,
  )

type Pattern = z.output<typeof NewSlots>

/** The times of a pattern, by the clock on the provider's own wall. */
const patternSlots = (tx: Tx, input: Pattern) => tx`
  select distinct p.company_id, p.id as provider_id,
    (d.day::date + ${input.from_time}::time + make_interval(mins => m.minute)) at time zone p.time_zone
      as starts_at,
    d.day::date as day
  from check_providers p
  cross join generate_series(${input.from_on}::date, ${input.to_on}::date, interval '1 day') d (day)
  cross join generate_series(0,
    (extract(epoch from ${input.to_time}::time - ${input.from_time}::time) / 60)::int
      - ${input.minutes}::int, ${input.minutes}::int) m (minute)
  where p.id = ${input.provider_id} and p.company_id is not distinct from actor_company()
    and extract(isodow from d.day) = any (${input.weekdays})`

async function previewSlots(tx: Tx, input: Pattern) {
  const { refusal } = await row(
    z.object({ refusal: Refusal }),
    tx`select check_provider_refusal('add_slots', p.closed_at) as refusal from check_providers p
      where p.id = ${input.provider_id} and p.company_id is not distinct from actor_company()`,
  )
  if (refusal) throw new Problem(refusal)
  return row(
    SlotPreview,
    tx`
      with w as (
        select w.*, w.starts_at <= now() as past, s.id is not null as there
        from (${patternSlots(tx, input)}) w
        left join check_slots s on s.provider_id = w.provider_id and s.starts_at = w.starts_at)
      select count(*) filter (where fresh)::int as slots,
        count(distinct day) filter (where fresh)::int as days,
        count(*) filter (where there)::int as already_there,
        count(*) filter (where past and not there)::int as past,
        min(starts_at) filter (where fresh) as first_at,
        max(starts_at) filter (where fresh) as last_at
      from (select w.*, not w.past and not w.there as fresh from w) w`,
  )
}
