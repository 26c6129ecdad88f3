// Whether the receipts of a claim agree with it. If one disagrees with the claim or with another receipt, a person decides.
import type { BlackedRead } from '#receipts/marks.contract.ts'
import { amountsIn, jointBill, stillBeingRead } from './rule-facts.ts'
import type { Draft, Inputs, RuleFacts } from './rule-facts.ts'
import { sameProvider } from './provider.ts'

type ReadReceipt = RuleFacts['receipts'][number]
type Claimed = Pick<Draft, 'bill_cents' | 'service_on' | 'provider'>
type Receipts = Pick<RuleFacts, 'receipts' | 'currency'>

export function receiptMatch(draft: Claimed, facts: Receipts): { fine: boolean; facts: Inputs } {
  const together = matchTogether(draft, facts)
  if (together) return together
  const { receipts } = facts
  const agreeing = receipts.find((one) => matchOf(one, draft, facts) === 'agrees')
  const being_read = receipts.find(stillBeingRead)
  if (!agreeing || being_read) {
    const compared = being_read ?? receipts[0]
    const found = compared ? matchOf(compared, draft, facts) : 'none'
    return { fine: false, facts: { found, ...comparedFacts(compared, draft) } }
  }
  const other = receipts.find((one) => differenceOf(one, draft, facts))
  if (!other) {
    const found = receipts.length > 1 ? 'one_agrees' : 'agrees'
    return { fine: true, facts: { found, ...comparedFacts(agreeing, draft) } }
  }
  const found = 'another_differs'
  const how = differenceOf(other, draft, facts) ?? null
  return { fine: false, facts: { found, how, ...comparedFacts(other, draft) } }
}

/** Blacked out values are compared, and never shown. */
const shown = (read: ReadReceipt | undefined, what: BlackedRead) =>
  !read?.blacked_reads.includes(what)

const comparedFacts = (read: ReadReceipt | undefined, { bill_cents, service_on }: Claimed) => ({
  read_amount_cents: shown(read, 'amount') ? (read?.read_amount_cents ?? null) : null,
  read_on: shown(read, 'on') ? (read?.read_on ?? null) : null,
  bill_cents,
  service_on,
})

/** Several receipts that make up the bill together: each must name the same day and provider, or one of them differs. */
function matchTogether(draft: Claimed, facts: Receipts) {
  const { bill_cents, service_on } = draft
  if (jointBill(amountsIn(facts.receipts, facts.currency)) !== bill_cents) return undefined
  const matches = facts.receipts.map((one) => {
    const its_own = { ...draft, bill_cents: one.read_amount_cents ?? 0 }
    return { one, its_own, match: matchOf(one, its_own, facts) }
  })
  const other = matches.find(({ match }) => match !== 'agrees')
  if (!other) return { fine: true, facts: { found: 'agree_together', bill_cents, service_on } }
  const { one, its_own, match } = other
  if (match === 'unreadable')
    return { fine: false, facts: { found: 'one_day_unread', bill_cents, service_on } }
  const on_the_day = { ...its_own, service_on: one.read_on ?? service_on }
  return {
    fine: false,
    facts: {
      found: 'one_differs',
      other_day: match === 'other_day',
      other_provider: matchOf(one, on_the_day, facts) === 'other_provider',
      ...comparedFacts(one, draft),
    },
  }
}

/** The match of a receipt with a claim: the first doubt about it. */
function matchOf(read: ReadReceipt, draft: Claimed, facts: Receipts) {
  if (stillBeingRead(read)) return 'being_read'
  if (read.read_state !== 'read' || read.read_amount_cents === null || read.read_on === null)
    return 'unreadable'
  return differenceOf(read, draft, facts) ?? 'agrees'
}

/** The first difference of a receipt from the claim; a value that could not be read is none. */
function differenceOf(
  read: ReadReceipt,
  { bill_cents, service_on, provider }: Claimed,
  { currency }: Receipts,
) {
  if ((read.read_currency ?? currency) !== currency) return 'other_currency'
  if ((read.read_amount_cents ?? bill_cents) !== bill_cents) return 'other_amount'
  if ((read.read_on ?? service_on) !== service_on) return 'other_day'
  const same = read.same_provider ?? sameProvider(read.read_provider ?? provider, provider)
  return same ? undefined : 'other_provider'
}
