import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '#ui/Button.tsx'
import { CancelButton, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import { reasonTemplates } from '#claims/labels.ts'
import { Question, ReasonCode, reasonNames, Sentence } from '#claims/words.contract.ts'
import type { Claim, DecidedLine } from '#claims/claims.contract.ts'
import type { ReviewedClaim } from './review.contract.ts'

/** The fields of a claim that a decision needs, in the queue or opened. */
export type Decidable = Pick<
  Claim,
  | 'id'
  | 'version'
  | 'amount_cents'
  | 'approved_cents'
  | 'bill_cents'
  | 'currency'
  | 'payment'
  | 'paid_on'
> & {
  person_name: string
  suspended?: boolean
  suspicion?: number
  read_cents?: number | null
  passed_cents: number | null
  approvals?: ReviewedClaim['approvals']
  step_most_cents?: number | null
  appeal_of?: number | null
  lines?: readonly DecidedLine[]
}

export type DecisionKind = 'part' | 'reject' | 'ask' | 'withdraw_question' | 'reverse' | 'doubt'

export type Decide = {
  /** Approves at once; asks first if the claim looks like another one. */
  approve: (claim: Decidable) => void
  ask: (what: DecisionKind, claim: Decidable) => void
  /** Sends a decision. Its failure says what happened, so that the dialog keeps what was typed. */
  send: (claim: Decidable, act: () => Promise<unknown>, stays?: boolean) => Promise<void>
  /** Whether this window decided it: then no notice says that it was decided. */
  decidedHere: (id: number) => boolean
  /** Whether a decision on it was sent and is not answered yet. */
  isSending: (id: number) => boolean
}

export type OneProps = { claim: Decidable; decide: Decide; onClose: () => void }

export const Text = z.object({ text: Sentence })

export const QuestionText = z.object({ text: Question })

export const Rejection = Text.extend({
  reason: z.enum(ReasonCode.options, 'Choose a reason'),
})

export const RejectionFields = ({ label }: { label: string }) => (
  <>
    <SelectField
      name="reason"
      label="Reason"
      required
      placeholder="Choose a reason"
      options={reasonNames}
    />
    <Template />
    <TextAreaField name="text" label={label} required rows={3} />
  </>
)

/** Fills in a template as long as the reviewer has written nothing of their own. */
function Template() {
  const form = useFormContext()
  const reason = form.watch('reason') as ReasonCode | undefined
  useEffect(() => {
    const text = (form.getValues('text') ?? '') as string
    const own = text !== '' && !Object.values(reasonTemplates).includes(text)
    const template = reason && reasonTemplates[reason]
    // A value that is already there is left: setting it again would draw the form again, endlessly.
    if (!template || own || text === template) return
    form.setValue('text', template, { shouldValidate: form.formState.isSubmitted })
  }, [reason, form])
  return null
}

type ButtonsProps = { onClose: () => void; does: string; danger?: boolean }

export function Buttons({ onClose, does, danger }: ButtonsProps) {
  const { isSubmitting } = useFormContext().formState
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <CancelButton onClick={onClose} />
      {danger ? (
        <Button type="submit" variant="danger" loading={isSubmitting}>
          {does}
        </Button>
      ) : (
        <SubmitButton>{does}</SubmitButton>
      )}
    </div>
  )
}
