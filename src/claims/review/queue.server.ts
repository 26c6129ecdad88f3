// The review queue: found by status, category, person, number and words, in its orders, a page at a time.
import type { z } from 'zod'
import { Category } from '#categories.ts'
import { start } from '#lib/transactions.server.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import { keyset, patternOf, searchWords, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { preferIndexOrder, type OwnTx } from '#lib/tuning.server.ts'
import type { Actor } from '#actor.ts'
import { QueuedClaim, type review } from './review.contract.ts'
import { calendarIn, claimColumns, daysLeft } from '#claims/claim-detail.server.ts'
import {
  decideRefusal,
  rightsGiven,
  Refused,
  refusalColumns,
  withRefusals,
} from './refused.server.ts'
import { ClaimStatus } from '#claims/words.contract.ts'

type QueueRequest = z.output<typeof review.queue.input>
/** The matches of a search: people, and claims by their provider. Null: too many, so each claim is compared as it is read. */
type QueueMatch = {
  number: number | null
  ids: string[] | null
  claim_ids: number[]
  patterns: string[]
}

const counted_max = 1000
/** A decided claim is never overdue. */
const overdue_ones: ClaimStatus[] = ['pending']

const QueuedRow = withCursor(QueuedClaim.omit({ refusals: true }).extend(Refused.shape))

export async function listQueue(tx: OwnTx, actor: Actor, input: QueueRequest) {
  const match = await resolveSearch(tx, actor, input)
  const ordered = start(preferIndexOrder(tx)) // ahead of the others, on the same line
  const [found, total] = await Promise.all([
    rows(QueuedRow, page(tx, actor, input, match)),
    countQueue(tx, actor, input, match),
    ordered,
  ])
  const { page: claims, next } = pageOf(found, input.limit)
  return { claims: claims.map(withRefusals), next, total }
}

/** '#17' is a number, and so is '17' if there is such a claim; other words are names. */
async function resolveSearch(
  tx: Tx,
  { company_id }: Actor,
  input: QueueRequest,
): Promise<QueueMatch> {
  const { search, person_id } = input
  const words = searchWords(search)
  const of_person = person_id ? [person_id] : null
  const match = { number: null, ids: of_person, claim_ids: [], patterns: [] }
  const [, digits] = /^#?(\d{1,15})$/.exec(words.join(' ')) ?? []
  if (digits) {
    const [claim] = await tx`
      select from claims where company_id = ${company_id} and id = ${digits}`
    if (claim || search?.includes('#')) return { ...match, number: Number(digits) }
  }
  if (words.length === 0) return match
  const patterns = words.map(patternOf)
  if (of_person) return { ...match, patterns }
  const ids = await peopleOf(tx, company_id, words)
  const claim_ids = ids && (await claimsOf(tx, words, input))
  return claim_ids ? { ...match, ids, claim_ids } : { ...match, patterns }
}

/** Claims found by their provider's name. */
async function claimsOf(tx: Tx, words: string[], input: QueueRequest) {
  const { statuses, categories } = kindsOf(input)
  const [found] = await tx<[{ ids: number[] | null }]>`
    select to_json(find_claims(${words}, ${statuses}, ${categories}, ${counted_max})) as ids`
  return found.ids
}

type QueueKinds = { statuses: ClaimStatus[]; categories: Category[] }

const kindsOf = ({ status, category, overdue }: QueueRequest): QueueKinds => ({
  statuses:
    status === 'reversed'
      ? ['approved']
      : status
        ? [status]
        : overdue
          ? overdue_ones
          : ClaimStatus.options,
  categories: category ? [category] : Category.options,
})

/**
 * People found by words; null if they are too many. With few people each one's claims are looked up; with many, reading the queue
 * in its order meets a page of them sooner. The number where that turns grows with the square root of all people.
 */
async function peopleOf(tx: Tx, company_id: string | null, words: string[]) {
  const [company] = await tx<[{ most: number }]>`
    select 20 + sqrt(5 * coalesce(sum(pending + active + suspended + leavers), 0))::int as most
    from headcounts where company_id = ${company_id}`
  const { most } = company
  if (words.some(({ length }) => length > 2)) {
    const [found] = await tx<[{ ids: string[] | null }]>`
      select to_json(find_people(${words}, ${company_id}, ${most})) as ids`
    return found.ids
  }
  // Names are searched among people, who are fewer than claims: no index helps with so few letters.
  const found = await tx<{ id: string }[]>`
    select id from profiles where company_id = ${company_id} and search_text like all (${words.map(patternOf)})
    limit ${most + 1}`
  return found.length > most ? null : found.map(({ id }) => id)
}

const byAge = ({ sort }: QueueRequest) => sort === 'oldest' || sort === 'newest'

/** Claims are `x` within a run, and `c` where runs are merged. */
function keysetOf(tx: Tx, input: QueueRequest, table: 'c' | 'x') {
  const id = [`${table}.id`, 'bigint'] as const
  const order: KeysetOrder = byAge(input) ? [id] : [[`${table}.amount_cents`, 'bigint'], id]
  const descending = input.sort === 'newest' || input.sort === '-amount'
  return keyset(tx, order, descending, input.after)
}

function filterParts(tx: Tx, { company_id }: Actor, input: QueueRequest, match: QueueMatch) {
  return {
    company_id,
    by_reversal:
      input.status === 'reversed'
        ? tx`and x.payment = 'reversed'`
        : input.status === 'approved'
          ? tx`and x.payment <> 'reversed'`
          : tx``,
    by_id: match.number !== null ? tx`and x.id = ${match.number}` : tx``,
    by_overdue:
      input.overdue === undefined
        ? tx``
        : input.overdue
          ? tx`and x.overdue`
          : tx`and not x.overdue`,
    by_words: match.patterns.length
      ? // A value, not `exists`: that would first gather everybody who matches, for each run.
        tx`and ((select f.search_text like all (${match.patterns}) from profiles f
            where f.company_id = x.company_id and f.id = x.person_id)
          or without_accents(x.provider) like all (${match.patterns}))`
      : tx``,
  }
}

const reversedIn = (tx: Tx, company_id: string | null) => tx`
  (select * from claims where company_id = ${company_id} and payment = 'reversed' offset 0)`

/**
 * One sorted run for each status and category (or for each person found). Merged they are the page, and each is read no further
 * than the page needs. A run reads keys, from the index alone.
 */
function runs(tx: Tx, actor: Actor, input: QueueRequest, match: QueueMatch, limit: number) {
  const m = filterParts(tx, actor, input, match)
  const { columns: key, after_cursor, order_by } = keysetOf(tx, input, 'x')
  const { statuses, categories } = kindsOf(input)
  // Few claims are reversed, and they have an index; in the order of the queue all approvals would be read.
  const of = input.status === 'reversed' ? tx`${reversedIn(tx, m.company_id)} x` : tx`claims x`
  const run = (which: ReturnType<Tx>) => tx`
    (select ${key} from ${of} where x.company_id = ${m.company_id} ${which}
      ${m.by_reversal} ${m.by_id} ${m.by_overdue} ${m.by_words} ${after_cursor}
      order by ${order_by} limit ${limit})`
  const in_one = !input.status && !input.category && !input.overdue && byAge(input)
  if (match.ids) {
    const kinds = tx`and x.status = any (${statuses}) and x.category = any (${categories})`
    const of_people = tx`unnest(${match.ids}::uuid[]) p (id)
      cross join lateral ${run(tx`and x.person_id = p.id ${kinds}`)} c`
    if (match.claim_ids.length === 0) return of_people
    return tx`(select c.* from ${of_people}
      union ${run(tx`and x.id = any (${match.claim_ids}::bigint[]) ${kinds}`)}) c`
  }
  if (in_one) return tx`${run(tx``)} c`
  const all = statuses.flatMap((status) =>
    categories.map((category) => run(tx`and x.status = ${status} and x.category = ${category}`)),
  )
  return tx`(${all.reduce((before, next) => tx`${before} union all ${next}`)}) c`
}

function page(tx: Tx, actor: Actor, input: QueueRequest, match: QueueMatch) {
  const { order_by, row_cursor } = keysetOf(tx, input, 'c')
  return tx`
    select ${claimColumns(tx, actor)}, c.person_id, f.full_name as person_name,
      may_be_back(f.status, f.has_left) as suspended, c.overdue, c.suspicion, c.passed_cents,
      ${daysLeft(tx)} as days_left, c.decide, c.approve_whole, c.decide_many, c.withdraw_question,
      c.reverse, c.assigned_to, ${row_cursor} as row_cursor
    from (select c.id from ${runs(tx, actor, input, match, input.limit + 1)}
      order by ${order_by} limit ${input.limit + 1}) k
    cross join ${rightsGiven(tx, actor)}
    cross join ${calendarIn(tx, actor)}
    cross join lateral (
      select x.*, ${refusalColumns(tx, actor, 'x')}, ${assigneesOf(tx, 'x')} as assigned_to
        from claims x ${decideRefusal(tx, actor, 'x')}
        where x.company_id = ${actor.company_id} and x.id = k.id limit 1) c
    cross join lateral (select full_name, status, has_left from profiles p where p.company_id = ${actor.company_id}
      and p.id = c.person_id limit 1) f
    order by ${order_by}`
}

/** The assignees; null if any reviewer who is here will do. */
export const assigneesOf = (tx: Tx, claim: 'c' | 'x') => {
  const c = tx.unsafe(claim)
  return tx`case when ${c}.stage in ('first_review', 'further_review')
    and (${c}.by_name or cardinality(${c}.passed_by) > 0 or ${c}.rejected_by is not null)
    then claim_assignees(${c}) end`
}

/** The kept counts if the filters allow it; else counted, as far as that is cheap. */
async function countQueue(tx: Tx, actor: Actor, input: QueueRequest, match: QueueMatch) {
  const { status = null, category = null, overdue } = input
  const approvals = status === 'approved' || status === 'reversed'
  if (match.patterns.length) return null
  if (!match.ids && match.number === null) {
    const [kept] = await tx<[{ claims: number; overdue: number; reversed: number }]>`
      select coalesce(sum(claims), 0)::bigint as claims, coalesce(sum(overdue), 0)::bigint as overdue,
        ${
          approvals
            ? tx`(select count(*) from ${reversedIn(tx, actor.company_id)} x
                where ${category}::text is null or x.category::text = ${category})`
            : tx`0`
        } as reversed
      from claim_counts where (${approvals ? 'approved' : status}::text is null
          or status = ${approvals ? 'approved' : status})
        and (${category}::text is null or category = ${category})`
    if (status === 'reversed') return overdue ? 0 : kept.reversed
    if (status === 'approved') return overdue ? 0 : kept.claims - kept.reversed
    if (overdue === undefined) return kept.claims
    return overdue ? kept.overdue : kept.claims - kept.overdue
  }
  const all = { ...input, after: undefined }
  const [counted] = await tx<[{ count: number }]>`
    select count(*) as count from (
      select from ${runs(tx, actor, all, match, counted_max + 1)} limit ${counted_max + 1}) few`
  return counted.count > counted_max ? null : counted.count
}
