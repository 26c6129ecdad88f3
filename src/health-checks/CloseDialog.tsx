import { counted } from '#ui/figures.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ClosingReason } from './setting-up.contract.ts'

type Props = {
  name: string
  title: string
  /** How many lose what they booked. */
  booked: number
  open: boolean
  onClose: () => void
  onConfirm: (reason: string | undefined) => Promise<unknown>
}

/** Asks before people lose their bookings: how many they are, and a reason that they will read. */
export function CloseDialog({ name, title, booked, open, onClose, onConfirm }: Props) {
  const who =
    booked === 0
      ? 'Nobody has booked.'
      : `${counted(booked, 'person has', 'people have')} booked: they are notified, and what they booked is ` +
        'cancelled permanently.'
  return (
    <Dialog open={open} onClose={onClose} title={title} description={who}>
      <Form
        name={`close-${name}`}
        shape={ClosingReason}
        onSubmit={async ({ reason }) => {
          await onConfirm(reason)
          onClose()
        }}
      >
        <TextField
          name="reason"
          label="Reason"
          hint="Optional. Shown on the bookings."
          autoComplete="off"
        />
        <FormButtons waiting="Closing...">Close</FormButtons>
      </Form>
    </Dialog>
  )
}
