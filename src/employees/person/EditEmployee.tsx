import { api } from '#api/api.ts'
import { problems } from '#problems.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { dateText } from '#ui/DateText.tsx'
import { TextField } from '#ui/TextField.tsx'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import { DepartmentField } from '#employees/DepartmentField.tsx'
import { EmployeeChange, type EmployeeFound } from '#employees/employees.contract.ts'

const EmployeeFields = EmployeeChange.omit({ id: true, version: true })
const labels = {
  full_name: 'Name',
  phone: 'Phone',
  department: 'Department',
  joined_on: 'Joined',
  personnel_number: 'Personnel number',
}

type Props = { employee: EmployeeFound; onDone?: () => void }

export function EditEmployee({ employee, onDone }: Props) {
  const edit = useWrite(api.employees.edit, 'Employee saved')
  const { id, refusals } = employee
  return (
    <VersionedForm
      name={`employee-${id}`}
      shape={EmployeeFields}
      record={employee}
      fieldsOf={({ full_name, phone, department, joined_on, personnel_number }) => ({
        full_name,
        phone: phone ?? '',
        department: department ?? '',
        joined_on,
        personnel_number: personnel_number ?? '',
      })}
      labels={labels}
      shown={(field, value) => (field === 'joined_on' ? dateText(value) : value)}
      save={({ personnel_number = null, ...values }, version) =>
        edit.submit({ ...values, personnel_number, id, version })
      }
      find={() => api.employees.find({ id })}
      onSaved={() => onDone?.()}
    >
      <TextField name="full_name" label="Full Name" autoComplete="off" required />
      <TextField name="phone" label="Phone" type="tel" autoComplete="off" />
      <DepartmentField fixed={refusals.department} />
      <DateField
        name="joined_on"
        label="Joined"
        required
        readOnly={Boolean(refusals.joined_on)}
        hint={refusals.joined_on && problems[refusals.joined_on][1]}
      />
      <TextField name="personnel_number" label="Personnel number" autoComplete="off" />
    </VersionedForm>
  )
}
