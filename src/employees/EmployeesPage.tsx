import { Plus } from 'lucide-react'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Card, ListHead } from '#ui/Card.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { count } from '#ui/figures.ts'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Page } from '#ui/Page.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { useUrlState } from '#ui/url-state.ts'
import { SavedViews } from '#views/SavedViews.tsx'
import { AddEmployee, tabs } from './AddEmployee.tsx'
import { JoinRequests } from '#employees/joining/JoinRequests.tsx'
import { CoverRequests } from './CoverRequests.tsx'
import { EmployeeList, useEmployeeFilter } from './EmployeeList.tsx'
import { ErasuresWaiting } from '#shared/ErasuresWaiting.tsx'
import { accountWordsOf } from '#users/words.contract.ts'
import { FamilyRules } from './FamilyRules.tsx'
import { EmployeeStats } from './EmployeeStats.tsx'
import { ImportsUnderWay } from '#employees/imports/ImportsUnderWay.tsx'
import { ManyMenu } from './many/ManyMenu.tsx'
import { usePicked } from './many/picked.ts'
import { EmployeeState } from './employees.contract.ts'

const statuses = accountWordsOf(EmployeeState.options)

export function EmployeesPage() {
  // An open form stands in the address, so that Find can lead to it.
  const [tab_name, setAdding] = useUrlState('add')
  const adding = tabs.find((tab) => tab === tab_name)
  const summary = useRead(api.employees.summary, {})
  const picked = usePicked()
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding('Single')}>
      Add Employee
    </Button>
  )
  return (
    <Page
      title="Employees"
      actions={
        <>
          <FamilyRules />
          <ButtonLink to={paths.groups}>Groups</ButtonLink>
          <ButtonLink to={paths.people_file}>By file</ButtonLink>
          {add}
        </>
      }
    >
      <EmployeeStats summary={summary} />
      <ImportsUnderWay onOpen={() => setAdding('Bulk Upload')} />
      {Boolean(summary?.requested) && <JoinRequests count={summary?.requested ?? 0} />}
      <CoverRequests />
      <ErasuresWaiting />
      <Card flush>
        <ListHead>
          <SearchField label="Search employees" />
          <FilterMenu label="Status" name="status" options={statuses} />
          <DepartmentFilter />
          <GroupFilter />
          <Export />
          <ManyMenu picked={picked} />
        </ListHead>
        <SavedViews page="employees" />
        <EmployeeList total={summary?.total} add={add} picked={picked} />
      </Card>
      <AddEmployee tab={adding} onTab={setAdding} onClose={() => setAdding('')} />
    </Page>
  )
}

/** The counts are of all employees, so they are hidden while another filter narrows the list. */
function useCounting(own: 'department' | 'group_id') {
  const { search, status, department, group_id } = useEmployeeFilter()
  const others = { search, status, department, group_id, [own]: undefined }
  return !Object.values(others).some(Boolean)
}

function DepartmentFilter() {
  const departments = useRead(api.employees.departments, {})
  const { department: chosen } = useEmployeeFilter()
  const counting = useCounting('department')
  if (!departments) return null
  const options = departments.map(({ department, people }): [string, string] => [
    department,
    counting ? `${department} · ${count(people)}` : department,
  ])
  return <ChosenFilter label="Department" options={options} chosen={chosen} gone={chosen} />
}

function GroupFilter() {
  const groups = useRead(lazy_api.groups.list, {})
  const { group_id: chosen } = useEmployeeFilter()
  const counting = useCounting('group_id')
  if (!groups) return null
  const options = groups.map(({ id, name, people }): [string, string] => [
    id,
    counting ? `${name} · ${count(people)}` : name,
  ])
  return <ChosenFilter label="Group" options={options} chosen={chosen} gone="Removed group" />
}

type ChosenProps = {
  label: 'Department' | 'Group'
  options: [value: string, text: string][]
  chosen: string | undefined
  gone: string | undefined
}

/** A chosen value that no longer exists, from an old address, is offered as well: else nobody could unset it. */
function ChosenFilter({ label, options, chosen, gone }: ChosenProps) {
  const all = Object.fromEntries(options)
  if (chosen && !Object.hasOwn(all, chosen)) all[chosen] = `${gone} · 0`
  if (Object.keys(all).length === 0) return null
  return <FilterMenu label={label} name={label.toLowerCase()} options={all} />
}

/** The filtered list, as a file. */
function Export() {
  const filter = useEmployeeFilter()
  return (
    <DownloadButton className="sm:ml-auto" file={() => api.employees.export(filter)}>
      Export CSV
    </DownloadButton>
  )
}
