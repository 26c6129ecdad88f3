import { Lock } from 'lucide-react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { useActor } from '#ui/actor.ts'
import { useWrite } from '#ui/ask.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { Purpose, type ReviewedClaim } from './review.contract.ts'

const Reason = z.object({ purpose: Purpose })

/** The number of receipts that this reviewer can't open, and the way to open them with the right to receipts. */
export function RestrictedReceipts({ claim }: { claim: ReviewedClaim }) {
  const { rights } = useActor()
  const count = claim.restricted_receipts
  return (
    <section
      aria-label="Restricted receipts"
      className="flex flex-col gap-4 rounded-card bg-sunken p-4 text-sm"
    >
      <p className="flex items-start gap-2.5">
        <Lock className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />
        <span>
          <span className="block font-medium">
            {count === 1 ? 'The receipt is restricted' : `The ${count} receipts are restricted`}
          </span>
          {claim.status === 'pending' && (
            <span className="text-soft">Decide by the policy checks, or ask the employee.</span>
          )}
        </span>
      </p>
      {rights.includes('receipts') && <Open claim={claim} />}
    </section>
  )
}

function Open({ claim: { id, person_name, restricted_receipts } }: { claim: ReviewedClaim }) {
  const open = useWrite(api.review.open_receipts)
  return (
    <Form
      name={`open-receipts-${id}`}
      shape={Reason}
      defaults={{ purpose: '' }}
      onSubmit={({ purpose }) => open.submit({ id, purpose })}
    >
      <TextField
        name="purpose"
        label="Why do you need to see it?"
        autoComplete="off"
        hint={`${person_name} is notified that you opened it, and can read this. It closes after 30 minutes.`}
        required
      />
      <FormButtons waiting="Opening...">
        {restricted_receipts === 1 ? 'Open receipt' : 'Open receipts'}
      </FormButtons>
    </Form>
  )
}
