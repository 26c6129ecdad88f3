import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { TextField } from '#ui/TextField.tsx'

/** Free text; the departments there are are offered, so that none gets a second spelling. */
export function DepartmentField() {
  const departments = useRead(api.employees.departments, {})
  return (
    <TextField
      name="department"
      label="Department"
      required
      suggestions={departments?.map(({ department }) => department).filter(Boolean)}
    />
  )
}
