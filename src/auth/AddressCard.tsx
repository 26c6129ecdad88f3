import { useEffect, useState } from 'react'
import { z } from 'zod'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Failure } from '#ui/failure.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const Address = z.object({
  email: z.string().trim().toLowerCase().max(255).pipe(z.email('Invalid email address')),
})

const sentences: Record<string, string> = {
  insufficient_aal: 'Please confirm your second step first: sign out and in again',
  over_email_send_rate_limit: 'An email was sent just now. Please wait a minute',
}

async function changeAddress(email: string) {
  const { error } = await auth.updateUser({ email })
  if (!error) return
  const unexpected = 'The address could not be changed. Please try again'
  throw new Failure(sentences[error.code ?? ''] ?? messageOf(error, unexpected))
}

/** The address for signing in. The old one and the new one have to agree before it changes. */
export function AddressCard() {
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let gone = false
    const refresh = async () => {
      const { data } = await auth.getUser()
      if (!gone) setUnconfirmed(data.user?.new_email)
    }
    void refresh()
    return () => {
      gone = true
    }
  }, [])
  return (
    <Card
      title="Email address"
      description="You sign in with this address, and our emails go to it."
      actions={
        <Button size="small" onClick={() => setOpen(true)}>
          Change
        </Button>
      }
    >
      {unconfirmed ? (
        <Callout title={`${unconfirmed} is not confirmed yet`}>
          Open the links that we emailed to your old and to your new address. Until both are
          confirmed, you sign in with the old one.
        </Callout>
      ) : (
        <p className="text-sm text-soft">
          A change has to be confirmed from your old and from your new address.
        </p>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Change your email address"
        description="We email a link to your old and to your new address. The change takes effect once both were opened."
      >
        <Form
          name="address"
          shape={Address}
          onSubmit={async ({ email }) => {
            await changeAddress(email)
            setUnconfirmed(email)
            setOpen(false)
          }}
        >
          <TextField name="email" label="New address" type="email" autoComplete="email" required />
          <FormButtons waiting="Sending...">Send links</FormButtons>
        </Form>
      </Dialog>
    </Card>
  )
}
