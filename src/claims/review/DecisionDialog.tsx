import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { decimal } from '#lib/money.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { amountText } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { Form } from '#ui/Form.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import type { Decidable, DecisionKind } from './DecisionFields.tsx'
import {
  Buttons,
  QuestionText,
  Rejection,
  RejectionFields,
  Text,
  type OneProps,
} from './DecisionFields.tsx'
import { alikeText, otherClaimText } from './duplicates.ts'
import { loweredSentence, partCeiling, stepCeiling } from './ceiling.ts'
import { PartByLine } from './PartByLine.tsx'
import { reversalSentence } from './reversal.ts'
import { useDecision } from './undoing.ts'
import { approvedSentence } from './assigned-to.ts'
import { answer_days, Sentence } from '#claims/words.contract.ts'

type Props = OneProps & { what: DecisionKind }

export function DecisionDialog({ what, ...props }: Props) {
  const Chosen = dialogs[what]
  return <Chosen {...props} />
}

function Doubt({ claim, decide, onClose }: OneProps) {
  const approve = useWrite(api.review.approve, approvedSentence)
  const { id, version } = claim
  const found = useRead(api.review.find, { id })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Approve claim #${id} anyway?`}
      description="It was marked as looking like another claim."
      does="Approve anyway"
      act={() => decide.send(claim, () => approve.submit({ id, version }))}
    >
      {found ? (
        <ul className="flex flex-col gap-1 text-sm">
          {found.duplicates.length === 0 && <li>No other claim looks like it any more.</li>}
          {found.duplicates.map((one, at) => (
            <li key={`${one.kind} ${at}`}>
              {`${alikeText(one, found)} on ${otherClaimText(one, found.currency)}`}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton className="h-5 w-72" />
      )}
    </ConfirmDialog>
  )
}

function Part({ claim, decide, onClose }: OneProps) {
  const approve = useDecision(api.review.approve, approvedSentence)
  const { id, version, currency, amount_cents, read_cents } = claim
  const [{ most, why }] = useState(() => partCeiling(claim))
  const lowered = loweredSentence(claim)
  const before = lowered
    ? `${lowered}, no more can be approved`
    : `${claim.person_name} claimed ${money(amount_cents, currency)}`
  const allowed = stepCeiling(claim) ? `${why}. ` : ''
  const [shape] = useState(() =>
    z.object({
      amount_cents: amountText(currency).pipe(PositiveCents.max(most, why)),
      text: Sentence,
    }),
  )
  const proposed = read_cents && read_cents <= most ? decimal(read_cents, currency) : ''
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Approve part of claim #${id}`}
      description={`${before}. ${allowed}The rest goes back to their fund.`}
    >
      <Form
        name={`part:${id}`}
        shape={shape}
        defaults={{ amount_cents: proposed }}
        onSubmit={async (values) => {
          await decide.send(claim, () => approve.submit({ id, version, ...values }))
          onClose()
        }}
      >
        <AmountField name="amount_cents" label="Approve" currency={currency} required />
        <TextAreaField
          name="text"
          label="Reason"
          required
          rows={3}
          hint={`${claim.person_name} will see this.`}
        />
        <Buttons onClose={onClose} does="Approve part" />
      </Form>
    </Dialog>
  )
}

function Reject({ claim, decide, onClose }: OneProps) {
  const reject = useDecision(api.review.reject, ({ id }) => `Claim #${id} rejected`)
  const { id, version } = claim
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reject claim #${id}`}
      description={`${claim.person_name} will see the reason and can appeal once.`}
    >
      <Form
        name={`reject:${id}`}
        shape={Rejection}
        onSubmit={async (values) => {
          await decide.send(claim, () => reject.submit({ id, version, ...values }))
          onClose()
        }}
      >
        <RejectionFields label={`Message to ${claim.person_name}`} />
        <Buttons onClose={onClose} does="Reject" danger />
      </Form>
    </Dialog>
  )
}

function Ask({ claim, decide, onClose }: OneProps) {
  const ask = useDecision(
    api.review.ask,
    ({ id }) => `${claim.person_name} was asked about claim #${id}`,
  )
  const { id, version } = claim
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Ask about claim #${id}`}
      description={askedSentence(claim)}
    >
      <Form
        name={`ask:${id}`}
        shape={QuestionText}
        onSubmit={async ({ text }) => {
          await decide.send(claim, () => ask.submit({ id, version, text }))
          onClose()
        }}
      >
        <TextAreaField
          name="text"
          label={`Your question to ${claim.person_name}`}
          required
          rows={4}
        />
        <Buttons onClose={onClose} does="Ask" />
      </Form>
    </Dialog>
  )
}

/** A claim is not withdrawn while its person is suspended and can't answer. */
const askedSentence = ({ person_name, suspended }: Decidable) =>
  suspended
    ? `${person_name} is suspended and can’t answer until re-activated. ` +
      'Until then the claim stays open and its deadline is paused.'
    : `The deadline is paused. After ${answer_days} days without an answer the claim is withdrawn.`

function WithdrawQuestion({ claim, decide, onClose }: OneProps) {
  const withdraw_question = useWrite(
    api.review.withdraw_question,
    ({ id }) => `Question about claim #${id} withdrawn`,
  )
  const { id, version } = claim
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Withdraw the question about claim #${id}?`}
      description={`${claim.person_name} no longer has to answer, and you can decide now.`}
      does="Withdraw question"
      act={() => decide.send(claim, () => withdraw_question.submit({ id, version }))}
    />
  )
}

function Reverse({ claim, decide, onClose }: OneProps) {
  const reverse = useWrite(api.review.reverse, ({ id }) => `Approval of claim #${id} reversed`)
  const { id, version } = claim
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reverse the approval of claim #${id}?`}
      description={reversalSentence(claim)}
    >
      <Form
        name={`reverse:${id}`}
        shape={Text}
        onSubmit={async ({ text }) => {
          await decide.send(claim, () => reverse.submit({ id, version, text }), true)
          onClose()
        }}
      >
        <TextAreaField
          name="text"
          label="Reason"
          required
          rows={3}
          hint={`${claim.person_name} will see this.`}
        />
        <Buttons onClose={onClose} does="Reverse approval" danger />
      </Form>
    </Dialog>
  )
}

const dialogs = {
  doubt: Doubt,
  part: (props: OneProps) =>
    props.claim.lines?.length ? <PartByLine {...props} /> : <Part {...props} />,
  reject: Reject,
  ask: Ask,
  withdraw_question: WithdrawQuestion,
  reverse: Reverse,
}
