import { useState } from 'react'
import { api } from '#api.ts'
import { Decline, type Dependent } from '#dependents/dependents.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextAreaField } from '#ui/TextField.tsx'

/** HR's two answers to a request for cover. */
export function DecideDependent({ dependent }: { dependent: Dependent }) {
  const { id, version, full_name } = dependent
  const [declining, setDeclining] = useState(false)
  const approve = useWrite(api.dependents.approve, `${full_name} is approved`)
  const decline = useWrite(api.dependents.decline, 'The request is declined')
  return (
    <span className="flex gap-2">
      <Button
        size="small"
        variant="primary"
        loading={approve.pending}
        onClick={() => approve({ id, version })}
      >
        Approve
      </Button>
      <Button size="small" onClick={() => setDeclining(true)}>
        Decline
      </Button>
      <Dialog
        open={declining}
        onClose={() => setDeclining(false)}
        title={`Decline cover of ${full_name}?`}
        description="The person is told, reads your reason, and may ask again."
      >
        <Form
          name={`decline-${id}`}
          shape={Decline}
          onSubmit={async ({ reason }) => {
            await decline.submit({ id, version, reason })
            setDeclining(false)
          }}
        >
          <TextAreaField
            name="reason"
            label="Reason"
            rows={3}
            hint="Optional. One or two sentences."
          />
          <div className="flex justify-end">
            <SubmitButton waiting="Declining...">Decline</SubmitButton>
          </div>
        </Form>
      </Dialog>
    </span>
  )
}
