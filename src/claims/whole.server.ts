// One claim as a list shows it, and the whole of it with all that happened.
import { z } from 'zod'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { decide_claim, type Actor, type DecidableClaim } from '#policy.ts'
import { ClaimEvent, ClaimReceipt, WholeClaim } from './claims.contract.ts'
import { decisionSteps } from './decide.ts'
import { TraceStep } from './words.contract.ts'

export const appeal_days = 180

export const columns = (tx: Tx, { currency }: Pick<Actor, 'currency'>) => tx`
  c.id, c.version, c.category, c.type_name, c.for_whom, c.provider, c.service_on, c.bill_cents,
  c.amount_cents, c.approved_cents, c.status, c.stage, c.payment, c.paid_on, c.submitted_at,
  c.reviewed_at, c.receipts, c.automatic,
  ${currency}::text as currency`

const KeptEvent = ClaimEvent.extend({
  event: z.enum([...ClaimEvent.shape.event.options, 'weighed_again', 'taken_from_run']),
  trace: TraceStep.array().nullable(),
})
export type KeptEvent = z.infer<typeof KeptEvent>

const Plain = WholeClaim.omit({
  receipts_list: true,
  events: true,
  trace: true,
  question: true,
  waits_for: true,
  rejection: true,
  appeal_of: true,
  appealed_as: true,
  can: true,
})
const Bare = Plain.extend({
  attempt: z.int(),
  approvals_needed: z.int(),
  today: z.iso.date(),
  appeal_until: z.iso.date().nullable(),
  appeal_of: z.int().nullable(),
  appealed_as: z.int().nullable(),
})

export async function wholeClaim(tx: Tx, actor: Actor, id: number): Promise<WholeClaim> {
  const [claim, story, receipts] = await Promise.all([
    row(
      Bare,
      tx`select ${columns(tx, actor)}, c.dependent_id, c.type_id, c.note, c.plan_year, c.attempt,
          case when c.amount_cents > p.one_approver_cents then 2 else 1 end as approvals_needed,
          (now() at time zone o.time_zone)::date as today,
          case when y.closed_at is null then least(y.ends_on + y.filing_days::int,
            (c.reviewed_at at time zone o.time_zone)::date + ${appeal_days}::int) end as appeal_until,
          c.appeal_of, (select a.id from claims a
            where a.company_id = c.company_id and a.appeal_of = c.id) as appealed_as
        from claims c
        join claim_policies p on p.company_id = c.company_id and p.version = c.policy_version
        join plan_years y on y.company_id = c.company_id and y.starts_on = c.plan_year
        join companies o on o.id = c.company_id
        where c.company_id = ${actor.company_id} and c.id = ${id}`,
    ),
    rows(KeptEvent, tx`select * from claim_story(${id})`),
    rows(
      ClaimReceipt,
      tx`select id, file_name, media_type, size_bytes, pages, read_state, read_amount_cents, read_on,
          read_provider
        from receipts where company_id = ${actor.company_id} and claim_id in (${id}, (
          select appeal_of from claims where company_id = ${actor.company_id} and id = ${id}))
        order by created_at, id`,
    ),
  ])
  const { attempt, today, appeal_until, appeal_of, appealed_as } = claim
  const mine = actor.role === 'employee'
  const may_appeal = attempt === 1 && hasRest(claim)
  return {
    ...Plain.parse(claim),
    receipts_list: receipts,
    events: story.filter(isTold).map((event) => ClaimEvent.parse(event)),
    trace: [...(story.findLast(({ trace }) => trace)?.trace ?? []), ...decisionSteps(claim, story)],
    question:
      claim.stage === 'information_asked'
        ? (story.findLast(({ event }) => event === 'asked')?.text ?? null)
        : null,
    waits_for: waitsFor(claim, mine),
    rejection: claim.status === 'rejected' ? rejectionOf(story) : null,
    appeal_of,
    appealed_as,
    can: {
      withdraw: mine && claim.status === 'pending',
      answer: mine && claim.stage === 'information_asked',
      appeal: mine && may_appeal && today <= (appeal_until ?? ''),
      appeal_until: may_appeal ? appeal_until : null,
    },
  }
}

/** Something was refused, and nothing of it was taken back since. */
const hasRest = ({ status, payment, amount_cents, approved_cents }: z.infer<typeof Bare>) =>
  status === 'rejected' ||
  (status === 'approved' && payment !== 'reversed' && approved_cents !== amount_cents)

const isTold = (event: KeptEvent): event is KeptEvent & ClaimEvent =>
  event.event !== 'weighed_again' && event.event !== 'taken_from_run'

function rejectionOf(story: KeptEvent[]) {
  const said = story.findLast(({ event }) => event === 'rejected')
  return said?.reason ? { reason: said.reason, text: said.text ?? '' } : null
}

function waitsFor({ stage, approvals_needed }: z.infer<typeof Bare>, mine: boolean) {
  if (stage === null) return null
  if (stage === 'information_asked')
    return mine ? 'your answer to HR’s question' : 'the employee’s answer'
  if (stage === 'second_review') return 'HR, second of two approvals'
  return approvals_needed === 2 ? 'HR, first of two approvals' : 'HR'
}

export const refusalOf = (actor: Actor, claim: DecidableClaim) => decide_claim(actor, claim) ?? null

/** Asked only where it matters: this admin rejected it once, and it was appealed. */
export const anotherCould = (tx: Tx, { id, company_id }: Actor) => tx`
  c.rejected_by is not distinct from ${id}::uuid and exists (select from profiles a
    where a.company_id = ${company_id} and a.role = 'company_admin' and a.status = 'active'
      and a.id <> ${id} and a.id <> c.person_id and a.id is distinct from c.first_by)`

/** Working days: while information is asked, and once it is decided, the clock stands still. */
export const ageOf = (tx: Tx, { company_id }: Actor) => tx`
  claim_age(c.submitted_at, coalesce(c.asked_at, case when c.status <> 'pending' then c.reviewed_at end),
    c.awaited_days, (select time_zone from companies where id = ${company_id}))`
