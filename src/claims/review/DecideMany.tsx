import { useState } from 'react'
import type { z } from 'zod'
import { answer_days } from '#claims/words.contract.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form } from '#ui/Form.tsx'
import { counted } from '#ui/figures.ts'
import { TextAreaField } from '#ui/TextField.tsx'
import { QuestionText, Buttons, Rejection, RejectionFields } from './DecisionFields.tsx'

type ClaimVersions = { id: number; version: number }[]
type Props<Input> = {
  claims: ClaimVersions
  send: (input: Input & { claims: ClaimVersions }) => Promise<unknown>
  onClose: () => void
}

/** The selected claims, and how many of them somebody else decided while the dialog was open. */
function Which({ claims }: { claims: ClaimVersions }) {
  const [opened] = useState(claims.length)
  const gone = opened - claims.length
  return (
    <p className="text-sm text-soft wrap-anywhere">
      {claims.map(({ id }) => `#${id}`).join(', ')}
      {gone > 0 &&
        `. ${counted(gone, 'claim was', 'claims were')} decided in the meantime and left out`}
    </p>
  )
}

export const RejectMany = ({ claims, send, onClose }: Props<z.output<typeof Rejection>>) => (
  <Dialog
    open
    onClose={onClose}
    title={`Reject ${counted(claims.length, 'claim')}`}
    description="Each employee will see the reason and can appeal once."
  >
    <Form name="reject:many" shape={Rejection} onSubmit={(values) => send({ ...values, claims })}>
      <Which claims={claims} />
      <RejectionFields label="Message to each of them" />
      <Buttons onClose={onClose} does={`Reject ${counted(claims.length, 'claim')}`} danger />
    </Form>
  </Dialog>
)

export const AskMany = ({ claims, send, onClose }: Props<z.output<typeof QuestionText>>) => (
  <Dialog
    open
    onClose={onClose}
    title={`Ask about ${counted(claims.length, 'claim')}`}
    description={`The deadlines are paused. After ${answer_days} days without an answer a claim is withdrawn.`}
  >
    <Form name="ask:many" shape={QuestionText} onSubmit={(values) => send({ ...values, claims })}>
      <Which claims={claims} />
      <TextAreaField name="text" label="Your question to each of them" required rows={4} />
      <Buttons onClose={onClose} does="Ask" />
    </Form>
  </Dialog>
)
