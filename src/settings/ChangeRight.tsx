import { z } from 'zod'
import { confirmPassword } from '#api.ts'
import type { GivenRight } from '#users/giving.contract.ts'
import { rights_api } from '#rights-api.ts'
import { right_words } from '#users/rights.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'

export type Change = { does: 'confirm' | 'end'; right: GivenRight; name: string }

const words = {
  confirm: ['Confirm', 'It counts at once, and they are told.'],
  end: ['End', 'They can’t do it from this moment on, and are told. What else is theirs stays.'],
} as const

/** An owner's yes to another's right, or its end; with their password. */
export function ChangeRight({ does, right, name, onClose }: Change & { onClose: () => void }) {
  const [verb, description] = words[does]
  const [title] = right_words[right.kind]
  const change = useWrite(
    does === 'confirm' ? rights_api.confirm : rights_api.end,
    does === 'confirm' ? 'Right confirmed' : 'Right ended',
  )
  return (
    <Dialog open onClose={onClose} title={`${verb} ${title} of ${name}?`} description={description}>
      <Form
        name={`${does}-right-${right.id}`}
        shape={z.object(own_password)}
        onSubmit={async ({ password }) => {
          await confirmPassword(password)
          await change.submit({ id: right.id })
          onClose()
        }}
      >
        <OwnPassword />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton waiting="Saving...">{verb}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
