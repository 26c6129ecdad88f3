import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { BackLink } from '#ui/BackLink.tsx'
import { Boundary } from '#ui/Boundary.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { EditEmployee } from './EditEmployee.tsx'
import { FamilyBlock } from '#employees/FamilyBlock.tsx'
import { PersonActs } from './PersonActs.tsx'
import { PersonClaims } from './PersonClaims.tsx'
import { PersonGroups } from '#employees/groups/PersonGroups.tsx'
import { PersonFund } from './PersonFund.tsx'
import { PersonHead } from './PersonHead.tsx'
import { PersonManager } from './PersonManager.tsx'
import { PersonNotes } from './PersonNotes.tsx'

type Props = {
  history: (person_id: string) => ReactNode
  adjustments: (person: { id: string; name: string }) => ReactNode
  blocks: (person: { id: string; name: string }) => ReactNode
}

/** All that HR knows of one person, at an address of its own. */
export function PersonPage(parts: Props) {
  const { id } = useParams()
  const person_id = z.uuid().safeParse(id).data
  return person_id ? (
    <Boundary key={person_id} missing={<NoPerson />}>
      <Person person_id={person_id} {...parts} />
    </Boundary>
  ) : (
    <NoPerson />
  )
}

const NoPerson = () => (
  <Page title="Employee" description={back}>
    <Empty
      icon={<SearchX aria-hidden />}
      title="Your company has no such employee"
      action={<ButtonLink to={paths.employees}>See all employees</ButtonLink>}
    >
      They may have been removed, or the address may be mistyped.
    </Empty>
  </Page>
)

function Person({ person_id, history, adjustments, blocks }: Props & { person_id: string }) {
  const navigate = useNavigate()
  const may = useMay()
  const employee = useRead(api.employees.find, { id: person_id })
  return (
    <Page title={employee?.full_name ?? 'Employee'} description={back}>
      {employee ? (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="flex min-w-0 flex-col gap-6">
            <Card>
              <PersonHead employee={employee} />
              <div className="mt-5 flex flex-col gap-5">
                {employee.role === 'employee' && <PersonFund person_id={person_id} />}
                {employee.role === 'employee' && may('review.queue') && (
                  <PersonClaims person_id={person_id} />
                )}
                <FamilyBlock person_id={person_id} />
              </div>
            </Card>
            {employee.role === 'employee' &&
              may('adjustments.list') &&
              adjustments({ id: person_id, name: employee.full_name })}
            {employee.role === 'employee' &&
              may('payment_blocks.list') &&
              blocks({ id: person_id, name: employee.full_name })}
            {may('audit.list') && history(person_id)}
          </div>
          {!employee.erased_at && (
            <div className="flex min-w-0 flex-col gap-6">
              <PersonGroups person_id={person_id} />
              {may('employees.manager') && <PersonManager person_id={person_id} />}
              {!employee.refusals.note && <PersonNotes person_id={person_id} />}
              <Card title="Details and employment">
                <div className="flex flex-col gap-6">
                  <EditEmployee key={person_id} employee={employee} />
                  <PersonActs employee={employee} onGone={() => void navigate(paths.employees)} />
                </div>
              </Card>
            </div>
          )}
        </div>
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </Page>
  )
}

const back = <BackLink to={paths.employees}>Employees</BackLink>
