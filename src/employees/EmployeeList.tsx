import { Users } from 'lucide-react'
import { useMemo, type ComponentProps, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { Address } from '#ui/Address.tsx'
import { Avatar } from '#ui/Avatar.tsx'
import { count } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText } from '#ui/DateText.tsx'
import { Empty, NoMatch } from '#ui/Empty.tsx'
import { LongTable } from '#ui/LongTable.tsx'
import { knownOf, useSort, useUrlState } from '#ui/url-state.ts'
import {
  Balance,
  totalOf,
  withNeighbours,
  type WithNeighbours,
} from '#employees/person/Balance.tsx'
import { EmployeeFilter, EmployeeState } from './employees.contract.ts'
import { EmployeeSheet } from '#employees/person/EmployeeSheet.tsx'
import type { PickedPeople } from './many/picked.ts'
import { AccountStateBadge } from './AccountStateBadge.tsx'
import { z } from 'zod'

const page_rows = 50

/** The filters in the address. */
export function useEmployeeFilter(): z.input<typeof EmployeeFilter> {
  const [search] = useUrlState('search')
  const [status] = useUrlState('status')
  const [department] = useUrlState('department')
  const [group] = useUrlState('group')
  const { by, descending } = useEmployeeSort(search)
  return useMemo(
    () =>
      knownOf(EmployeeFilter, {
        search: search || undefined,
        status: EmployeeState.safeParse(status).data,
        department: department || undefined,
        group_id: z.uuid().safeParse(group).data,
        sort: by
          ? (`${descending ? '-' : ''}${by}` as z.input<typeof EmployeeFilter>['sort'])
          : undefined,
      }),
    [search, status, department, group, by, descending],
  )
}

/** A search shows the best match first, unless a column is pressed. */
const useEmployeeSort = (search: string | undefined) => useSort(search ? '' : 'name')

type ListProps = { total: number | undefined; add: ReactNode; picked: PickedPeople }

export function EmployeeList({ total, add, picked }: ListProps) {
  const filter = useEmployeeFilter()
  const sort = useEmployeeSort(filter.search)
  const [open, setOpen] = useUrlState('employee')
  const { pages, more, failed } = useCursorList(api.employees.list, { ...filter, limit: page_rows })
  const rows = useMemo(() => pages?.flatMap(({ employees }) => withNeighbours(employees)), [pages])
  const found = pages?.[0]?.total
  return (
    <>
      <LongTable
        label="Employees"
        rows={rows}
        more={more}
        failed={failed}
        total={found}
        sort={sort}
        onPress={({ id }) => setOpen(id)}
        picked={picked}
        empty={<NoEmployees total={total} add={add} />}
        columns={{
          Name: {
            sort: 'name',
            width: 'xl:w-[18%]',
            cell: ({ full_name, department }) => (
              <span className="flex items-center gap-3">
                <Avatar initials={initialsOf(full_name)} className="sm:max-xl:hidden" />
                <span className="min-w-0">
                  <span className="line-clamp-2">{full_name}</span>
                  <span className="line-clamp-1 text-ui font-normal text-soft">{department}</span>
                </span>
              </span>
            ),
          },
          Status: { phone: 'below_end', width: 'sm:w-30', cell: AccountStateBadge },
          Email: {
            roomy: true,
            sort: 'email',
            cell: ({ email, phone }) => (
              <span className="min-w-0 text-right sm:text-left">
                <Address className="line-clamp-3 text-ui" email={email} />
                {phone && <span className="figures block text-ui text-soft">{phone}</span>}
              </span>
            ),
          },
          Joined: {
            roomy: true,
            sort: 'joined',
            width: 'sm:w-24',
            cell: ({ joined_on }) => <DateText value={joined_on} show="month" />,
          },
          Prevention: balance((b) => b.prevention_cents),
          Treatment: balance((b) => b.treatment_cents),
          Solidarity: balance((b) => b.solidarity_cents),
          Total: { ...balance(totalOf, true), phone: 'end', width: 'sm:w-28' },
        }}
      />
      {rows && rows.length > 0 && (
        <p className="figures border-t border-line px-5 py-3 text-ui text-soft" aria-live="polite">
          {count(rows.length)} of {found == null ? 'many' : count(found)}
        </p>
      )}
      <EmployeeSheet id={open || undefined} onClose={() => setOpen('')} />
    </>
  )
}

const balance = (of: ComponentProps<typeof Balance>['of'], strong = false) => ({
  end: true,
  width: 'sm:w-24',
  cell: (row: WithNeighbours) => <Balance row={row} of={of} strong={strong} />,
})

const NoEmployees = ({ total, add }: { total: number | undefined; add: ReactNode }) =>
  total === 0 ? (
    <Empty icon={<Users aria-hidden />} title="No employees yet" action={add}>
      Add them one by one or from a file, or let in everybody at your domain.
    </Empty>
  ) : (
    <NoMatch title="No matching people" filters={['search', 'status', 'department', 'group']} />
  )
