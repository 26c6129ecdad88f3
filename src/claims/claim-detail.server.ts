// A claim as a list shows it, and in detail with all its events.
import { z } from 'zod'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Actor } from '#actor.ts'
import { ClaimEvent, ClaimReceipt, ClaimDetail, type ClaimWait } from './claims.contract.ts'
import { decisionSteps } from '#claims/rules/decide.ts'
import { TraceStep } from './words.contract.ts'

export const claimColumns = (tx: Tx, { currency }: Pick<Actor, 'currency'>) => tx`
  c.id, c.version, c.category, c.type_name, c.for_whom, c.provider, c.service_on, c.bill_cents,
  c.amount_cents, c.approved_cents, c.status, c.stage, c.status = 'pending' and c.attempt > 1 as is_appeal,
  c.payment, c.paid_on, c.submitted_at,
  c.reviewed_at, c.receipts, c.automatic,
  ${currency}::text as currency`

const KeptEvent = ClaimEvent.extend({
  event: z.enum([...ClaimEvent.shape.event.options, 're_evaluated']),
  trace: TraceStep.array().nullable(),
})
type KeptEvent = z.infer<typeof KeptEvent>

const PlainDetail = ClaimDetail.omit({
  receipts_list: true,
  events: true,
  trace: true,
  checked_at: true,
  receipts_checked_at: true,
  question: true,
  waits_for: true,
  rejection: true,
})
const DetailRow = PlainDetail.extend({ approvals_needed: z.int(), approvals_given: z.int() })

export async function readClaimDetail(tx: Tx, actor: Actor, id: number): Promise<ClaimDetail> {
  const [claim, story, receipts] = await Promise.all([
    row(
      DetailRow,
      tx`select ${claimColumns(tx, actor)}, c.dependent_id, c.type_id, c.note, to_jsonb(c.lines) as lines,
          c.plan_year, c.appeal_of,
          case when c.status = 'pending' and policy_is_superseded(c.company_id, c.policy_version)
            then c.policy_version end as earlier_policy,
          (select a.id from claims a where a.company_id = c.company_id and a.appeal_of = c.id)
            as appealed_as,
          approvals_needed(c), cardinality(c.passed_by) as approvals_given, own_claim_refusals(c, ${actor.id}) as refusals,
          case when claim_refusal('appeal', c, ${actor.id}) is null then appeal_ends_on(c) end
            as appeal_ends_on, c.due_at, c.overdue,
          coalesce((select json_agg(json_build_object('on_day', h.on_day, 'name', h.name)
              order by h.on_day)
            from companies o join public_holidays h on h.country = o.country and h.region = o.region
            where o.id = c.company_id and is_weekday(h.on_day)
              and h.on_day >= (c.submitted_at at time zone o.time_zone)::date
              and h.on_day <= (coalesce(c.due_at, c.reviewed_at, now()) at time zone o.time_zone)::date
            ), '[]') as holidays
        from claims c where c.company_id = ${actor.company_id} and c.id = ${id}`,
    ),
    rows(KeptEvent, tx`select * from claim_story(${id})`),
    rows(
      ClaimReceipt,
      tx`select id, file_name, media_type, size_bytes, pages, read_state, read_amount_cents, read_currency, read_on,
          read_provider, read_marks, restricted, blacked_times, blacked_reads
        from receipts where company_id = ${actor.company_id} and claim_id in (${id}, (
          select appeal_of from claims where company_id = ${actor.company_id} and id = ${id}))
        order by created_at, id`,
    ),
  ])
  const checked = story.findLast(({ trace }) => trace)
  const in_force = story.filter(({ undone_at }) => undone_at === null)
  return {
    ...PlainDetail.parse(claim),
    receipts_list: receipts,
    events: story.filter(isShown).map((event) => ClaimEvent.parse(event)),
    trace: [...(checked?.trace ?? []), ...decisionSteps(claim, in_force)],
    ...checkedWhen(story),
    question:
      claim.stage === 'information_asked'
        ? (in_force.findLast(({ event }) => event === 'asked')?.text ?? null)
        : null,
    waits_for: waitsFor(claim),
    rejection: claim.status === 'rejected' ? rejectionOf(in_force) : null,
  }
}

/** When all checks were made, with the submission, and when those of receipts that came later were. */
function checkedWhen(story: KeptEvent[]) {
  const checks = story.filter(({ trace }) => trace)
  const last = checks.at(-1)
  const all = checks.findLast(({ event }) => !brings_receipts.has(event))
  return {
    checked_at: all?.at ?? null,
    receipts_checked_at: last === all ? null : (last?.at ?? null),
  }
}

const brings_receipts = new Set<KeptEvent['event']>(['answered', 'appealed'])

const isShown = (event: KeptEvent): event is KeptEvent & ClaimEvent =>
  event.event !== 're_evaluated'

function rejectionOf(story: KeptEvent[]) {
  const rejection = story.findLast(({ event }) => event === 'rejected')
  return rejection?.reason ? { reason: rejection.reason, text: rejection.text ?? '' } : null
}

function waitsFor(claim: z.infer<typeof DetailRow>): ClaimWait | null {
  const { stage, approvals_needed, approvals_given } = claim
  if (stage === null) return null
  const who = stage === 'information_asked' ? 'employee' : 'hr'
  return { who, nth: approvals_given + 1, of: approvals_needed }
}

/**
 * Working days until the deadline, below zero after it; null while the clock stands still. Midnight belongs to the day before.
 * Needs `calendarIn`.
 */
export const daysLeft = (tx: Tx) => tx`
  working_days_through(c.due_at - interval '1 second', cal.time_zone, cal.days_off) - cal.today`

/** The company's calendar, as `cal`. Materialized: a join would read it again for each row, holidays and all. */
export const calendarIn = (tx: Tx, { company_id }: Actor) => tx`
  (with read_once as materialized (
      select o.time_zone, h.days_off, working_days_through(now(), o.time_zone, h.days_off) as today
        from companies o cross join (select company_days_off(${company_id}) as days_off offset 0) h
        where o.id = ${company_id})
    select * from read_once) cal`
