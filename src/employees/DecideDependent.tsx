import { api } from '#api/api.ts'
import { Decline, type Dependent } from '#dependents/dependents.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextAreaField } from '#ui/TextField.tsx'

type Props = { dependent: Dependent; onDecline: (dependent: Dependent) => void }

function useUndoDependent() {
  const undo = useWrite(
    api.dependents.undo,
    ({ full_name }) => `${full_name} is waiting for approval again`,
  )
  return ({ id }: { id: string }) =>
    () =>
      undo({ id })
}

/** HR's two answers to a request for cover. */
export function DecideDependent({ dependent, onDecline }: Props) {
  const { id, version, full_name, refusals } = dependent
  const undo = useUndoDependent()
  const approve = useWrite(api.dependents.approve, `${full_name} approved`, undo)
  return (
    <span className="flex gap-2">
      <Button
        size="small"
        variant="primary"
        loading={approve.pending}
        unless={refusals.approve}
        onClick={() => approve({ id, version })}
      >
        Approve
      </Button>
      <Button size="small" unless={refusals.decline} onClick={() => onDecline(dependent)}>
        Decline
      </Button>
    </span>
  )
}

type DeclineProps = { dependent: Dependent; onClose: () => void }

/** Stays open when the request leaves its list, and says what became of it. */
export function DeclineDependent({ dependent, onClose }: DeclineProps) {
  const { id, version, person_id, full_name } = dependent
  const undo = useUndoDependent()
  const decline = useWrite(api.dependents.decline, 'Request declined', undo)
  const now = useRead(api.dependents.of, { person_id })?.find((one) => one.id === id)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Decline cover of ${full_name}?`}
      description="The person is notified with your reason, and can ask again."
      moot={decline.pending ? undefined : happened(dependent, now)}
    >
      <Form
        name={`decline-${id}`}
        shape={Decline}
        onSubmit={async ({ reason }) => {
          await decline.submit({ id, version, reason })
          onClose()
        }}
      >
        <TextAreaField
          name="reason"
          label="Reason"
          rows={3}
          hint="Optional. One or two sentences."
        />
        <FormButtons waiting="Declining...">Decline</FormButtons>
      </Form>
    </Dialog>
  )
}

/** The sentence for a request that was decided or changed in the meantime. */
function happened(shown: Dependent, now: Dependent | undefined): string | undefined {
  if (!now || now.version <= shown.version) return undefined
  switch (now.cover_state) {
    case 'requested':
      return 'The details were changed a moment ago. Check them first.'
    case 'declined':
      return `Another admin declined ${now.full_name} a moment ago.`
    case 'withdrawn':
      return `The request for ${now.full_name} was withdrawn a moment ago.`
    default:
      return `Another admin approved ${now.full_name} a moment ago.`
  }
}
