import { useState } from 'react'
import type { z } from 'zod'
import { api } from '#api.ts'
import { Problem } from '#problems.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { EmployeeChange, type Employee } from './employees.contract.ts'

const Fields = EmployeeChange.omit({ id: true, version: true })
type Values = z.output<typeof Fields>

/** Holds the person as they were when it was opened, so that what others change meanwhile is noticed. */
export function EditEmployee({ employee, onDone }: { employee: Employee; onDone: () => void }) {
  const [opened, setOpened] = useState(employee)
  const [conflict, setConflict] = useState<{ mine: Values; theirs: Employee }>()
  const edit = useWrite(api.employees.edit, 'Employee saved')
  const { id, version } = opened

  const send = async (values: Values, over: number) => {
    try {
      const saved = await edit.submit({ ...values, id, version: over })
      setConflict(undefined)
      setOpened(saved)
      onDone()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'changed_meanwhile') throw error
      setConflict({ mine: values, theirs: await api.employees.find({ id }) })
    }
  }

  const takeTheirs = (theirs: Employee) => {
    setConflict(undefined)
    setOpened(theirs)
  }

  return (
    <Form
      key={version}
      name={`employee-${id}-${version}`}
      shape={Fields}
      defaults={{
        full_name: opened.full_name,
        department: opened.department ?? '',
        joined_on: opened.joined_on,
        ...(opened.phone ? { phone: opened.phone } : {}),
      }}
      onSubmit={(values) => send(values, conflict?.theirs.version ?? version)}
    >
      {conflict && <Difference {...conflict} onTheirs={() => takeTheirs(conflict.theirs)} />}
      <TextField name="full_name" label="Full Name" autoComplete="off" required />
      <TextField name="phone" label="Phone" type="tel" autoComplete="off" />
      <TextField name="department" label="Department" autoComplete="off" required />
      <TextField name="joined_on" label="Joined" type="date" required />
      <div className="flex justify-end">
        <SubmitButton waiting="Saving...">
          {conflict ? 'Replace with mine' : 'Save Changes'}
        </SubmitButton>
      </div>
    </Form>
  )
}

const names = {
  full_name: 'Name',
  phone: 'Phone',
  department: 'Department',
  joined_on: 'Joined',
} as const

type Difference = { mine: Values; theirs: Employee; onTheirs: () => void }

function Difference({ mine, theirs, onTheirs }: Difference) {
  const differing = (Object.keys(names) as (keyof typeof names)[]).filter(
    (name) => (mine[name] ?? '') !== (theirs[name] ?? ''),
  )
  const shown = (name: keyof typeof names, value: string | null | undefined) =>
    value ? (name === 'joined_on' ? dateText(value) : value) : 'nothing'
  return (
    <Callout
      tone="accent"
      title="Somebody else changed this meanwhile"
      action={
        <Button size="small" onClick={onTheirs}>
          Keep theirs
        </Button>
      }
    >
      {differing.length === 0
        ? 'What you both wrote is the same.'
        : 'Nothing was overwritten. This is where you differ:'}
      <ul className="mt-2 flex flex-col gap-1.5">
        {differing.map((name) => (
          <li key={name}>
            <span className="font-medium">{names[name]}</span>: theirs{' '}
            <q className="wrap-anywhere">{shown(name, theirs[name])}</q>, yours{' '}
            <q className="wrap-anywhere">{shown(name, mine[name])}</q>
          </li>
        ))}
      </ul>
    </Callout>
  )
}
