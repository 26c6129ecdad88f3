import { useId, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import type { BookSums } from '#books/books.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { counted, money } from '#ui/figures.ts'
import { Select } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** The journal of a month for the company’s books, with its proof: the number of postings, and their sum. */
export function JournalCard() {
  const today = useRead(lazy_api.payouts.preview, {})?.cut_off_on
  return (
    <Card title="Journal" description="A month for your company’s books">
      {today ? <OfMonth months={monthsBefore(today)} /> : <Skeleton className="h-10 w-full" />}
    </Card>
  )
}

function OfMonth({ months }: { months: readonly string[] }) {
  const field = useId()
  const [month, setMonth] = useState(months[1] ?? '')
  const sums = useRead(lazy_api.books.sums, { month }, { keep: true })
  return (
    <div className="flex flex-col gap-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <label htmlFor={field} className="sr-only">
          Month of the journal
        </label>
        <Select id={field} value={month} onChange={({ target }) => setMonth(target.value)}>
          {months.map((one) => (
            <option key={one} value={one} className="bg-raised text-ink">
              {monthName.format(new Date(`${one}-01T00:00:00Z`))}
            </option>
          ))}
        </Select>
        {sums ? <Sums {...sums} /> : <Skeleton className="h-5 w-72" />}
        <JournalFiles period={{ month }} refusals={sums?.refusals} />
      </div>
      <MissingCodes what="Accounts" names={sums?.missing} />
    </div>
  )
}

function Sums({ postings, cents, so_far }: { postings: number; cents: number; so_far: boolean }) {
  const { currency } = useActor()
  return (
    <p className="min-w-0 flex-1 basis-60 text-pretty text-soft">
      {counted(postings, 'posting')}
      {so_far && ' so far'}. Debits and credits: {money(cents, currency ?? 'EUR')} each.{' '}
      {so_far
        ? 'The month is final once it is over.'
        : 'The month is final: what changes later is posted later.'}
    </p>
  )
}

type MissingProps = { what: string; names: readonly string[] | undefined }

export const MissingCodes = ({ what, names }: MissingProps) =>
  names !== undefined &&
  names.length > 0 && (
    <Callout tone="accent" title={`${what} to enter first`}>
      {names.join(', ')}.{' '}
      <Link className="underline" to={`${paths.settings}#books`}>
        Open Settings
      </Link>
    </Callout>
  )

type FilesProps = {
  period: { id?: number; month?: string }
  refusals: BookSums['refusals'] | undefined
}

/** The same journal for any books, and as DATEV’s Buchungsstapel. */
export const JournalFiles = ({ period, refusals }: FilesProps) => (
  <div className="flex flex-wrap gap-2">
    <DownloadButton unless={refusals?.journal} file={() => lazy_api.books.journal(period)}>
      Journal CSV
    </DownloadButton>
    <DownloadButton
      unless={refusals?.datev}
      file={() => lazy_api.books.journal({ ...period, format: 'datev' })}
    >
      Journal DATEV
    </DownloadButton>
  </div>
)

const monthName = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** The running month and the twelve before it. */
function monthsBefore(today: string): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  return Array.from({ length: 13 }, (_, ago) =>
    new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 7),
  )
}
