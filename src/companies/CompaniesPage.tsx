import { Building2, Plus } from 'lucide-react'
import { api } from '#api/api.ts'
import { pages, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card, ListHead } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty, NoMatch } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Table } from '#ui/Table.tsx'
import { knownOf, usePageKey, useSort, useUrlState } from '#ui/url-state.ts'
import { AddCompany } from './AddCompany.tsx'
import { FundUse } from './FundUse.tsx'
import { companies, CompanyStatus, type CompanyDetail } from './companies.contract.ts'
import { CompanyStats } from './CompanyStats.tsx'
import { CompanyStatusBadge } from './CompanyStatusBadge.tsx'
import { company_words } from './words.contract.ts'

export function CompaniesPage() {
  // An open form stands in the address, so that the dashboard's quick action can lead right to it.
  const [adding, setAdding] = useUrlState('add')
  const summary = useRead(api.companies.summary, {})
  const add = (
    <Button variant="primary" icon={Plus} onClick={() => setAdding('yes')}>
      Add Company
    </Button>
  )
  return (
    <Page title="Companies" actions={add}>
      <CompanyStats summary={summary} />
      <Card flush>
        <ListHead>
          <SearchField label="Search companies" />
          <FilterMenu label="Status" name="status" options={company_words} />
        </ListHead>
        <CompanyList total={summary?.total} add={add} />
      </Card>
      <AddCompany open={adding !== ''} onClose={() => setAdding('')} />
    </Page>
  )
}

type Sorts = NonNullable<Parameters<typeof api.companies.list>[0]['sort']>

function CompanyList({ total, add }: { total: number | undefined; add: React.ReactNode }) {
  const [search] = useUrlState('search')
  const [status] = useUrlState('status')
  const { after } = usePageKey()
  const sort = useSort('joined', true)
  const parsed = CompanyStatus.safeParse(status)
  const found = useRead(
    api.companies.list,
    knownOf(companies.list.input, {
      search: search || undefined,
      status: parsed.success ? parsed.data : undefined,
      sort: `${sort.descending ? '-' : ''}${sort.by}` as Sorts,
      after,
    }),
    { keep: true },
  )
  const fundOf = useFunds(found?.companies)
  return (
    <>
      <Table
        label="Companies"
        rows={found?.companies}
        sort={sort}
        to={({ id }) => pathTo(pages.company.path, id)}
        empty={
          total === 0 ? (
            <Empty icon={<Building2 aria-hidden />} title="No companies yet" action={add}>
              Add one, or wait until a company’s HR signs up: it then appears here for you to
              activate.
            </Empty>
          ) : (
            <NoMatch title="No matching companies" filters={['search', 'status']} />
          )
        }
        columns={{
          Company: {
            width: 'sm:w-[34%]',
            sort: 'name',
            cell: ({ name, domain }) => (
              <span className="block min-w-0">
                <span className="block">{name}</span>
                <span className="block text-ui font-normal text-soft">{domain ?? 'No domain'}</span>
              </span>
            ),
          },
          Status: (company) => <CompanyStatusBadge status={company.status} />,
          Employees: { cell: ({ employees }) => count(employees), end: true, sort: 'employees' },
          Fund: {
            end: true,
            cell: ({ id, currency }) => <FundUse fund={fundOf(id)} currency={currency} />,
          },
          Joined: {
            roomy: true,
            cell: ({ created_at }) => <DateText value={created_at} show="month" />,
            sort: 'joined',
            end: true,
          },
        }}
      />
      <Pager
        next={found?.next}
        summary={found && `${count(found.companies.length)} of ${count(found.total)}`}
      />
    </>
  )
}

/** The funds of the companies on screen. */
function useFunds(shown: readonly CompanyDetail[] | undefined) {
  const ids = shown?.map(({ id }) => id).join(',')
  const funds = useRead(api.funds.of_companies, ids ? { ids } : undefined, { keep: true })
  return (id: string) => funds?.find(({ company_id }) => company_id === id)
}
