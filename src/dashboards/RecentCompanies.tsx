import { Building2 } from 'lucide-react'
import { api } from '#api/api.ts'
import { pages, paths, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Bar } from '#ui/Bar.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { NotShown } from '#ui/NotShown.tsx'
import { Table } from '#ui/Table.tsx'

const most_shown = 5

export function RecentCompanies() {
  const found = useRead(api.companies.list, { sort: '-joined', limit: most_shown })
  const ids = found?.companies.map(({ id }) => id).join(',')
  const funds = useRead(api.funds.of_companies, ids ? { ids } : undefined)
  const usedBy = new Map(funds?.map((fund) => [fund.company_id, fund]))
  return (
    <Card
      flush
      title="Recent companies"
      actions={
        <ButtonLink to={paths.companies} size="small" variant="quiet">
          All companies
        </ButtonLink>
      }
    >
      <Table
        label="Recent companies"
        rows={found?.companies}
        skeletons={most_shown}
        to={({ id }) => pathTo(pages.company.path, id)}
        empty={
          <Empty icon={<Building2 aria-hidden />} title="No companies yet">
            Add one, or wait until a company’s HR signs up: it then appears here for you to
            activate.
          </Empty>
        }
        columns={{
          Company: ({ name, domain }) => (
            <span className="block min-w-0">
              <span className="block">{name}</span>
              <span className="block text-ui font-normal text-soft">{domain ?? 'No domain'}</span>
            </span>
          ),
          Status: ({ status }) => <CompanyState status={status} />,
          Employees: { end: true, cell: ({ employees }) => count(employees) },
          Used: {
            wide_only: true,
            cell: ({ id, name }) => {
              const fund = usedBy.get(id)
              if (fund && fund.percent === null) return <NotShown />
              return fund && fund.percent !== null && fund.total_cents > 0 ? (
                <span className="flex items-center gap-2">
                  <span className="w-16 shrink-0">
                    <Bar percent={fund.percent} label={`${name}: used`} />
                  </span>
                  <span className="figures text-ui whitespace-nowrap text-soft">{`${fund.percent}%`}</span>
                </span>
              ) : (
                <span className="text-ui text-faint">No money yet</span>
              )
            },
          },
          Joined: { end: true, cell: ({ created_at }) => <DateText value={created_at} /> },
        }}
      />
    </Card>
  )
}

/** Active; suspended is said, too; any other value is Pending. */
const CompanyState = ({ status }: { status: string }) =>
  status === 'active' ? (
    <Status tone="good">Active</Status>
  ) : status === 'suspended' ? (
    <Status tone="bad">Suspended</Status>
  ) : (
    <Status tone="accent">Pending</Status>
  )
