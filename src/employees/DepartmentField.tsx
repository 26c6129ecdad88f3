import { api } from '#api/api.ts'
import { problems, type ProblemCode } from '#problems.ts'
import { useRead } from '#ui/ask.ts'
import { TextField } from '#ui/TextField.tsx'

/** Free text. The existing departments are offered, so that none gets a second spelling. */
export function DepartmentField({ fixed }: { fixed?: ProblemCode | null }) {
  const departments = useRead(api.employees.departments, {})
  return (
    <TextField
      name="department"
      label="Department"
      required
      readOnly={Boolean(fixed)}
      hint={fixed && problems[fixed][1]}
      suggestions={departments?.map(({ department }) => department).filter(Boolean)}
    />
  )
}
