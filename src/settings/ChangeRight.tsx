import { z } from 'zod'
import { api, confirmPassword } from '#api/api.ts'
import { isWhole } from '#claims/policies/gaps.contract.ts'
import { rights_api } from '#api/rights-api.ts'
import { right_words, type CompanyRight } from '#users/rights.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { GapsNote } from './GapsNote.tsx'

export type RightChange = {
  does: 'confirm' | 'end'
  right: { id: string; kind: CompanyRight }
  person_id: string
  name: string
}

const words = {
  confirm: ['Confirm', 'It takes effect at once, and they are notified.'],
  end: ['End', 'They can’t do it from this moment on, and are notified. Their other rights stay.'],
} as const

/** An owner's yes to another's right, or its end; with their password. */
export function ChangeRight({ does, right, person_id, name, onClose }: RightChange & Closing) {
  const [verb, description] = words[does]
  const [title] = right_words[right.kind]
  const confirm = useWrite(rights_api.confirm, 'Right confirmed')
  const end = useWrite(rights_api.end, 'Right ended')
  const concerns = does === 'end' && right.kind === 'reviewer'
  const gaps = useRead(api.policies.gaps, concerns ? { without: person_id } : undefined)
  const lacks = gaps !== undefined && !isWhole(gaps)
  return (
    <Dialog open onClose={onClose} title={`${verb} ${title} of ${name}?`} description={description}>
      {concerns && !gaps ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <Form
          name={`${does}-right-${right.id}`}
          shape={z.object(own_password)}
          onSubmit={async ({ password }) => {
            await confirmPassword(password)
            if (does === 'confirm') await confirm.submit({ id: right.id })
            else await end.submit({ id: right.id, knowingly: lacks })
            onClose()
          }}
        >
          {gaps && <GapsNote gaps={gaps} title={`Without ${name} the policy needs more people`} />}
          <OwnPassword />
          <div className="flex justify-end gap-2">
            <CancelButton onClick={onClose} />
            <SubmitButton waiting="Saving...">{lacks ? 'End anyway' : verb}</SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  )
}

type Closing = { onClose: () => void }
