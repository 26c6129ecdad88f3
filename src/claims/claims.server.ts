// The acts of an employee on claims: submit, read, withdraw.
import { randomInt } from 'node:crypto'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { keyset, patternOf, searchWords, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { z } from 'zod'
import { Claim, ClaimCounts, ClaimDraft, ClaimOptions, claims } from './claims.contract.ts'
import { decide, refusalsOf } from '#claims/rules/decide.ts'
import {
  duplicatesOf,
  KnownDraft,
  ReadFacts,
  type Draft,
  type RuleFacts,
} from '#claims/rules/rule-facts.ts'
import { limit_codes } from '#claims/rules/limits.ts'
import { claimColumns, readClaimDetail } from './claim-detail.server.ts'
import type { SealVerdict } from './verdicts.server.ts'
import type { ClaimState } from './words.contract.ts'

const PlainOptions = ClaimOptions.omit({ years: true, earliest: true })
const SubmittedClaim = Claim.omit({ currency: true, is_appeal: true })
const ListedClaim = withCursor(Claim)
const ReadInTransaction = z.object({ facts: ReadFacts, within: z.string() })
const Appealed = z.object({
  found: z.object({ facts: ReadFacts, draft: KnownDraft }).nullable(),
  within: z.string(),
})
const Numbered = z.object({ id: z.int() })

const plainHandlers: Omit<Handlers<typeof claims>, 'submit' | 'appeal'> = {
  options: async ({ tx, actor }) => {
    const [plain, years] = await Promise.all([
      row(PlainOptions, optionsOf(tx, actor)),
      rows(
        ClaimOptions.shape.years.element,
        tx`select * from claim_years(${actor.company_id}, ${actor.id})`,
      ),
    ])
    const { joined_on, today } = plain
    const first = years.at(-1)?.plan_year ?? today
    return { ...plain, years, earliest: first > joined_on ? first : joined_on }
  },

  check: async ({ tx, input }) => {
    const draft = draftOf(input)
    const facts = await readFacts(tx, draft, false)
    const problems = refusalsOf(draft, facts)
    const left = draft.category && facts.year ? facts.available_cents : null
    const whole = required.every((name) => name in draft)
    const looks_like = likeOwn(draft, facts)
    const found = { problems, left_cents: left, looks_like }
    if (!whole || problems.length) return { ...found, would: null, trace: [] }
    // The draw is made when a claim is made. The forecast assumes 99, which only a spot check of all claims picks.
    const { automatic, trace } = decide(draft as Draft, { ...facts, spot_check_draw: 99 })
    const would = automatic ? 'be_approved' : facts.steps.length > 1 ? 'more_reviews' : 'one_review'
    return { ...found, would, trace }
  },

  mine: async ({ tx, actor, input: { status, category, search, after, limit } }) => {
    const patterns = searchWords(search).map(patternOf)
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest_first, true, after)
    const found = await rows(
      ListedClaim,
      tx`select ${claimColumns(tx, actor)}, ${row_cursor} as row_cursor from claims c
        where c.company_id = ${actor.company_id} and c.person_id = ${actor.id}
          ${ofState(tx, status)}
          ${category ? tx`and c.category = ${category}` : tx``} ${after_cursor}
          ${patterns.length > 0 ? tx`and ${claimName(tx)} like all (${patterns})` : tx``}
        order by ${order_by} limit ${limit + 1}`,
    )
    const { page, next } = pageOf(found, limit)
    return { claims: page, next }
  },

  my_summary: ({ tx, actor }) =>
    row(
      ClaimCounts,
      tx`
        select count(*) as total, ${countsOf(tx)},
          coalesce(sum(amount_cents) filter (where appeal_of is null), 0)::bigint as claimed_cents,
          coalesce(sum(approved_cents) filter (where payment <> 'reversed'), 0)::bigint as approved_cents,
          coalesce(sum(amount_cents) filter (where status = 'pending'), 0)::bigint as pending_cents,
          ${actor.currency}::text as currency
        from claims where company_id = ${actor.company_id} and person_id = ${actor.id}`,
    ),

  find: ({ tx, actor, input: { id } }) => readClaimDetail(tx, actor, id),

  answer: async ({ tx, actor, input: { id, text, receipt_ids } }) => {
    await tx`select from answer_claim(${id}, ${text}, ${receipt_ids}::uuid[])`
    return readClaimDetail(tx, actor, id)
  },

  withdraw: async ({ tx, actor, input: { id } }) => {
    await tx`select from withdraw_claim(${id})`
    return readClaimDetail(tx, actor, id)
  },
}

export const claimsHandlers = (seal: SealVerdict): Handlers<typeof claims> => ({
  ...plainHandlers,

  submit: async ({ tx, actor, input }) => {
    const draft: Draft = { ...input, dependent_id: input.dependent_id ?? null }
    const facts = await readFacts(tx, draft, true)
    const [refusal] = refusalsOf(draft, facts)
    if (refusal) {
      const { code, field, sentence, facts: figures } = refusal
      throw new Problem(code, { fields: { [field]: [sentence] }, facts: figures })
    }
    const { receipt_ids, note, ...claimed } = draft
    const claim = {
      ...claimed,
      note: note || null,
      for_whom: facts.dependent?.full_name,
      plan_year: facts.year?.plan_year,
      policy_version: facts.policy.version,
    }
    const { trace, ...decided } = decide(draft, facts)
    const sealed = seal(
      {
        by: actor.id,
        within: facts.within,
        claim,
        receipts: `{${receipt_ids.join()}}`,
        decision: { ...decided, spot_check_draw: facts.spot_check_draw },
      },
      trace,
    )
    const made = await row(
      SubmittedClaim,
      tx`select * from submit_claim(${sealed.verdict}, ${sealed.trace}, ${sealed.seal})`,
    )
    return { ...made, is_appeal: false, currency: facts.currency }
  },

  appeal: async ({ tx, actor, input: { id, text, receipt_ids } }) => {
    const within = await refuseBeyondLimits(tx, id)
    const kept_to = { by: actor.id, within, claim: { appeals: id }, receipts: '{}', decision: {} }
    const { verdict, trace, seal: sealed } = seal(kept_to, [])
    const appealed = await row(
      Numbered,
      tx`select id from appeal_claim(${text}, ${receipt_ids}::uuid[], ${verdict}, ${trace}, ${sealed})`,
    )
    return readClaimDetail(tx, actor, appealed.id)
  },
})

/** An appealed amount keeps to the limits as they were when it was submitted. */
async function refuseBeyondLimits(tx: Tx, id: number): Promise<string> {
  const { found, within } = await row(
    Appealed,
    tx`select appeal_limits(${id}) as found, ${thisTransaction(tx)} as within`,
  )
  if (!found) return within
  const draft = { ...found.draft, receipt_ids: [] }
  const refusals = refusalsOf(draft, { ...found.facts, spot_check_draw: 0 })
  const refusal = refusals.find(({ code }) => limit_codes.has(code))
  if (refusal) throw new Problem(refusal.code, { fields: { text: [refusal.sentence] } })
  return within
}

/** The database compares a seal with the transaction's name, written like this. */
const thisTransaction = (tx: Tx) => tx`concat_ws(' ', pg_backend_pid(), extract(epoch from now()))`

/** A reversed approval is found as reversed, and not as approved. */
const ofState = (tx: Tx, state: ClaimState | undefined) =>
  state === undefined
    ? tx``
    : state === 'reversed'
      ? tx`and c.payment = 'reversed'`
      : tx`and c.status = ${state} and c.payment is distinct from 'reversed'`

/** The words by which people know a claim. */
const claimName = (tx: Tx) =>
  tx`without_accents(concat_ws(' ', c.provider, c.type_name, c.for_whom))`

const newest_first: KeysetOrder = [['c.id', 'bigint']]

const countsOf = (tx: Tx) => tx`
  count(*) filter (where status = 'pending') as pending,
  count(*) filter (where status = 'approved' and payment is distinct from 'reversed') as approved,
  count(*) filter (where payment = 'reversed') as reversed,
  count(*) filter (where status = 'rejected') as rejected,
  count(*) filter (where status = 'withdrawn') as withdrawn`

const draftOf = ({
  dependent_id,
  ...input
}: z.output<typeof claims.check.input>): Partial<Draft> => {
  const draft: Partial<Draft> = {}
  for (const [name, value] of Object.entries({ ...input, dependent_id: dependent_id ?? null })) {
    if (value !== undefined) Object.assign(draft, { [name]: value })
  }
  return draft
}

const likeOwn = ({ provider = '' }: Partial<Draft>, facts: RuleFacts): number[] => [
  ...new Set(duplicatesOf({ provider }, facts).flatMap(({ claim_id }) => claim_id ?? [])),
]

const required = Object.entries(ClaimDraft.shape).flatMap(([name, shape]) =>
  shape.safeParse(undefined).success ? [] : [name],
)

/** `within`: the transaction in which they were read. */
async function readFacts(
  tx: Tx,
  draft: Partial<Draft>,
  locks: boolean,
): Promise<RuleFacts & { within: string }> {
  const { receipt_ids = [], note: _, ...known } = draft
  const { facts, within } = await row(
    ReadInTransaction,
    tx`select claim_facts(${tx.json(known)}, ${receipt_ids}::uuid[], ${locks}) as facts,
      ${thisTransaction(tx)} as within`,
  )
  const { earlier_draw, ...read } = facts
  return { ...read, within, spot_check_draw: earlier_draw ?? randomInt(100) }
}

const optionsOf = (tx: Tx, { id, company_id }: Actor) => tx`
  select o.currency, company_today(o.id) as today, f.joined_on, p.receipt_above_cents,
    p.auto_approve_cents,
    (select coalesce(json_agg(json_build_object('id', t.id, 'category', t.category, 'name', t.name)
        order by t.category, lower(t.name)), '[]')
      from claim_types t where t.company_id = o.id and t.active) as types,
    (select coalesce(json_agg(json_build_object('id', d.id, 'full_name', d.full_name,
        'relationship', d.relationship, 'covered_from', v.covered_from,
        'covered_to', v.covered_to) order by d.full_name, d.id), '[]')
      from covered_days(o.id, f.id) v
        join dependents d on d.company_id = o.id and d.id = v.dependent_id) as dependents,
    my_limits() as limits
  from companies o
  join profiles f on f.id = ${id}
  cross join my_claim_terms() p
  where o.id = ${company_id}`
