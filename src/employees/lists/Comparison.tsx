import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { count, counted } from '#ui/figures.ts'
import type { Encoding, ListedImport } from '#employees/imports/imports.contract.ts'
import { rowsToApply } from '#employees/imports/ImportsUnderWay.tsx'
import { NotTaken } from '#employees/imports/ImportView.tsx'
import { Price } from '#employees/imports/Price.tsx'
import { ApplyFile } from './ApplyFile.tsx'
import { ComparedPeople } from './ComparedPeople.tsx'
import { Leavers, Staying } from './Leavers.tsx'
import { encodingLabels } from './MatchColumns.tsx'

type Props = { found: ListedImport; onClose: () => void; onDone: () => void }

/** A compared file: whom it changes, who is missing and what that means, and what can be done now. */
export function Comparison({ found: listed, onClose, onDone }: Props) {
  const detail = useRead(lazy_api.imports.find, { id: listed.id })
  const found = detail ?? listed
  const { file_name, encoding, full_list, chosen, missing, changes, fresh } = found
  const undone = found.status === 'undone'
  return (
    <Card
      title={file_name}
      description={
        <>
          {chosen
            ? 'People chosen in the list'
            : full_list
              ? 'The list of all employees'
              : 'New people only'}
          {encoding &&
            `, read as ${encoding === 'xlsx' ? 'an Excel workbook' : (encodingLabels[encoding as Encoding] ?? encoding)}`}
          {chosen ? ', ' : ', sent '}
          <DateText value={found.created_at} show="moment" />
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <State found={found} />
        {!undone && <Counts found={found} />}
        {fresh > 0 && !undone && (
          <ComparedPeople id={found.id} kind="fresh" title="New" items={fresh} />
        )}
        {changes > 0 && !undone && (
          <ComparedPeople id={found.id} kind="changes" title="Changes" items={changes} />
        )}
        {full_list && <Leavers found={found} />}
        {full_list && <Staying id={found.id} />}
        {missing > 0 && found.status === 'done' && !found.leaves && (
          <p className="text-sm text-soft">{`${counted(missing, 'employee')} not in the file stayed.`}</p>
        )}
        <ComparedPeople
          id={found.id}
          kind="untouched"
          title="Not changed"
          items={found.untouched}
        />
        <ComparedPeople
          id={found.id}
          kind="kept"
          title="Stayed when it was undone"
          items={found.kept}
        />
        <NotTaken found={found} />
        {detail && <ApplyFile found={detail} onClose={onClose} onDone={onDone} />}
      </div>
    </Card>
  )
}

const row_outcomes = [
  ['rows', 'Rows'],
  ['fresh', 'New'],
  ['changes', 'Changes'],
  ['missing', 'Not in the file'],
  ['same', 'No changes'],
] as const
const kinds_of_chosen = [
  ['changes', 'Changes'],
  ['same', 'No changes'],
] as const

function Counts({ found }: { found: ListedImport }) {
  const refused = found.rows - found.fresh - found.changes - found.same
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line text-sm sm:grid-cols-3">
      {(found.chosen ? kinds_of_chosen : row_outcomes).map(([kind, label]) => (
        <div key={kind} className="bg-raised px-4 py-3">
          <dt className="text-ui text-soft">{label}</dt>
          <dd className="figures mt-0.5 text-lg font-semibold">{count(found[kind])}</dd>
        </div>
      ))}
      <div className="bg-raised px-4 py-3">
        <dt className="text-ui text-soft">Can’t be applied</dt>
        <dd className="figures mt-0.5 text-lg font-semibold">{count(refused)}</dd>
      </div>
    </dl>
  )
}

function unchangedBecause({ rows, same, chosen }: ListedImport): string {
  if (rows > same) return 'What can’t be applied is below, with the reason.'
  return chosen
    ? 'Everybody you chose already has it.'
    : 'Everybody in this file is already here with the same details.'
}

function whatChanged(
  { chosen, taken, leaves }: ListedImport,
  applied: NonNullable<ListedImport['applied']>,
) {
  const parts = [
    !chosen && counted(taken, 'new person', 'new people'),
    counted(applied.changed, 'change'),
    leaves && `${counted(applied.left, 'last day')} set`,
  ]
  return parts.filter(Boolean).join(', ')
}

function State({ found }: { found: ListedImport }) {
  const { status, done, untouched, kept } = found
  const all = rowsToApply(found)
  if (status === 'importing') {
    return (
      <div className="flex flex-col gap-2">
        <p className="figures text-sm">
          {`${count(done)} of ${count(all)} applied. You can leave this page: it continues in the background.`}
        </p>
        <Progress percent={all === 0 ? 0 : (100 * done) / all} label="Applying" />
      </div>
    )
  }
  if (status === 'undoing') return <Progress label="Undoing" />
  if (status === 'waiting') {
    return (
      <Callout tone="accent" title="Waiting for another admin">
        {`${found.started_by_name ?? 'An admin'} started it. So many leavers need a second admin. Nothing has changed yet. `}
        {all > 0 && <Price id={found.id} />}
      </Callout>
    )
  }
  if (status === 'undone') {
    return (
      <Callout tone="good" title="Undone">
        {kept > 0 && `${counted(kept, 'person', 'people')} stayed as they are now: see below.`}
      </Callout>
    )
  }
  if (status === 'done') {
    return (
      <Callout tone="good" title="Applied">
        {found.applied && `${whatChanged(found, found.applied)}. `}
        {found.taken > 0 &&
          'New people are pending, without allowances, until they follow the link in their email. '}
        {untouched > 0 &&
          `${counted(untouched, 'person was', 'people were')} left as they are: see below.`}
      </Callout>
    )
  }
  return all + found.missing === 0 ? (
    <Callout title="Nothing to change">{unchangedBecause(found)}</Callout>
  ) : (
    <Callout title="Nothing has changed yet">
      Check what was found, then apply it. {all > 0 && <Price id={found.id} />}
    </Callout>
  )
}
