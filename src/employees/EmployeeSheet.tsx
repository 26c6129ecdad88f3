import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Sheet } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditEmployee } from './EditEmployee.tsx'
import { FamilyBlock } from './FamilyBlock.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonClaims } from './PersonClaims.tsx'
import { PersonFund } from './PersonFund.tsx'
import { PersonHead } from './PersonHead.tsx'
import { PersonManager } from './PersonManager.tsx'

type Props = { id: string | undefined; onClose: () => void }

/** One person: what is known of them, to be changed, and what may be done. */
export function EmployeeSheet({ id, onClose }: Props) {
  const valid = z.uuid().safeParse(id)
  const may = useMay()
  const employee = useRead(api.employees.find, valid.success ? { id: valid.data } : undefined)
  return (
    <Sheet open={valid.success} onClose={onClose} title={employee?.full_name ?? 'Employee'}>
      {employee ? (
        <div className="flex flex-col gap-6">
          <PersonHead employee={employee} />
          <Link
            to={pathTo(paths.person, employee.id)}
            className="-mt-3 flex items-center gap-1 self-start rounded text-ui text-primary-ink hover:underline"
          >
            Notes, history and everything else
            <ArrowRight className="size-3.5" aria-hidden />
          </Link>
          {employee.role === 'employee' && <PersonFund person_id={employee.id} />}
          {may('employees.manager') && <PersonManager person_id={employee.id} />}
          <EditEmployee key={employee.id} employee={employee} onDone={onClose} />
          {employee.role === 'employee' && may('review.queue') && (
            <PersonClaims person_id={employee.id} />
          )}
          <FamilyBlock key={`family-${employee.id}`} person_id={employee.id} />
          <PersonActs employee={employee} onGone={onClose} />
        </div>
      ) : (
        <Skeleton className="h-64 w-full" />
      )}
    </Sheet>
  )
}
