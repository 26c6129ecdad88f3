import { ArrowRight, Banknote, HandCoins, PiggyBank, Undo2, Users } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { count, counted, money } from '#ui/figures.ts'
import { categoryNames } from '#categories.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card, StatCard, Stats } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { Adjustments } from '#funds/adjustments/Adjustments.tsx'
import { CategoryCard } from './CategoryCard.tsx'
import type { FundOverview, RebalanceDone, WaitingForFunds } from './funds.contract.ts'
import { VerifyCard } from '#funds/ledger/VerifyCard.tsx'

type Props = { funds: FundOverview | undefined; onAllocate: () => void }

export function FundsOverview({ funds, onAllocate }: Props) {
  const may = useMay()
  return (
    <div className="flex flex-col gap-6">
      {funds?.regrant && <Regranting {...funds.regrant} />}
      {funds && funds.waiting.people > 0 && <Waits funds={funds} onAllocate={onAllocate} />}
      <FundStats funds={funds} />
      <div className="grid gap-4 lg:grid-cols-3">
        {(funds?.categories ?? [undefined, undefined, undefined]).map((fund, at) => (
          <CategoryCard
            key={fund?.category ?? at}
            fund={fund}
            currency={funds?.currency ?? 'EUR'}
            ends_on={funds?.ends_on}
          />
        ))}
      </div>
      {may('adjustments.list') && <Adjustments />}
      {funds && may('funds.rebalances') && <Rebalances funds={funds} />}
      <VerifyCard />
    </div>
  )
}

const Regranting = ({ people, people_done }: { people: number; people_done: number }) => (
  <Callout title="Allowances are being updated">
    <p className="mb-2">{`${count(people_done)} of ${counted(people, 'person', 'people')} done. You can leave this page.`}</p>
    <Progress label="Updating allowances" percent={people ? (100 * people_done) / people : 0} />
  </Callout>
)

const waitingCents = (waiting: WaitingForFunds) =>
  waiting.prevention_cents + waiting.treatment_cents + waiting.solidarity_cents

function Waits({ funds, onAllocate }: { funds: FundOverview; onAllocate: () => void }) {
  const [listed, setListed] = useState(false)
  const may = useMay()
  const { people } = funds.waiting
  const lacking = funds.categories
    .map(({ category, free_cents }) => ({
      category,
      cents: funds.waiting[`${category}_cents`] - free_cents,
    }))
    .filter(({ cents }) => cents > 0)
    .map(
      ({ category, cents }) =>
        `${categoryNames[category]} is ${money(cents, funds.currency)} short`,
    )
  return (
    <>
      <Callout
        tone="accent"
        title={`${counted(people, 'person waits', 'people wait')} for funds`}
        action={
          <span className="flex gap-2">
            {may('funds.waiting') && (
              <Button size="small" aria-expanded={listed} onClick={() => setListed(!listed)}>
                {listed ? 'Hide them' : 'Show them'}
              </Button>
            )}
            {may('funds.allocate') && (
              <Button size="small" variant="primary" onClick={onAllocate}>
                Allocate
              </Button>
            )}
          </span>
        }
      >
        {`Their grants come to ${money(waitingCents(funds.waiting), funds.currency)}. `}
        {lacking.length > 0 && `${lacking.join(', ')}. `}
        Those who joined first get their grants first.
      </Callout>
      {listed && <WaitingList funds={funds} />}
    </>
  )
}

function WaitingList({ funds: { plan_year, currency } }: { funds: FundOverview }) {
  const { key: after, keep, pager } = usePages<string>(plan_year)
  const list = useRead(api.funds.waiting, { plan_year, after, limit: 10 }, { keep })
  return (
    <Card title="Waiting for funds" description="In order of joining" flush>
      <Table
        label="People waiting for funds"
        rows={list?.people}
        empty="Nobody is waiting"
        columns={{
          Name: (person) => person.full_name,
          Joined: (person) => <DateText value={person.joined_on} />,
          Prevention: amount((person: WaitingAmounts) => person.prevention_cents, currency),
          Treatment: amount((person: WaitingAmounts) => person.treatment_cents, currency),
          Solidarity: amount((person: WaitingAmounts) => person.solidarity_cents, currency),
        }}
      />
      {pager(list?.next)}
    </Card>
  )
}

type WaitingAmounts = Omit<WaitingForFunds, 'people'>

function amount<Row>(cents: (row: Row) => number, currency: string) {
  return { cell: (row: Row) => <Money cents={cents(row)} currency={currency} />, end: true }
}

/** Only a year that follows another one can have carried money. */
const contributedNote = ({ years, plan_year }: FundOverview) =>
  years.some((year) => plan_year && year < plan_year) ? 'carry-over included' : 'for this plan year'

function FundStats({ funds }: { funds: FundOverview | undefined }) {
  const total = funds?.total
  const shown = (cents: number): ReactNode =>
    funds && <Money cents={cents} currency={funds.currency} />
  const share = (percent = 0) => `${percent}% of what is allocated`
  return (
    <Stats>
      <StatCard
        label="Contributed"
        icon={<Banknote aria-hidden />}
        value={shown(funds?.funded_cents ?? 0)}
        note={funds?.funded_cents ? contributedNote(funds) : 'nothing yet'}
      />
      <StatCard
        label="Unallocated"
        icon={<PiggyBank aria-hidden />}
        value={shown(funds?.unallocated_cents ?? 0)}
        note={
          funds?.unallocated_cents
            ? 'not in a category yet'
            : funds?.funded_cents
              ? 'fully allocated'
              : 'nothing to allocate yet'
        }
      />
      <StatCard
        label="Granted to people"
        icon={<Users aria-hidden />}
        value={shown(total?.granted_cents ?? 0)}
        note={share(total?.granted_percent)}
      />
      <StatCard
        label="Used"
        icon={<HandCoins aria-hidden />}
        value={shown(total?.used_cents ?? 0)}
        note={share(total?.percent)}
      />
    </Stats>
  )
}

function Rebalances({ funds: { plan_year, currency } }: { funds: FundOverview }) {
  const may = useMay()
  const done = useRead(api.funds.rebalances, { plan_year })
  const undo = useWrite(api.funds.undo_rebalance, 'Rebalance undone')
  const [undoing, setUndoing] = useState<RebalanceDone>()
  if (!done?.length) return null
  const moved = (undoing?.moves ?? []).map(
    ({ from, to, amount_cents }) =>
      `${money(amount_cents, currency)} from ${categoryNames[to]} back to ${categoryNames[from]}`,
  )
  return (
    <Card title="Rebalances" flush>
      <Table
        label="Rebalances"
        rows={done}
        empty="None yet"
        columns={{
          When: (row) => <DateText value={row.at} show="moment" />,
          Moved: (row) => (
            <ul>
              {row.moves.map((move) => (
                <li key={move.from + move.to} className="flex flex-wrap items-center gap-x-1.5">
                  {categoryNames[move.from]}
                  <ArrowRight className="size-3.5 text-faint" aria-label="to" />
                  {categoryNames[move.to]}
                  <Money cents={move.amount_cents} currency={currency} />
                </li>
              ))}
            </ul>
          ),
          Reason: (row) => row.note,
          By: { cell: (row) => row.actor_name ?? 'Healthfund', wide_only: true },
          Undo: {
            end: true,
            cell: (row) =>
              may('funds.undo_rebalance') && (
                <Button
                  size="small"
                  icon={<Undo2 className="size-3.5" aria-hidden />}
                  unless={row.refusals.undo}
                  onClick={() => setUndoing(row)}
                >
                  {row.undone ? 'Undone' : 'Undo'}
                </Button>
              ),
          },
        }}
      />
      <ConfirmDialog
        open={undoing !== undefined}
        onClose={() => setUndoing(undefined)}
        title="Undo this rebalance?"
        description={`It moves ${moved.join(', ')}.`}
        variant="primary"
        does="Undo rebalance"
        act={async () => undoing && undo.submit({ id: undoing.id })}
      />
    </Card>
  )
}
