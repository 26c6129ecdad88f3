import { clsx } from 'clsx'
import { CircleCheck, Hourglass, Plus, ShieldOff, UsersRound, X } from 'lucide-react'
import { api } from '#api/api.ts'
import { roleLabels } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { count } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card, ListHead, StatRow } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { NoMatch } from '#ui/Empty.tsx'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { PickInput } from '#ui/PickField.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Table } from '#ui/Table.tsx'
import { knownOf, useFilter, usePageKey, useSort, useUrlState } from '#ui/url-state.ts'
import { AddUser } from './AddUser.tsx'
import { ErasuresWaiting } from '#shared/ErasuresWaiting.tsx'
import { RoleBadge, UserStatusBadge } from './UserBadges.tsx'
import { accountWordsOf } from './words.contract.ts'
import { UserSheet } from './UserSheet.tsx'
import { Role, users as shapes, UserStatus } from './users.contract.ts'

export function UsersPage() {
  // An open form stands in the address, so that Find can lead to it.
  const [adding, setAdding] = useUrlState('add')
  const summary = useRead(api.users.summary, {})
  return (
    <Page
      title="Users"
      actions={
        <Button variant="primary" icon={Plus} onClick={() => setAdding('yes')}>
          Add User
        </Button>
      }
    >
      <StatRow
        cards={[
          { label: 'Total users', value: summary?.total, icon: <UsersRound aria-hidden /> },
          {
            label: 'Active',
            value: summary?.active,
            note: summary?.shut_out
              ? `${count(summary.shut_out)} in suspended companies can’t sign in`
              : undefined,
            icon: <CircleCheck aria-hidden />,
          },
          { label: 'Pending', value: summary?.pending, icon: <Hourglass aria-hidden /> },
          { label: 'Suspended', value: summary?.suspended, icon: <ShieldOff aria-hidden /> },
        ]}
      />
      <ErasuresWaiting />
      <Card flush>
        <ListHead>
          <SearchField label="Search users" />
          <FilterMenu label="Role" name="role" options={roleLabels} />
          <FilterMenu label="Status" name="status" options={statuses} />
          <CompanyFilter />
        </ListHead>
        <UserList />
      </Card>
      <AddUser open={adding !== ''} onClose={() => setAdding('')} />
    </Page>
  )
}

const statuses = accountWordsOf(UserStatus.options)

const filterStyles = clsx(
  'h-9 rounded-control border border-line bg-surface pl-3.5 text-sm shadow-card',
)

/** The filter keeps the company's id in the address, and shows its name. */
function CompanyFilter() {
  const [company, change] = useFilter('company')
  const found = useRead(api.companies.find, company ? { id: company } : undefined)
  if (company) {
    return (
      <span className={clsx(filterStyles, 'inline-flex max-w-64 items-center gap-1 pr-0.5')}>
        <span className="truncate text-primary-ink">{found?.name ?? 'Company'}</span>
        <IconButton size="small" label="All companies" icon={X} onClick={() => change('')} />
      </span>
    )
  }
  return (
    <PickInput
      find={api.companies.names}
      placeholder="Company"
      aria-label="Company"
      className={clsx(filterStyles, 'w-40 min-w-0 pr-3.5')}
      onPick={(choice) => choice && change(choice.id)}
    />
  )
}

type Sorts = NonNullable<Parameters<typeof api.users.list>[0]['sort']>

function UserList() {
  const [search] = useUrlState('search')
  const [role] = useUrlState('role')
  const [status] = useUrlState('status')
  const [company] = useUrlState('company')
  const [open, setOpen] = useUrlState('user')
  const { after } = usePageKey()
  const sort = useSort('joined', true)
  const found = useRead(
    api.users.list,
    knownOf(shapes.list.input, {
      search: search || undefined,
      role: Role.safeParse(role).data,
      status: UserStatus.safeParse(status).data,
      company: company || undefined,
      sort: `${sort.descending ? '-' : ''}${sort.by}` as Sorts,
      after,
    }),
    { keep: true },
  )
  const { users, next, total } = found ?? {}
  return (
    <>
      <Table
        label="Users"
        rows={users}
        sort={sort}
        onPress={({ id }) => setOpen(id)}
        empty={
          <NoMatch title="No matching people" filters={['search', 'role', 'status', 'company']} />
        }
        columns={{
          Name: {
            width: 'sm:w-[40%]',
            sort: 'name',
            cell: ({ full_name, email }) => (
              <span className="flex items-center gap-3">
                <Avatar initials={initialsOf(full_name)} />
                <span className="min-w-0">
                  <span className="block">{full_name}</span>
                  <Address email={email} />
                </span>
              </span>
            ),
          },
          Role: {
            phone: 'below',
            cell: BesidePicture,
          },
          Status: {
            phone: 'end',
            cell: UserStatusBadge,
          },
          Company: ({ company_name }) => company_name ?? <span className="text-faint">–</span>,
          Joined: {
            roomy: true,
            sort: 'joined',
            end: true,
            cell: ({ created_at }) => <DateText value={created_at} />,
          },
        }}
      />
      <Pager
        next={next}
        summary={users && `${count(users.length)} of ${total == null ? 'many' : count(total)}`}
      />
      <UserSheet id={open || undefined} onClose={() => setOpen('')} />
    </>
  )
}

/** On a phone the badge is below the name, so that an address has room. */
const BesidePicture = ({ role }: { role: Role }) => (
  <span className="max-sm:ml-11">
    <RoleBadge role={role} />
  </span>
)

/** A long address breaks before its domain. */
function Address({ email }: { email: string }) {
  const at = email.indexOf('@')
  return (
    <span className="block text-ui font-normal text-soft">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  )
}
