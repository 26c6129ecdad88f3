import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { decimal, parseAmount } from '#lib/money.ts'
import { neededAmount } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { Form } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { DecidedLine } from '#claims/claims.contract.ts'
import { approvedSentence } from './assigned-to.ts'
import { Sentence } from '#claims/words.contract.ts'
import { stepCeiling, type Ceiling } from './ceiling.ts'
import { Buttons, type OneProps } from './DecisionFields.tsx'
import { useDecision } from './undoing.ts'

type Lines = readonly DecidedLine[]

/** The amount of the line that the previous approval left. */
const leftOf = ({ approved_cents, amount_cents }: DecidedLine) => approved_cents ?? amount_cents

/** Two fields for each line, `amount_0` and `reason_0`: flat names, so that the draft keeps them. */
const shapeOf = (lines: Lines, currency: string, step: Ceiling | undefined) =>
  z
    .object(
      Object.fromEntries(
        lines.flatMap((line, at) => {
          const most = z.int().max(leftOf(line), `At most ${money(leftOf(line), currency)}`)
          return [
            [`amount_${at}`, neededAmount(currency).pipe(most)],
            [`reason_${at}`, z.string().optional()],
          ]
        }),
      ),
    )
    .superRefine((typed, context) => {
      const lowered = lines.flatMap((line, at) =>
        typed[`amount_${at}`] === leftOf(line) ? [] : [at],
      )
      const total = lines.reduce((sum, _, at) => sum + Number(typed[`amount_${at}`]), 0)
      const fault =
        step && total > step.most
          ? `${step.why}, all lines together`
          : lowered.length === 0 &&
            'Lower a line. To approve all of it, close this and press Approve'
      if (fault) context.addIssue({ code: 'custom', path: ['amount_0'], message: fault })
      // Only lowered lines need a reason; one typed under a line that is whole again does not count.
      for (const at of lowered) {
        const name = `reason_${at}`
        const { error } = Sentence.safeParse(typed[name] ?? '')
        const message = typed[name] ? error?.issues[0]?.message : 'Say why it is less'
        if (error && message) context.addIssue({ code: 'custom', path: [name], message })
      }
    })

/** A decision on each line: how much is approved of it, and why less. */
export function PartByLine({ claim, decide, onClose }: OneProps) {
  const approve = useDecision(api.review.approve, approvedSentence)
  const { id, version, currency, lines = [] } = claim
  const [step] = useState(() => stepCeiling(claim))
  const [shape] = useState(() => shapeOf(lines, currency, step))
  const together = step ? `${step.why}, all lines together. ` : ''
  const decided = (typed: Record<string, unknown>) =>
    lines.map((line, at) => {
      const approved_cents = Number(typed[`amount_${at}`])
      const reason = typed[`reason_${at}`]
      return approved_cents < leftOf(line)
        ? { approved_cents, reason: String(reason) }
        : { approved_cents }
    })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Approve part of claim #${id}`}
      description={`${together}Enter 0 for a line that is not approved. ${claim.person_name} will see each reason.`}
    >
      <Form
        name={`part:${id}`}
        shape={shape}
        defaults={Object.fromEntries(
          lines.map((line, at) => [`amount_${at}`, decimal(leftOf(line), currency)]),
        )}
        onSubmit={async (typed) => {
          await decide.send(claim, () => approve.submit({ id, version, lines: decided(typed) }))
          onClose()
        }}
      >
        <ol className="flex flex-col gap-5">
          {lines.map((line, at) => (
            <LineFields key={`line ${at + 1}`} at={at} line={line} currency={currency} />
          ))}
        </ol>
        <Total lines={lines} currency={currency} />
        <Buttons onClose={onClose} does="Approve these amounts" />
      </Form>
    </Dialog>
  )
}

/** A line before this decision: the previous approval may have lowered it. */
function earlierText(
  { amount_cents, approved_cents, reason }: DecidedLine,
  currency: string,
): string {
  const claimed = `${money(amount_cents, currency)} claimed`
  if (approved_cents === null || approved_cents === amount_cents) return claimed
  return `${claimed}, ${money(approved_cents, currency)} approved before${reason ? `: ${reason}` : ''}`
}

type FieldsProps = { at: number; line: DecidedLine; currency: string }

function LineFields({ at, line, currency }: FieldsProps) {
  const typed = useFormContext().watch(`amount_${at}`) as string
  const lowered = centsOf(typed, currency) < leftOf(line)
  return (
    <li className="flex flex-col gap-3">
      <AmountField
        name={`amount_${at}`}
        label={line.what}
        currency={currency}
        hint={earlierText(line, currency)}
        required
      />
      {lowered && <TextField name={`reason_${at}`} label="Reason" shape={Sentence} required />}
    </li>
  )
}

function Total({ lines, currency }: { lines: Lines; currency: string }) {
  const form = useFormContext()
  const total = lines
    .map((_, at) => centsOf(form.watch(`amount_${at}`) as string, currency))
    .reduce((sum, cents) => sum + cents, 0)
  return (
    <p className="flex justify-between gap-4 border-t border-line pt-3 text-sm font-medium">
      <span>Approved together</span>
      <span className="figures">{money(total, currency)}</span>
    </p>
  )
}

const centsOf = (typed: string, currency: string) => {
  const read = parseAmount(typed, currency)
  return 'cents' in read ? read.cents : 0
}
