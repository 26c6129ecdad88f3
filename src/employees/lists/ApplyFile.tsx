import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { paths } from '#paths.ts'
import { Day } from '#lib/days.ts'
import { Problem } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { useWrite } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { today } from '#ui/calendar-days.ts'
import { Callout } from '#ui/Callout.tsx'
import { Choice } from '#ui/Choice.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateField } from '#ui/DateField.tsx'
import { showFailure } from '#ui/failure.ts'
import { counted } from '#ui/figures.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import type { Import } from '#employees/imports/imports.contract.ts'
import { rowsToApply } from '#employees/imports/ImportsUnderWay.tsx'

type Props = { found: Import; onClose: () => void; onDone: () => void }

/** The acts that are possible on a file now. */
export function ApplyFile(props: Props) {
  const { status } = props.found
  if (status === 'checked') return <Start {...props} />
  if (status === 'waiting') return <Decide {...props} />
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {status === 'done' && <Undo {...props} />}
      {(status === 'done' || status === 'undone') &&
        (props.found.chosen ? (
          <ButtonLink variant="primary" to={paths.employees}>
            Back to employees
          </ButtonLink>
        ) : (
          <Button variant="primary" onClick={props.onClose}>
            Send another file
          </Button>
        ))}
    </div>
  )
}

function Discard({ found, onClose, does }: Omit<Props, 'onDone'> & { does: string }) {
  const discard = useWrite(lazy_api.imports.discard)
  const act = () => void discard.submit({ id: found.id }).then(onClose, showFailure)
  return (
    <Button loading={discard.pending} onClick={act}>
      {does}
    </Button>
  )
}

const LastDay = z.object({ left_on: Day() })

function Start({ found, onClose, onDone }: Props) {
  const [leaves, setLeaves] = useState(false)
  const start = useWrite(lazy_api.imports.start)
  const { id, missing, refusals } = found
  const items = rowsToApply({ ...found, leaves })
  const discard = (
    <Discard
      found={found}
      onClose={onClose}
      does={found.chosen ? 'Discard' : 'Choose another file'}
    />
  )
  if (items + missing === 0) return <div className="flex justify-end">{discard}</div>
  return (
    <Form
      name={`apply-${id}`}
      shape={LastDay}
      defaults={{ left_on: today() }}
      onSubmit={async ({ left_on }) => {
        await start.submit(leaves ? { id, leaves, left_on } : { id })
        onDone()
      }}
    >
      {missing > 0 && refusals.leave && <Callout>{new Problem(refusals.leave).message}</Callout>}
      {missing > 0 && !refusals.leave && (
        <Choice
          label={`${counted(missing, 'employee')} not in the file`}
          options={{ stay: 'Stay as they are', leave: 'Leave, with the last day below' }}
          chosen={leaves ? 'leave' : 'stay'}
          onChoose={(what) => setLeaves(what === 'leave')}
        />
      )}
      {leaves && (
        <div className="max-w-sm">
          <DateField name="left_on" label="Last day" required />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {discard}
        {items > 0 && (
          <SubmitButton waiting="Applying..." unless={refusals.start}>
            {`Apply to ${counted(items, 'person', 'people')}`}
          </SubmitButton>
        )}
      </div>
    </Form>
  )
}

function Decide({ found, onClose, onDone }: Props) {
  const [confirming, setConfirming] = useState(false)
  const approve = useWrite(lazy_api.imports.approve)
  const refused = found.refusals.approve
  return (
    <>
      {refused && <Callout>{new Problem(refused).message}</Callout>}
      <div className="flex flex-wrap justify-end gap-2">
        <Discard found={found} onClose={onClose} does="Discard" />
        {!refused && (
          <Button variant="primary" onClick={() => setConfirming(true)}>
            Approve
          </Button>
        )}
      </div>
      <PasswordDialog
        name={`approve-${found.id}`}
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Apply this to ${counted(rowsToApply(found), 'person', 'people')}?`}
        description="It can be undone afterwards."
        does="Approve"
        waiting="Approving..."
        act={async () => {
          await approve.submit({ id: found.id })
          onDone()
        }}
      />
    </>
  )
}

function Undo({ found, onDone }: Props) {
  const [confirming, setConfirming] = useState(false)
  const undo = useWrite(lazy_api.imports.undo)
  return (
    <>
      <Button icon={Undo2} unless={found.refusals.undo} onClick={() => setConfirming(true)}>
        Undo
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Undo ${counted(found.done - found.untouched, 'change')}?`}
        description={
          (found.chosen
            ? 'All its changes are undone.'
            : 'New people are removed; changes and last days are undone.') +
          ' Anything that has happened since stays, and is shown.'
        }
        does="Undo"
        act={async () => {
          await undo.submit({ id: found.id })
          onDone()
        }}
      />
    </>
  )
}
