import { z } from 'zod'
import { SubmitButton } from '#ui/Form.tsx'
import { hasNoPassword, useAuth } from './context.ts'
import { OwnPassword, ProvenForm } from './ProvenForm.tsx'

const Nothing = z.object({})

/** Before a second step is set up in a session that has been open for a while. */
export function ConfirmYou({ onDone }: { onDone: () => unknown }) {
  const has_none = hasNoPassword(useAuth().user)
  return (
    <ProvenForm name="confirm-you" shape={Nothing} onSubmit={onDone}>
      <p className="text-sm text-soft">
        It decides who can sign in to your account, so you confirm once more that it is you.
      </p>
      <OwnPassword />
      {/* By their provider they come back to the page afresh: there is nothing to continue here. */}
      {!has_none && (
        <div className="flex justify-end">
          <SubmitButton waiting="Checking...">Continue</SubmitButton>
        </div>
      )}
    </ProvenForm>
  )
}
