// The acts of the company's reviewers on claims.
import { z } from 'zod'
import { row, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { isProblemCode, problems } from '#problems.ts'
import { Claim, type ClaimDetail } from '#claims/claims.contract.ts'
import { ReadFacts, duplicatesOf } from '#claims/rules/rule-facts.ts'
import { assigneesOf, listQueue } from './queue.server.ts'
import {
  decideRefusal,
  rightsGiven,
  Refused,
  refusalColumns,
  withRefusals,
} from './refused.server.ts'
import {
  ClaimStep,
  review,
  ReviewedClaim,
  type BulkOutcome,
  type Duplicate,
  type LikeClaim,
} from './review.contract.ts'
import { calendarIn, claimColumns, daysLeft, readClaimDetail } from '#claims/claim-detail.server.ts'

const Many = z.object({ done: z.array(z.object({ id: z.int(), code: z.string().nullable() })) })

/** The sum of appealed rests: each is a claim of its own, but its money was appealed before. */
const appealedAmount = (tx: Tx, { company_id }: Actor) => tx`
  select coalesce(sum(amount_cents), 0) as cents from claims
    where company_id = ${company_id} and appeal_of is not null`

export const reviewHandlers: Handlers<typeof review> = {
  queue: ({ tx, actor, input }) => listQueue(tx, actor, input),

  summary: ({ tx, actor }) =>
    row(
      review.summary.output,
      tx`select coalesce(sum(claims), 0)::bigint as total, ${countOf(tx, 'pending')},
          (coalesce(sum(claims) filter (where status = 'approved'), 0) - r.reversed)::bigint as approved,
          r.reversed, ${countOf(tx, 'rejected')}, ${countOf(tx, 'withdrawn')},
          (coalesce(sum(amount_cents), 0) - again.cents)::bigint as claimed_cents,
          coalesce(sum(approved_cents), 0)::bigint as approved_cents,
          ${waitingOf(tx, actor)}
        from (select count(*) as reversed from claims
            where company_id = ${actor.company_id} and payment = 'reversed') r
          cross join (${appealedAmount(tx, actor)}) again
          left join claim_counts on true group by r.reversed, again.cents`,
    ),

  waiting: ({ tx, actor }) =>
    row(
      review.waiting.output,
      tx`select ${countOf(tx, 'pending')}, ${waitingOf(tx, actor)} from claim_counts`,
    ),

  find: ({ tx, actor, input: { id } }) => reviewedClaim(tx, actor, id),

  open_receipts: async ({ tx, actor, input: { id, purpose } }) => {
    await tx`select open_receipts(${id}, ${purpose})`
    return reviewedClaim(tx, actor, id)
  },

  approve: ({ tx, actor, input: { id, version, amount_cents = null, text = null, lines } }) =>
    row(
      review.approve.output,
      tx`select ${claimColumns(tx, actor)}, ${assigneesOf(tx, 'c')} as assigned_to
        from approve_claim(${id}, ${version}, ${amount_cents}, ${text},
          ${lines ? tx.json(lines) : null}) c`,
    ),

  approve_many: ({ tx, input: { claims } }) => eachOf(tx, 'approve_many', claims),

  reject_many: ({ tx, input: { claims, ...details } }) => eachOf(tx, 'reject', claims, details),

  ask_many: ({ tx, input: { claims, ...details } }) => eachOf(tx, 'ask', claims, details),

  undo: ({ tx, actor, input: { id } }) => decidedClaim(tx, actor, tx`undo_claim(${id})`),

  undo_many: ({ tx, input: { claims } }) => eachOf(tx, 'undo', claims),

  reject: ({ tx, actor, input: { id, version, reason, text } }) =>
    decidedClaim(tx, actor, tx`reject_claim(${id}, ${version}, ${reason}, ${text})`),

  ask: ({ tx, actor, input: { id, version, text } }) =>
    decidedClaim(tx, actor, tx`ask_about_claim(${id}, ${version}, ${text})`),

  withdraw_question: ({ tx, actor, input: { id, version } }) =>
    decidedClaim(tx, actor, tx`withdraw_question(${id}, ${version})`),

  reverse: ({ tx, actor, input: { id, version, text } }) =>
    decidedClaim(tx, actor, tx`reverse_claim(${id}, ${version}, ${text})`),
}

type SeenClaim = { id: number; version?: number }

/** The outcome of each claim; a refusal of one stops no other. */
async function eachOf(
  tx: Tx,
  act: string,
  claims: readonly SeenClaim[],
  details = {},
): Promise<BulkOutcome> {
  const ids = claims.map(({ id }) => id)
  const expected_versions = claims.map(({ version = null }) => version)
  const { done } = await row(
    Many,
    tx`select decide_claims(${act}, ${ids}::bigint[], ${expected_versions}::integer[], ${tx.json(details)})
      as done`,
  )
  return {
    done: done.filter(({ code }) => code === null).map(({ id }) => id),
    refused: done.flatMap(({ id, code }) =>
      code === null ? [] : [{ id, code, sentence: problems[asProblem(code)][1] }],
    ),
  }
}

const asProblem = (code: string) => (isProblemCode(code) ? code : 'internal')

const decidedClaim = (tx: Tx, actor: Actor, act: ReturnType<Tx>) =>
  row(Claim, tx`select ${claimColumns(tx, actor)} from ${act} c`)

const countOf = (tx: Tx, status: string) => tx`
  coalesce(sum(claims) filter (where status = ${status}), 0)::bigint as ${tx(status)}`

const waitingOf = (tx: Tx, { currency }: Actor) => tx`
  coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::bigint as pending_cents,
  coalesce(sum(overdue), 0)::bigint as overdue, ${currency}::text as currency`

const Reviewed = Refused.extend({
  person_id: z.uuid(),
  person_name: z.string(),
  suspended: ReviewedClaim.shape.suspended,
  department: z.string().nullable(),
  left_on: z.iso.date().nullable(),
  days_left: z.int().nullable(),
  passed_cents: z.int().nullable(),
  step_most_cents: z.int().nullable(),
  steps: ClaimStep.array(),
  approvals_needed: z.int(),
  assigned_to: ReviewedClaim.shape.assigned_to,
  next_second_person: ReviewedClaim.shape.next_second_person,
  restricted_receipts: z.int(),
  facts: ReadFacts,
})

async function reviewedClaim(tx: Tx, actor: Actor, id: number): Promise<ReviewedClaim> {
  const [detail, { facts, ...more }] = await Promise.all([
    readClaimDetail(tx, actor, id),
    row(
      Reviewed,
      tx`select c.person_id, f.full_name as person_name, f.department, f.left_on,
          may_be_back(f.status, f.has_left) as suspended,
          ${refusalColumns(tx, actor, 'c')}, ${daysLeft(tx)} as days_left,
          c.passed_cents, (next_step(c)).most_cents as step_most_cents, ${stepsOf(tx)} as steps,
          approvals_needed(c), review_facts(c.id) as facts,
          case when c.stage in ('first_review', 'further_review') then claim_assignees(c) end
            as assigned_to,
          case when c.status = 'pending' then next_second_person('reviewer', c.company_id,
              variadic c.passed_by || c.person_id) end
            as next_second_person,
          restricted_receipts(c.id)
        from claims c cross join ${rightsGiven(tx, actor)} ${decideRefusal(tx, actor, 'c')}
        cross join ${calendarIn(tx, actor)}
        join profiles f on f.company_id = c.company_id and f.id = c.person_id
        where c.company_id = ${actor.company_id} and c.id = ${id}`,
    ),
  ])
  return {
    ...detail,
    ...withRefusals(more),
    approvals: approvalsOf(detail),
    duplicates: await likeClaims(tx, actor, duplicatesOf(detail, facts)),
    available_cents: facts.available_cents,
  }
}

async function likeClaims(tx: Tx, actor: Actor, duplicates: Duplicate[]): Promise<LikeClaim[]> {
  const ids = duplicates.flatMap(({ claim_id }) => claim_id ?? [])
  if (ids.length === 0) return duplicates.map((one) => ({ ...one, other: null }))
  const others = await tx<{ id: number; amount_cents: number; service_on: string }[]>`
    select id, amount_cents, service_on from claims
    where company_id = ${actor.company_id} and id = any (${ids}::bigint[])`
  const about = new Map(others.map(({ id, ...other }) => [id, other]))
  return duplicates.map((one) => ({ ...one, other: about.get(one.claim_id ?? 0) ?? null }))
}

const stepsOf = (tx: Tx) => tx`
  (select coalesce(json_agg(json_build_object('nth', s.nth, 'who', s.who, 'names', array(
        select p.full_name from profiles p where p.company_id = c.company_id
          and p.id = any (s.person_ids) and p.id <> all (c.passed_by) order by p.sort_name), 'deputy_name', (
        select p.full_name from profiles p where p.company_id = c.company_id
          and p.id = s.deputy_id and p.id <> all (c.passed_by)),
      'most_cents', s.most_cents, 'days', s.days) order by s.nth), '[]')
    from unnest(c.steps) with ordinality
      s (number, who, person_ids, deputy_id, most_cents, days, nth))`

const approvalsOf = ({ events }: ClaimDetail) =>
  events
    .slice(events.findLastIndex(({ event }) => event === 'appealed') + 1)
    .filter(({ event }) => event === 'approved' || event === 'approved_step')
    .filter(({ undone_at }) => undone_at === null)
    .map(({ by_name, at, amount_cents }) => ({
      by_name: by_name ?? '',
      at,
      amount_cents: amount_cents ?? 0,
    }))
