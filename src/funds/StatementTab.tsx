import { ArrowRight } from 'lucide-react'
import { type ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { api } from '#api.ts'
import { paths, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { inputLook } from '#ui/Field.tsx'
import { Money, money } from '#ui/Money.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { useFilter, usePageKey } from '#ui/url-state.ts'
import type { FundAccount, FundEntry } from './ledger.contract.ts'
import { accountName, eventNames } from './words.ts'

type Props = { plan_year: string | undefined; currency: string | undefined }

export function StatementTab({ plan_year, currency = 'EUR' }: Props) {
  const [asked, setPerson] = useFilter('person')
  const person_id = z.uuid().safeParse(asked).data
  const person = useRead(api.funds.of_person, person_id ? { person_id } : undefined)
  const known = { plan_year, currency, person_id }
  return (
    <div className="flex flex-col gap-6">
      {person_id && (
        <Callout
          title={person?.full_name ?? 'One person'}
          action={
            <Button size="small" onClick={() => setPerson('')}>
              Show all
            </Button>
          }
        >
          Only this person’s accounts and entries are shown.
        </Callout>
      )}
      <Entries key={person_id} {...known} />
      <Balances {...known} />
    </div>
  )
}

type Known = {
  plan_year: string | undefined
  currency: string
  person_id: string | undefined
}

function Entries({ plan_year, currency, person_id }: Known) {
  const [account, setAccount] = useFilter('account')
  const [from, , setFrom] = useFilter('from')
  const [to, , setTo] = useFilter('to')
  const { after } = usePageKey()
  const accounts = useRead(api.funds.accounts, { plan_year, person_id })
  const filter = {
    plan_year,
    account_id: account || undefined,
    person_id,
    from: from || undefined,
    to: to || undefined,
  }
  const statement = useRead(api.funds.statement, { ...filter, after, limit: 25 }, { keep: true })
  return (
    <Card
      title="Statement"
      description="Every entry of this plan year, newest first"
      actions={<ExportButton filter={filter} />}
      flush
    >
      <div className="flex flex-wrap gap-3 border-b border-line px-5 py-4">
        <Labelled label="Account">
          <select
            value={account}
            onChange={(event) => setAccount(event.target.value)}
            className={`${inputLook} sm:w-56!`}
          >
            <option value="">All accounts</option>
            {accounts?.filter(isSingle).map((a) => (
              <option key={a.id} value={a.id}>
                {accountName(a)}
              </option>
            ))}
          </select>
        </Labelled>
        <Day label="From" value={from} onChange={setFrom} />
        <Day label="To" value={to} onChange={setTo} />
      </div>
      <Table
        label="Statement"
        rows={statement?.entries.map((entry) => ({
          ...entry,
          key: entry.id,
          id: String(entry.id),
        }))}
        empty="No entries in this time"
        columns={columns(currency, Boolean(account))}
      />
      <Pager next={statement?.next} />
    </Card>
  )
}

const isSingle = (account: FundAccount): account is FundAccount & { id: number } =>
  account.id !== null

type Row = Omit<FundEntry, 'id'> & { id: string }

const columns = (currency: string, of_one: boolean) => ({
  When: (row: Row) => <DateText value={row.posted_at} show="moment" />,
  What: (row: Row) => (
    <div className="min-w-0">
      <p className="font-medium">
        {eventNames[row.event]} <ClaimLink row={row} />
      </p>
      <p className="text-ui text-soft">
        {[row.person_name, row.note, row.actor_name && `by ${row.actor_name}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  ),
  'From and to': (row: Row) => (
    <div className="text-ui max-sm:text-right sm:whitespace-nowrap">
      <p>{accountName(row.from)}</p>
      <p className="flex items-center gap-1.5 max-sm:justify-end">
        <ArrowRight className="size-3.5 text-faint" aria-label="to" />
        {accountName(row.to)}
      </p>
    </div>
  ),
  Entry: {
    wide_only: true,
    roomy: true,
    cell: (row: Row) => (row.number ? `No. ${row.number}` : <Badge>being sealed</Badge>),
  },
  Amount: {
    end: true,
    cell: (row: Row) => <Money cents={row.amount_cents} currency={currency} />,
  },
  // Of the account that was chosen, else of each side, on the line of its name.
  Balance: {
    end: true,
    cell: (row: Row) => (
      <div className={of_one ? undefined : 'text-right text-ui text-soft'}>
        {(of_one ? [row] : [row.from, row.to]).map(({ id, balance_cents }) => (
          <p key={id}>
            <Money cents={balance_cents ?? 0} currency={currency} />
          </p>
        ))}
      </div>
    ),
  },
})

/** Of a claim that is there to be opened; else its number alone. */
function ClaimLink({ row: { claim_id, claim_opens } }: { row: Row }) {
  if (claim_id === null) return null
  if (!claim_opens) return `#${claim_id}`
  return (
    <Link
      to={pathTo(paths.claim, claim_id)}
      aria-label={`Claim #${claim_id}`}
      className="figures rounded text-primary-ink hover:underline"
    >
      {`#${claim_id}`}
    </Link>
  )
}

function Balances({ plan_year, currency, person_id }: Known) {
  const [as_of, , setAsOf] = useFilter('as_of')
  const accounts = useRead(
    api.funds.accounts,
    { plan_year, person_id, as_of: as_of || undefined },
    { keep: true },
  )
  const sum = accounts?.reduce((total, account) => total + account.balance_cents, 0)
  return (
    <Card
      title="Balances"
      description={as_of ? `As they stood at the end of ${dateText(as_of)}` : 'As they stand now'}
      actions={<Day label="As of" value={as_of} onChange={setAsOf} />}
      flush
    >
      <Table
        label="Balances"
        rows={accounts?.map((account) => ({ ...account, id: accountName(account) }))}
        empty="No accounts yet"
        columns={{
          Account: (account) => accountName(account),
          Of: {
            wide_only: true,
            cell: (account) =>
              account.person_name ?? (isPeoples(account.kind) ? 'People, in sum' : 'The company'),
          },
          Balance: {
            end: true,
            cell: (account) => <Money cents={account.balance_cents} currency={currency} />,
          },
        }}
      />
      {sum !== undefined && !person_id && (
        <p className="border-t border-line px-5 py-3 text-right text-ui text-soft">
          {`Total ${money(sum, currency)}: all that came in is in one of these accounts`}
        </p>
      )}
    </Card>
  )
}

const isPeoples = (kind: FundAccount['kind']) =>
  !['funding', 'unallocated', 'pool', 'forfeited'].includes(kind)

type DayProps = { label: string; value: string; onChange: (day: string) => void }

const Day = ({ label, value, onChange }: DayProps) => (
  <Labelled label={label}>
    <input
      type="date"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${inputLook} sm:w-40!`}
    />
  </Labelled>
)

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <label className="flex w-full items-center gap-2 text-ui text-soft sm:w-auto">
    <span className="w-16 shrink-0 sm:w-auto">{label}</span>
    {children}
  </label>
)

type Filter = Parameters<typeof api.funds.export_statement>[0]

const ExportButton = ({ filter }: { filter: Filter }) => (
  <DownloadButton name="statement.csv" file={() => api.funds.export_statement(filter)}>
    Export CSV
  </DownloadButton>
)
