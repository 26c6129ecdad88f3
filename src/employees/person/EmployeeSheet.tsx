import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { OneSheet } from '#ui/OneSheet.tsx'
import type { EmployeeDetail } from '#employees/employees.contract.ts'
import { EditEmployee } from './EditEmployee.tsx'
import { FamilyBlock } from '#employees/FamilyBlock.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonClaims } from './PersonClaims.tsx'
import { PersonFund } from './PersonFund.tsx'
import { PersonHead } from './PersonHead.tsx'
import { PersonManager } from './PersonManager.tsx'

type Props = { id: string | undefined; onClose: () => void }

/** One person: what is known of them, to be changed, and what may be done. */
export const EmployeeSheet = ({ id, onClose }: Props) => (
  <OneSheet
    id={id}
    find={api.employees.find}
    title={(employee) => employee?.full_name ?? 'Employee'}
    onClose={onClose}
  >
    {(employee) => <About employee={employee} onClose={onClose} />}
  </OneSheet>
)

type AboutProps = Pick<Props, 'onClose'> & { employee: EmployeeDetail }

function About({ employee, onClose }: AboutProps) {
  const may = useMay()
  const { id } = employee
  return (
    <div className="flex flex-col gap-6">
      <PersonHead employee={employee} />
      <Link
        to={pathTo(paths.person, id)}
        className="-mt-3 flex items-center gap-1 self-start rounded text-ui text-primary-ink hover:underline"
      >
        Notes, history and everything else
        <ArrowRight className="size-3.5" aria-hidden />
      </Link>
      {employee.role === 'employee' && <PersonFund person_id={id} />}
      {!employee.erased_at && may('employees.manager') && <PersonManager person_id={id} />}
      {!employee.erased_at && <EditEmployee employee={employee} onDone={onClose} />}
      {employee.role === 'employee' && may('review.queue') && <PersonClaims person_id={id} />}
      <FamilyBlock person_id={id} />
      {!employee.erased_at && <PersonActs employee={employee} onGone={onClose} />}
    </div>
  )
}
