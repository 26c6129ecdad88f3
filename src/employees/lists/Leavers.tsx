import { paths, pathTo } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { allOf, count, counted, money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Table } from '#ui/Table.tsx'
import type { Leaver, ListedImport } from '#employees/imports/imports.contract.ts'

/** Admins and suspended people who are missing: a file ends neither's employment. */
export function Staying({ id }: { id: string }) {
  const found = useRead(lazy_api.imports.people, { id, kind: 'staying' })
  if (!found?.people.length) return null
  const names = found.people.map(({ full_name, email }) => full_name ?? email ?? '')
  return (
    <p className="text-sm text-soft wrap-anywhere">
      {'Not in the file and not affected (Company Admins and suspended employees): '}
      {`${allOf(names.slice(0, 20))}${names.length > 20 ? ' and more' : ''}.`}
    </p>
  )
}

/**
 * The people who would leave and what that means in money, by the rules for all leavers. People selected in the list are among
 * the changes above.
 */
export function Leavers({ found }: { found: ListedImport }) {
  const { key: after, keep, pager } = usePages<number>(found.id)
  const listed = useRead(
    lazy_api.imports.leavers,
    found.status === 'undone' ? undefined : { id: found.id, after },
    { keep },
  )
  if (found.status === 'undone') return null
  if (!listed) return found.missing > 0 ? <Skeleton className="h-40 w-full" /> : null
  const { people, available_cents, open_cents, open_claims, currency, filing_days } = listed
  if (people === 0) return null
  const rows = listed.leavers.map((leaver) => ({ ...leaver, id: leaver.person_id }))
  const title = found.chosen ? 'With a last day' : 'Not in the file, or with a last day'
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold">{`${title} · ${count(people)}`}</h3>
      <p className="text-sm">
        {found.status === 'done' && found.leaves ? 'Of those who leave: ' : 'If they leave: '}
        {`${money(available_cents, currency)} can still be claimed`}
        {filing_days !== null && ` until ${counted(filing_days, 'day')} after their last day`}
        {', then goes back to your pools. '}
        {open_claims > 0 && `${counted(open_claims, 'claim')} waiting for a decision. `}
        {open_cents > 0 && `${money(open_cents, currency)} is in open or approved claims.`}
      </p>
      {!found.chosen && (
        <div className="overflow-clip rounded-card border border-line">
          <Rows rows={rows} currency={currency} />
          {pager(listed.next)}
        </div>
      )}
    </section>
  )
}

const Rows = ({ rows, currency }: { rows: (Leaver & { id: string })[]; currency: string }) => (
  <Table
    label="Employees who would leave"
    rows={rows}
    empty={null}
    to={({ person_id }) => pathTo(paths.person, person_id)}
    columns={{
      Name: ({ full_name, email }) => <span className="wrap-anywhere">{full_name ?? email}</span>,
      Department: ({ department }) => department ?? '–',
      'Left to claim': {
        cell: ({ available_cents: cents }) => <Money cents={cents} currency={currency} />,
        end: true,
      },
      'Open claims': { cell: ({ open_claims: open }) => count(open), end: true },
    }}
  />
)
