import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditEmployee } from './EditEmployee.tsx'
import { FamilyBlock } from '#employees/FamilyBlock.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonClaims } from './PersonClaims.tsx'
import { PersonFund } from './PersonFund.tsx'
import { PersonHead } from './PersonHead.tsx'
import { PersonManager } from './PersonManager.tsx'

type Props = { id: string | undefined; onClose: () => void }

/** One person: what is known of them, to be changed, and what may be done. */
export function EmployeeSheet({ id, onClose }: Props) {
  const valid = z.uuid().safeParse(id)
  const known = useRead(api.employees.find, valid.data ? { id: valid.data } : undefined, {
    quiet: true,
  })
  return (
    <Sheet open={valid.success} onClose={onClose} title={known?.full_name ?? 'Employee'}>
      {valid.success && (
        <Boundary key={valid.data}>
          <Read id={valid.data} onClose={onClose} />
        </Boundary>
      )}
    </Sheet>
  )
}

function Read({ id, onClose }: { id: string; onClose: () => void }) {
  const may = useMay()
  const employee = useRead(api.employees.find, { id })
  if (!employee) return <Skeleton className="h-64 w-full" />
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
