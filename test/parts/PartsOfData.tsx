import { Building2, Inbox, Wallet } from 'lucide-react'
import { useState } from 'react'
import { Avatar } from '#ui/Avatar.tsx'
import { count } from '#ui/figures.ts'
import { initialsOf } from '#ui/initials.ts'
import { Badge, Status } from '#ui/Badge.tsx'
import { Bar, Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Card, StatCard, Stats } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty, Failed } from '#ui/Empty.tsx'
import { Money } from '#ui/Money.tsx'
import { Pager } from '#ui/Pager.tsx'
import { PartsRow, PartsSection } from './PartsSection.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import { Table } from '#ui/Table.tsx'
import { toast } from '#ui/toast.ts'
import { useSort } from '#ui/url-state.ts'

type Sample = { id: string; name: string; cents: number; used: number; joined_on: string }

const rows: Sample[] = [
  { id: '1', name: 'Ana Horvat', cents: 74_250, used: 26, joined_on: '2024-03-01' },
  { id: '2', name: 'Jonas Berger', cents: 12_000, used: 88, joined_on: '2025-11-17' },
  {
    id: '3',
    name: 'Maximiliana-Theodora Wolfeschlegelsteinhausenbergerdorff-Szczepańska',
    cents: 123_456_789,
    used: 64,
    joined_on: '2026-01-31',
  },
]

export function PartsOfData() {
  return (
    <>
      <PartsSection title="Figures">
        <Stats>
          <StatCard
            label="Total employees"
            value={count(100_000)}
            note="+12 this month"
            icon={<Building2 aria-hidden />}
          />
          <StatCard
            label="Funds managed"
            value={<Money cents={123_456_789} currency="EUR" whole />}
            note="of two companies"
            icon={<Wallet aria-hidden />}
          />
          <StatCard label="Loading" value={undefined} note="later" />
          <StatCard
            label="A long name of a figure"
            value={<Money cents={1_234_567_890} currency="EUR" />}
            note="and CHF 81,300, CZK 423,000, £39,600, NOK 367,500, PLN 524,400, US$50,000"
          />
        </Stats>
      </PartsSection>
      <PartsSection title="Badges, bars and values">
        <Values />
      </PartsSection>
      <PartsSection title="Tables">
        <Tables />
      </PartsSection>
    </>
  )
}

const Values = () => (
  <>
    <PartsRow>
      <Status tone="good">Active</Status>
      <Status tone="accent">Pending</Status>
      <Status tone="bad">Rejected</Status>
      <Status>Withdrawn</Status>
      <Badge tone="primary">Company Admin</Badge>
      <Avatar initials={initialsOf('Ana Horvat')} />
      <Spinner label="Loading" />
      <Skeleton className="h-4 w-32" />
    </PartsRow>
    <div className="grid gap-4 sm:grid-cols-3">
      <Bar percent={35} label="Used to 35 percent" />
      <Bar percent={70} label="Used to 70 percent" />
      <Bar percent={92} label="Used to 92 percent" />
      <Bar percent={50} label="Prevention" fill="prevention" />
      <Bar percent={50} label="Treatment" fill="treatment" />
      <Bar percent={50} label="Solidarity" fill="solidarity" />
      <Progress percent={62} label="Importing" />
      <Progress label="Working" />
    </div>
    <PartsRow>
      <DateText value="2026-02-28" />
      <DateText value="2026-02-28T14:30:00Z" show="moment" />
      <DateText value={new Date(0).toISOString()} show="ago" />
      <Money cents={-1250} currency="EUR" />
      <Money cents={125_000} currency="JPY" />
    </PartsRow>
  </>
)

type Columns = Parameters<typeof Table<Sample>>[0]['columns']

const person_columns: Columns = {
  Name: { cell: (row) => row.name, sort: 'name' },
  Status: { cell: () => <Status tone="good">Active</Status>, phone: 'below_end' },
  Joined: { cell: (row) => <DateText value={row.joined_on} />, sort: 'joined_on' },
  Used: { cell: (row) => `${row.used}%`, end: true, wide_only: true },
  Balance: {
    cell: (row) => <Money cents={row.cents} currency="EUR" />,
    end: true,
    phone: 'end',
    sort: 'balance',
  },
}

function Tables() {
  const [state, setState] = useState<'rows' | 'loading' | 'empty'>('rows')
  const sort = useSort('name')
  const shown = { rows, loading: undefined, empty: [] }[state]
  return (
    <>
      <PartsRow>
        {(['rows', 'loading', 'empty'] as const).map((name) => (
          <Button key={name} size="small" onClick={() => setState(name)}>
            {name}
          </Button>
        ))}
      </PartsRow>
      <Card title="Employees" flush>
        <Table
          label="Employees"
          rows={shown}
          sort={sort}
          skeletons={3}
          onPress={(row) => toast(`Opened ${row.name}`, 'notice')}
          empty={
            <Empty title="No employees yet" icon={<Inbox aria-hidden />}>
              They appear here as soon as you add the first.
            </Empty>
          }
          columns={person_columns}
        />
        <Pager next="key" summary={`3 of ${count(100_000)}`} />
      </Card>
      <Card title="Failed">
        <Failed sentence="The service is not available right now." onRetry={() => toast('Asked')} />
      </Card>
    </>
  )
}
