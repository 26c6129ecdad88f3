import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import type { EmployeeFound } from '#employees/employees.contract.ts'
import { Email } from '#users/users.contract.ts'

const Address = z.object({ email: Email })

/** A typo in the address, while nobody has signed in with it. */
export function CorrectAddress({ employee }: { employee: EmployeeFound }) {
  const { id, version, email, full_name, refusals } = employee
  const [open, setOpen] = useState(false)
  const correct = useWrite(api.employees.correct_address, (to) => `Mail sent to ${to.email}`)
  return (
    <>
      <Button size="small" unless={refusals.correct_address} onClick={() => setOpen(true)}>
        Correct address
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Correct the address of ${full_name}`}
        description={
          'Nobody has signed in yet. The link emailed to the old address stops working, ' +
          'and a new email goes to the correct one.'
        }
      >
        <Form
          name={`address-${id}`}
          shape={Address}
          defaults={{ email }}
          onSubmit={async (values) => {
            await correct.submit({ id, version, ...values })
            setOpen(false)
          }}
        >
          <TextField name="email" label="Email" type="email" autoComplete="off" required />
          <FormButtons waiting="Saving...">Correct address</FormButtons>
        </Form>
      </Dialog>
    </>
  )
}
