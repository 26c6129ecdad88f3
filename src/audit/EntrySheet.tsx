import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { useMay } from '#permissions/use-may.ts'
import { paths, pathTo } from '#paths.ts'
import { Callout } from '#ui/Callout.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { money } from '#ui/figures.ts'
import type { AuditEntry } from './audit.contract.ts'
import { actText, isOfRow, isPlain, mergedEntry, type AuditStory } from './story.ts'
import { actorNameOf } from './words.contract.ts'
import { changesOf, isBeforeAndAfter, roleWord, type EntryChange } from './words.ts'

type Names = Readonly<Record<string, string>>

const inWords = (entry: AuditEntry, names: Names) =>
  changesOf(entry, names, { time: (time) => dateText(time, 'moment'), amount: money })

const shown_max = 4

/** The act, and below it the changes where the act does not say them. */
export function ActLine({ act, names }: { act: AuditStory; names: Names }) {
  const changes = isPlain(act) ? inWords(mergedEntry(act), names) : []
  const more = changes.length - shown_max
  return (
    <span className="block min-w-0">
      <span className="block">{act.text}</span>
      {changes.length > 0 && (
        <span className="block text-ui font-normal text-soft">
          {changes.slice(0, shown_max).map((change, at) => (
            <span key={change.field}>
              {`${at > 0 ? ' · ' : ''}${change.field}: `}
              {isBeforeAndAfter(act.lead.act, change) && (
                <>
                  {`${change.before ?? 'nothing'} `}
                  <ArrowRight
                    className="inline size-3 align-[-1px] text-faint"
                    aria-label="became"
                  />{' '}
                </>
              )}
              {change.after ?? 'nothing'}
            </span>
          ))}
          {more > 0 && ` · ${more} more`}
        </span>
      )}
    </span>
  )
}

type Props = { act: AuditStory | undefined; names: Names; onClose: () => void }

export function EntrySheet({ act, names, onClose }: Props) {
  return (
    <Sheet open={Boolean(act)} onClose={onClose} title={act?.text ?? ''}>
      {act && <ActEntries act={act} names={names} />}
    </Sheet>
  )
}

function ActEntries({ act: { lead, entries }, names }: { act: AuditStory; names: Names }) {
  return (
    <div className="flex flex-col gap-6 text-sm">
      <Facts
        variant="pairs"
        facts={[
          [
            'Who',
            <span key="who">
              {actorNameOf(lead)}
              {lead.actor_role !== 'system' && (
                <span className="text-soft"> · {roleWord(lead.actor_role)}</span>
              )}
            </span>,
          ],
          ['When', <DateText key="when" value={lead.at} show="moment" />],
          ['IP address', lead.erased ? 'erased' : (lead.address ?? 'inside the product')],
          lead.company_name && ['Company', lead.company_name],
        ]}
      />
      {entries.length === 1 ? (
        <Entry entry={lead} names={names} />
      ) : (
        <div className="flex flex-col gap-2">
          {[lead, ...entries.filter((entry) => entry !== lead)].map((entry) => (
            <details
              key={entry.id}
              open={isOfRow(lead, entry)}
              className="rounded-card border border-line px-4 py-2"
            >
              <summary className="cursor-pointer py-1 font-medium wrap-anywhere">
                {actText(entry)}
              </summary>
              <Entry entry={entry} names={names} />
            </details>
          ))}
        </div>
      )}
    </div>
  )
}

function Entry({ entry, names }: { entry: AuditEntry; names: Names }) {
  if (entry.erased === 'all') {
    return (
      <Callout>
        The person requested erasure, so the content of this entry was erased. Its place in the
        chain is kept.
      </Callout>
    )
  }
  return (
    <div>
      <ul className="divide-y divide-line border-y border-line">
        {inWords(entry, names).map((change) => (
          <ChangeRow key={change.field} change={change} act={entry.act} />
        ))}
      </ul>
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 text-ui text-soft">
        {`Entry ${entry.id}`}
        <ToClaim entry={entry} />
      </p>
    </div>
  )
}

function ToClaim({ entry: { table_name, row_id } }: { entry: AuditEntry }) {
  const may = useMay()
  if (table_name !== 'claims' || !may('review.find')) return null
  return (
    <Link
      to={pathTo(paths.claim, row_id)}
      className="rounded font-medium text-primary-ink underline underline-offset-2"
    >
      {`Open claim #${row_id}`}
    </Link>
  )
}

function ChangeRow({ change, act }: { change: EntryChange; act: AuditEntry['act'] }) {
  const { field, before, after } = change
  return (
    <li className="py-2.5">
      <p className="text-ui text-soft">{field}</p>
      <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
        {isBeforeAndAfter(act, change) && (
          <>
            <Value text={before} was />
            <ArrowRight className="size-3.5 shrink-0 text-faint" aria-label="became" />
          </>
        )}
        <Value text={act === 'delete' ? before : after} was={act === 'delete'} />
      </p>
    </li>
  )
}

const Value = ({ text, was }: { text: string | null; was?: boolean }) =>
  text === null ? (
    <span className="text-faint">nothing</span>
  ) : (
    <span className={was ? 'text-soft line-through decoration-faint' : 'font-medium'}>{text}</span>
  )
