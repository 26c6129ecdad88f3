import { z } from 'zod'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from './ProvenForm.tsx'

const Nothing = z.object({})

/** Asks for the password once more before a second step is set up, as the session may have been open for a while. */
export function ConfirmYou({ onDone }: { onDone: () => unknown }) {
  return (
    <ProvenForm name="confirm-you" shape={Nothing} onSubmit={onDone}>
      <WhoYouAre />
      <FormButtons waiting="Checking...">Continue</FormButtons>
    </ProvenForm>
  )
}

export function WhoYouAre() {
  return (
    <>
      <p className="text-sm text-soft">
        It decides who can sign in to your account, so you confirm once more that it is you.
      </p>
      <OwnPassword />
    </>
  )
}
