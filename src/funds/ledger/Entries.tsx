// The entries of accounts and what was in them on a day: of a company, of one of its people, or one's own.
import { ArrowRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Category } from '#categories.ts'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { DateFilter } from '#ui/DateField.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Select } from '#ui/SelectField.tsx'
import { Table, type TableProps } from '#ui/Table.tsx'
import { knownOf, useFilter, usePageKey } from '#ui/url-state.ts'
import { ClaimLink, type EntryRow as Row } from './ClaimLink.tsx'
import { CompanyEntryFilter, EntryFilter, type FundAccount } from './ledger.contract.ts'
import { UsedAndPaid } from './UsedAndPaid.tsx'
import { AccountKind } from '#funds/terms.contract.ts'
import { ownColumns } from '#funds/my-money/own-entries.tsx'
import { accountName, nameOfEntry, noteText, ownAccountName } from '#funds/words.ts'

type EntriesProps = {
  plan_year: string | undefined
  currency: string
  person_id?: string | undefined
  /** The reader's own entries, in the words for employees. */
  own?: boolean
}

const ofCompany = {
  accounts: api.funds.accounts,
  statement: api.funds.statement,
  csv: api.funds.export_statement,
}
const ofMine: typeof ofCompany = {
  accounts: api.funds.my_accounts,
  statement: api.funds.my_statement,
  csv: api.funds.export_my_statement,
}

export function Entries({ plan_year, currency, person_id, own = false }: EntriesProps) {
  const calls = own ? ofMine : ofCompany
  const [account, setAccount] = useFilter('account')
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  const { after } = usePageKey()
  const accounts = useRead(calls.accounts, { plan_year, person_id })
  const [of_kind, of_category] = /^\d*$/.test(account) ? [] : account.split(' ')
  const kind = AccountKind.safeParse(of_kind).data
  const category = Category.safeParse(of_category).data
  const filter = knownOf(CompanyEntryFilter, {
    plan_year,
    ...(of_kind ? { kind, category } : { account_id: account || undefined }),
    person_id,
    from: from || undefined,
    to: to || undefined,
  })
  const statement = useRead(calls.statement, { ...filter, after, limit: 25 }, { keep: true })
  const upside_down = Boolean(from && to && from > to)
  return (
    <Card
      title="Statement"
      description="Every entry of this plan year, newest first"
      actions={<DownloadButton file={() => calls.csv(filter)}>Export CSV</DownloadButton>}
      flush
    >
      <div className="flex flex-wrap gap-3 border-b border-line px-5 py-4">
        <Labelled label={own ? 'Show' : 'Account'}>
          <Select
            value={account}
            onChange={(event) => setAccount(event.target.value)}
            className="h-9 w-full sm:w-56"
          >
            <option value="">{own ? 'All of your money' : 'All accounts'}</option>
            {accounts?.map((a) => (
              <option key={nameOf(own)(a)} value={a.id ?? `${a.kind} ${a.category}`}>
                {nameOf(own)(a)}
              </option>
            ))}
          </Select>
        </Labelled>
        <Day label="From" value={from} onChange={setFrom} />
        <Day label="To" value={to} onChange={setTo} />
      </div>
      {!own && !person_id && <UsedAndPaid {...{ plan_year, currency, from, to }} />}
      <Table
        label="Statement"
        rows={statement?.entries.map((entry) => ({
          ...entry,
          key: entry.id,
          id: String(entry.id),
        }))}
        empty={upside_down ? 'From is later than To' : 'No entries in this time'}
        columns={(own ? ownColumns : entryColumns)(currency, Boolean(account) && !of_kind)}
      />
      <Pager next={statement?.next} />
    </Card>
  )
}

const nameOf = (own: boolean) => (own ? ownAccountName : accountName)

const entryColumns = (currency: string, of_one: boolean): TableProps<Row>['columns'] => ({
  When: {
    phone: 'below',
    cell: (row: Row) => <DateText value={row.posted_at} show="moment" />,
  },
  What: {
    phone: 'start',
    cell: (row: Row) => (
      <div className="min-w-0">
        <p className="font-medium">
          {nameOfEntry(row)} <ClaimLink row={row} to={paths.claim} />
        </p>
        <p className="text-ui font-normal text-soft max-sm:line-clamp-2">{aboutEntry(row)}</p>
      </div>
    ),
  },
  'From and to': (row: Row) => (
    <div className="text-ui max-sm:text-right sm:whitespace-nowrap">
      <p>{accountName(row.from)}</p>
      <p className="flex items-center gap-1.5 max-sm:justify-end">
        <ArrowRight className="size-3.5 text-faint" aria-label="to" />
        {accountName(row.to)}
      </p>
    </div>
  ),
  Entry: { wide_only: true, roomy: true, cell: numberOf },
  Amount: {
    end: true,
    phone: 'end',
    cell: (row: Row) => <Money cents={row.amount_cents} currency={currency} />,
  },
  // The balance of the chosen account; without one, of each side, next to its name.
  Balance: {
    end: true,
    // Two balances would be figures without names there.
    ...(of_one ? { phone: 'below_end' as const } : {}),
    cell: (row: Row) => (
      <div className={of_one ? undefined : 'text-right text-ui text-soft'}>
        {(of_one ? [row] : [row.from, row.to]).map(({ id, balance_cents }) => (
          <p key={id}>
            {balance_cents === null ? '–' : <Money cents={balance_cents} currency={currency} />}
          </p>
        ))}
      </div>
    ),
  },
})

const numberOf = (row: Row) => (row.number ? `No. ${row.number}` : <Badge>being sealed</Badge>)

function aboutEntry({ event, person_name, note: noted, actor_name }: Row): string {
  const note = noteText({ event, note: noted })
  const by = actor_name && actor_name !== person_name && `by ${actor_name}`
  return [person_name, note, by].filter(Boolean).join(' · ')
}

export function Balances({ plan_year, currency, person_id, own = false }: EntriesProps) {
  const calls = own ? ofMine : ofCompany
  const [as_of_filter, setAsOf] = useFilter('as_of')
  const as_of = EntryFilter.shape.to.safeParse(as_of_filter).data ?? ''
  const accounts = useRead(
    calls.accounts,
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
        rows={accounts?.map((account) => ({ ...account, id: nameOf(own)(account) }))}
        empty={own ? 'No money yet' : 'No accounts yet'}
        columns={{
          [own ? 'Where it is' : 'Account']: (account: { id: string }) => account.id,
          ...(own ? {} : { Of: { wide_only: true, cell: whoseOf } }),
          Balance: {
            end: true,
            phone: 'end',
            cell: (account) => <Money cents={account.balance_cents} currency={currency} />,
          },
        }}
      />
      {sum !== undefined && !person_id && !own && (
        <p className="border-t border-line px-5 py-3 text-right text-ui text-soft">
          {`Total ${money(sum, currency)}: all that came in is in one of these accounts`}
        </p>
      )}
    </Card>
  )
}

const whoseOf = (account: Pick<FundAccount, 'kind' | 'person_name'>) =>
  account.person_name ?? (isPeoples(account.kind) ? 'People, in total' : 'The company')

const isPeoples = (kind: FundAccount['kind']) =>
  !['funding', 'unallocated', 'pool', 'forfeited'].includes(kind)

type DayProps = { label: string; value: string; onChange: (day: string) => void }

function Day({ label, value, onChange }: DayProps) {
  const id = useId()
  return (
    <div className={labelled}>
      <label htmlFor={id} className={labelStyles}>
        {label}
      </label>
      <DateFilter id={id} value={value} onChange={onChange} />
    </div>
  )
}

const labelled = 'flex w-full items-center gap-2 text-ui text-soft sm:w-auto'
const labelStyles = 'w-16 shrink-0 sm:w-auto'

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <label className={labelled}>
    <span className={labelStyles}>{label}</span>
    {children}
  </label>
)
