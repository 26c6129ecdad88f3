import { Info } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Columns } from '#ui/Columns.tsx'
import { Drawer } from '#ui/Drawer.tsx'
import { count } from '#ui/figures.ts'
import { Kbd } from '#ui/Kbd.tsx'
import { LinkTabs } from '#ui/LinkTabs.tsx'
import { LongTable } from '#ui/LongTable.tsx'
import { Money } from '#ui/Money.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { PartsRow, PartsSection } from './PartsSection.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Section as PagePart } from '#ui/Section.tsx'
import { Tooltip } from '#ui/Tooltip.tsx'

/** Parts that are long, that lie beside each other, and that are drawn. */
export function PartsOfLists() {
  return (
    <>
      <PartsSection title="Charts">
        <Card
          title="Used in the last months"
          description="The same figures as a table, one press away"
        >
          <Chart />
        </Card>
      </PartsSection>
      <PartsSection title="Long tables">
        <Long />
      </PartsSection>
      <PartsSection title="Pages of a part">
        <Years />
      </PartsSection>
      <PartsSection title="Rows that are chosen, and more of them">
        <Chosen />
      </PartsSection>
      <PartsSection title="Pages beside each other, hints and keys">
        <LinkTabs
          label="Pages beside each other"
          tabs={[
            { to: '/test/parts/index.html', title: 'This one' },
            { to: '/demo', title: 'Another' },
            { to: '/contact', title: 'And one with a longer name' },
          ]}
        />
        <Hints />
      </PartsSection>
      <PartsSection title="A part of a long page">
        <PagePart
          id="part"
          title="Profile Information"
          description="What it is about stands at the left, its cards at the right."
        >
          <Card title="One of its cards">
            <p className="text-sm text-soft">On a phone one stands below the other.</p>
          </Card>
        </PagePart>
      </PartsSection>
    </>
  )
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug']

const Chart = () => (
  <Columns
    label="Used in the last months"
    of="Month"
    series={[
      { name: 'Prevention', fill: 'prevention' },
      { name: 'Treatment', fill: 'treatment' },
      { name: 'Solidarity', fill: 'solidarity' },
    ]}
    groups={months.map((name, at) => ({
      name,
      short: name,
      values: [40_000 + at * 9_000, 90_000 - at * 4_000, at % 3 ? 0 : 22_000],
    }))}
    show={(cents) => <Money cents={cents} currency="EUR" whole />}
  />
)

const many = Array.from({ length: 200 }, (_, at) => ({
  id: `${at + 1}`,
  name: at === 2 ? 'Maximiliana-Theodora Wolfeschlegelsteinhausenbergerdorff' : `Person ${at + 1}`,
  cents: 1_234_567_890 - at * 1_000_000,
}))

function Long() {
  const [shown, setShown] = useState(20)
  const rows = many.slice(0, shown)
  const more = shown < many.length ? () => setShown(shown + 20) : undefined
  return (
    <Card title="People" flush>
      <LongTable
        label="People"
        rows={rows}
        more={more}
        total={many.length}
        empty="Nobody yet"
        columns={{
          Name: { cell: ({ name }) => name },
          Balance: {
            cell: ({ cents }) => <Money cents={cents} currency="EUR" />,
            end: true,
            width: 'sm:w-40',
          },
        }}
      />
      <p className="border-t border-line px-5 py-3 text-ui text-soft">
        {count(rows.length)} of {count(many.length)}
      </p>
    </Card>
  )
}

function Chosen() {
  const [chosen, choose] = useState(false)
  return (
    <Card title="Claims">
      <PartsRow>
        <Checkbox label="Select claim #1" checked={chosen} onChange={() => choose(!chosen)} />
        <Checkbox label="Select claim #2" checked={false} onChange={() => {}} unless="own_claim" />
      </PartsRow>
      <MoreButton list={{ more: () => choose(true) }} />
      <MoreButton list={{ more: undefined, fetching: true }} />
      <MoreButton list={{ more: () => choose(true), failed: true }} />
    </Card>
  )
}

function Years() {
  const [year, setYear] = useState('2027')
  return (
    <Card
      title="People of a year"
      flush
      actions={
        <PartsRow>
          {['2026', '2027'].map((one) => (
            <Button key={one} size="small" onClick={() => setYear(one)}>
              {one}
            </Button>
          ))}
        </PartsRow>
      }
    >
      <PeopleOfYear year={year} />
    </Card>
  )
}

function PeopleOfYear({ year }: { year: string }) {
  const { key: after = 0, pager } = usePages<number>(year)
  return (
    <>
      <p className="p-5 text-sm">{`${year}: people ${after + 1} to ${after + 10}`}</p>
      {pager(after + 10)}
    </>
  )
}

function Hints() {
  const [open, setOpen] = useState(false)
  return (
    <PartsRow>
      <Tooltip text="Another admin has to release it">
        <Button icon={Info}>Why</Button>
      </Tooltip>
      <Button>
        Approve <Kbd>A</Kbd>
      </Button>
      <Button variant="primary">
        Approve <Kbd onFill>A</Kbd>
      </Button>
      <Button onClick={() => setOpen(true)}>Open drawer</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="Menu">
        <p className="p-6 text-sm text-soft">The menu of a small screen.</p>
      </Drawer>
    </PartsRow>
  )
}
