import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { paths, pathTo } from '#paths.ts'
import { problems } from '#problems.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { today } from '#ui/calendar-days.ts'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import type { ClaimDetail } from './claims.contract.ts'
import { againText, isInPart, restText, waitsForText } from './labels.ts'
import { paidWhen, usePaysFrom, type PaysFrom } from './PaidWhen.tsx'
import { afterReversal } from './reversed.ts'
import { paidText } from './sent-words.contract.ts'
import { underEarlierPolicy } from '#claims/rules/DecisionTrace.tsx'
import { localisedStep } from '#claims/form/localised.ts'
import { ReceiptsField } from '#claims/form/ReceiptsField.tsx'
import { Answer, answer_days, reasonNames, type ClaimStatus } from './words.contract.ts'
import { idsIn } from '#claims/form/claim-form.ts'

/** The claim's state in one sentence, with what the employee can do about it. */
export function MyClaimNow({ claim }: { claim: ClaimDetail }) {
  const pays_from_on = usePaysFrom(claim)
  if (claim.refusals.answer === null) return <Question claim={claim} />
  if (claim.payment === 'reversed') return <Reversed claim={claim} />
  const { tone, title, text } = states[claim.status](claim, pays_from_on)
  return (
    <Callout tone={tone} title={title}>
      {text}
    </Callout>
  )
}

type StateText = { tone: 'notice' | 'good' | 'accent' | 'bad'; title: string; text: ReactNode }

function Reversed({ claim }: { claim: ClaimDetail }) {
  const overpayment = useRead(lazy_api.payouts.my_overpayment, claim.paid_on ? {} : undefined, {
    quiet: true,
  })
  const why = claim.events.findLast(({ event }) => event === 'reversed')?.text
  return (
    <Callout tone="accent" title="HR reversed the approval">
      {why && <p>{why}</p>}
      <p className={why ? 'mt-1' : ''}>{afterReversal(claim, overpayment)}</p>
    </Callout>
  )
}

const states: Record<ClaimStatus, (claim: ClaimDetail, pays_from_on: PaysFrom) => StateText> = {
  pending: (claim) => ({
    tone: 'notice',
    title: `Waiting for ${claim.waits_for ? waitsForText(claim.waits_for, true) : 'HR'}`,
    text: claim.is_appeal
      ? 'A different reviewer decides on your appeal if one is available; otherwise the one who decided before looks at it again.'
      : (whyAPerson(claim) ?? 'We’ll notify you as soon as something happens.'),
  }),
  approved: (claim, pays_from_on) => ({
    tone: 'good',
    title: approvedSentence(claim),
    text: (
      <>
        {isInPart(claim) && <LessBecause claim={claim} />}
        {paymentSentence(claim, pays_from_on)}
        {isInPart(claim) && <p className="mt-1">{restSentence(claim)}</p>}
      </>
    ),
  }),
  rejected: (claim) => ({
    tone: 'accent',
    title: claim.rejection ? `Rejected: ${reasonNames[claim.rejection.reason]}` : 'Rejected',
    text: (
      <>
        <p className="whitespace-pre-line">{claim.rejection?.text ?? 'Nothing was approved.'}</p>
        <p className="mt-1">{appealSentence(claim)}</p>
      </>
    ),
  }),
  withdrawn: ({ refusals }) => ({
    tone: 'notice',
    title: 'Withdrawn',
    text: againText(refusals, 'The money is back in your fund. You can claim it again.'),
  }),
}

function whyAPerson(claim: ClaimDetail) {
  const why = claim.trace.find(({ outcome }) => outcome === 'human')
  const policy = underEarlierPolicy(claim)
  return why && (policy ? `${policy}: ` : '') + localisedStep(why, claim.currency).sentence
}

function approvedSentence(claim: ClaimDetail): string {
  const claimed = money(claim.amount_cents, claim.currency)
  const approved = money(claim.approved_cents ?? claim.amount_cents, claim.currency)
  return `${approved} of ${claimed} approved`
}

/** The reviewer's own words, as they wrote them. */
function LessBecause({ claim: { events } }: { claim: ClaimDetail }) {
  const because = events.findLast(({ event, text }) => event.startsWith('approved') && text)?.text
  return because && <p className="mb-1 whitespace-pre-line">{`HR: “${because}”`}</p>
}

/** The unapproved rest of a claim: where its money is, and what its person can still do. */
function restSentence(claim: ClaimDetail): ReactNode {
  const { appealed_as } = claim
  if (appealed_as === null) return `${restText(claim)} ${appealSentence(claim)}`
  const rest = money(claim.amount_cents - (claim.approved_cents ?? 0), claim.currency)
  return (
    <>
      {`You appealed for the other ${rest}: it is `}
      <Link
        to={pathTo(paths.my_claim, appealed_as)}
        className="rounded underline underline-offset-2"
      >
        claim #{appealed_as}
      </Link>
      .
    </>
  )
}

const appealSentence = ({ refusals: { appeal }, appeal_ends_on }: ClaimDetail) =>
  appeal
    ? `${problems[appeal][1]}.`
    : `If you disagree, you can appeal once${appeal_ends_on ? `, until ${dateText(appeal_ends_on)}` : ''}.`

function paymentSentence(claim: ClaimDetail, pays_from_on: PaysFrom): string {
  const { payment, paid_on, automatic } = claim
  const how = automatic ? 'Approved automatically. ' : ''
  switch (payment) {
    case 'paid':
      return `${how}${paidText(paid_on, today())}.`
    case 'in_run':
      return `${how}It is in a payout that is being prepared.`
    case 'returned':
      return pays_from_on
        ? `${how}The payment came back. ${paidWhen(pays_from_on)}`
        : `${how}The payment came back. Please check your bank account in My Claims.`
    default:
      return `${how}${paidWhen(pays_from_on)}`
  }
}

const AnswerForm = z.object({
  text: Answer,
  receipt_ids: z.string().optional().transform(idsIn),
})

function Question({ claim }: { claim: ClaimDetail }) {
  const answer = useWrite(api.claims.answer, 'Your answer is with HR')
  return (
    <Card title="HR has a question" className="border-accent/60!">
      <p className="mb-5 rounded-card bg-accent-wash px-4 py-3 text-sm wrap-anywhere whitespace-pre-line">
        {claim.question}
      </p>
      <Form
        name={`answer:${claim.id}`}
        shape={AnswerForm}
        defaults={{ receipt_ids: '' }}
        onSubmit={(values) => answer.submit({ id: claim.id, ...values })}
      >
        <TextAreaField name="text" label="Your answer" required rows={3} />
        <ReceiptsField name="receipt_ids" label="Receipts to add, if any" />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-ui text-faint">
            If you don’t answer, the claim is withdrawn after {answer_days} days.
          </p>
          <SubmitButton waiting="Sending...">Send answer</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
