import { CalendarX2, Mail, ShieldOff, Trash2, Undo2, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import type { EmployeeFound, EmployeeDetail } from '#employees/employees.contract.ts'
import { by_email } from '#shared/mail-pace.ts'
import { ClaimsAfter } from './ClaimsAfter.tsx'
import { OpenMoney } from './PersonFund.tsx'

type PersonDialog = 'suspend' | 'leave' | 'remove' | undefined

type ActsProps = { employee: EmployeeDetail; onGone: () => void }

/** The acts that are possible on a person now. */
export function PersonActs({ employee, onGone }: ActsProps) {
  const { id, full_name, account_state } = employee
  const [open, setOpen] = useState<PersonDialog>()
  const resend = useWrite(api.employees.resend, ({ email }) => `Invitation sent to ${email}`)
  const reactivate = useWrite(api.employees.reactivate, `${full_name} re-activated`)
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-5">
      {employee.refusals.resend !== 'already_accepted' && (
        <Button
          icon={Mail}
          unless={employee.refusals.resend}
          loading={resend.pending}
          onClick={() => resend({ id })}
        >
          Resend invitation
        </Button>
      )}
      <Leaving employee={employee} onLeave={() => setOpen('leave')} />
      {account_state === 'suspended' && (
        <Button
          icon={UserCheck}
          unless={employee.refusals.reactivate}
          loading={reactivate.pending}
          onClick={() => reactivate({ id })}
        >
          Re-activate
        </Button>
      )}
      {(account_state === 'active' || account_state === 'left') && (
        <Button
          icon={ShieldOff}
          unless={employee.refusals.suspend}
          onClick={() => setOpen('suspend')}
        >
          Suspend
        </Button>
      )}
      {account_state === 'pending' && (
        <Button icon={Trash2} unless={employee.refusals.remove} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      )}
      <Leave employee={employee} open={open === 'leave'} onClose={() => setOpen(undefined)} />
      <Confirm employee={employee} open={open} onClose={() => setOpen(undefined)} onGone={onGone} />
    </div>
  )
}

function Leaving({ employee, onLeave }: { employee: EmployeeFound; onLeave: () => void }) {
  const { id, version, full_name } = employee
  const again = useWrite(api.employees.leave, 'Last day set')
  const { left_on } = employee
  const stay = useWrite(api.employees.stay, `${full_name} stays`, (now) => {
    if (left_on) return () => again({ id, version: now.version, left_on })
    return undefined
  })
  if (employee.left_on) {
    return (
      <Button
        icon={Undo2}
        unless={employee.refusals.change_employment}
        loading={stay.pending}
        onClick={() => stay({ id, version })}
      >
        Cancel departure
      </Button>
    )
  }
  if (employee.account_state !== 'active') return null
  return (
    <Button icon={CalendarX2} unless={employee.refusals.change_employment} onClick={onLeave}>
      End employment
    </Button>
  )
}

const LastDay = z.object({ left_on: z.iso.date('Choose a date') })

type LeaveProps = { employee: EmployeeFound; open: boolean; onClose: () => void }

function Leave({ employee, open, onClose }: LeaveProps) {
  const { id, version, full_name } = employee
  const stay = useWrite(api.employees.stay, `${full_name} stays`)
  const leave = useWrite(
    api.employees.leave,
    'Last day set',
    (now) => () => stay({ id, version: now.version }),
  )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`End employment of ${full_name}`}
      description={
        'The day can be in the past or the future. They can still sign in and submit claims for the time until then, ' +
        `and are notified a minute later, ${by_email}.`
      }
    >
      <Form
        name={`leave-${id}`}
        shape={LastDay}
        onSubmit={async ({ left_on }) => {
          await leave.submit({ id, version, left_on })
          onClose()
        }}
      >
        <OpenMoney person_id={id} />
        <DateField name="left_on" label="Last day" required />
        <ClaimsAfter person_id={id} />
        <FormButtons waiting="Saving...">Set last day</FormButtons>
      </Form>
    </Dialog>
  )
}

type ConfirmProps = {
  employee: EmployeeFound
  open: PersonDialog
  onClose: () => void
  onGone: () => void
}

function Confirm({ employee, open, onClose, onGone }: ConfirmProps) {
  const { id, full_name } = employee
  const suspend = useWrite(api.employees.suspend, `${full_name} suspended`)
  const remove = useWrite(api.employees.remove, `${full_name} removed`)
  const removes = open === 'remove'
  return (
    <ConfirmDialog
      open={removes || open === 'suspend'}
      onClose={onClose}
      title={removes ? `Remove ${full_name}?` : `Suspend ${full_name}?`}
      description={
        removes
          ? 'The invitation stops working and the account is deleted. Nobody ever used it.'
          : 'They are signed out everywhere at once and can’t sign in until you re-activate them.'
      }
      does={removes ? 'Remove' : 'Suspend'}
      act={() => (removes ? remove.submit({ id }) : suspend.submit({ id }))}
      onDone={removes ? onGone : undefined}
    />
  )
}
