import { clsx } from 'clsx'
import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { useKeepOpen } from '#ui/Dialog.tsx'
import { Failure } from '#ui/failure.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { Problem } from '#problems.ts'
import { DepartmentField } from './DepartmentField.tsx'
import { NewEmployee } from './employees.contract.ts'

export type AddedEmployee = Awaited<ReturnType<typeof api.employees.add>>

export function AddSingle({ onAdded }: { onAdded: (made: AddedEmployee) => void }) {
  const add = useWrite(api.employees.add, 'Employee added successfully!')
  return (
    <Form
      name="add-employee"
      shape={NewEmployee}
      resets
      onSubmit={async (values) => {
        onAdded(await add.submit(values).catch(orSayIt))
      }}
    >
      <TextField name="full_name" label="Full Name" autoComplete="off" required />
      <TextField
        name="email"
        label="Email"
        type="email"
        autoComplete="off"
        required
        hint="If it is an admin’s, they become an employee as well and keep their name and rights"
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="phone" label="Phone" type="tel" hint="Optional" autoComplete="off" />
        <DepartmentField />
      </div>
      <FormButtons waiting="Adding...">Add Employee</FormButtons>
    </Form>
  )
}

/** Shows the auth service's message if there is one. */
function orSayIt(error: unknown): never {
  if (error instanceof Problem) throw error
  throw new Failure('Failed to add employee')
}

const passwordStyles = clsx(
  'flex flex-wrap items-center justify-between gap-3 rounded-card border border-line',
  'bg-sunken px-4 py-3',
)

type PasswordProps = { made: AddedEmployee; password: string; onDone: () => void }

export function InitialPassword({ made, password, onDone }: PasswordProps) {
  useKeepOpen()
  const { full_name, email } = made.employee
  return (
    <div className="flex flex-col gap-5">
      <Callout tone="good" title={`${full_name} added`}>
        {made.employee.confirmed_at ? (
          <>
            They are active at once, with their allowances as far as the pools reach, as the address
            is at your company’s own domain. We emailed {email} a link to choose a password. If they
            need to get in before that, give them this one. It is shown only once, and they change
            it when they first sign in.
          </>
        ) : (
          <>
            {email} is not at your company’s own domain, so they get access once they follow the
            link we emailed them. Until then this password, shown only once, just lets them see
            that.
          </>
        )}
      </Callout>
      <div className={passwordStyles}>
        <div>
          <p className="text-ui text-soft">Initial password</p>
          <output className="font-mono text-base wrap-anywhere select-all">{password}</output>
        </div>
        <CopyButton text={password} />
      </div>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
