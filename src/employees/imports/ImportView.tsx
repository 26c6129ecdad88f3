import { Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { useRead, useWrite } from '#ui/ask.ts'
import { Progress } from '#ui/Bar.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { allOf, count, counted } from '#ui/figures.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useScrollable } from '#ui/scrollable.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Import, imports, ListedImport } from './imports.contract.ts'
import { row_outcomes, findingText } from './finding-words.ts'
import { Price } from './Price.tsx'

type ViewProps = { id: string; unused: readonly string[]; onClose: () => void }

/** One file: what was found in it, how far it is, and what can be done now. */
export function ImportView({ id, unused, onClose }: ViewProps) {
  const found = useRead(lazy_api.imports.find, { id })
  if (!found) return <Skeleton className="h-48 w-full" />
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm font-medium wrap-anywhere">{found.file_name}</p>
      <State found={found} />
      {unused.length > 0 && (
        <p className="text-sm wrap-anywhere">{`Not used: ${allOf(unused)}.`}</p>
      )}
      <Found found={found} />
      <NotTaken found={found} />
      <ImportActions found={found} onClose={onClose} />
    </div>
  )
}

function State({ found }: { found: Import }) {
  const { status, done, fresh, taken, kept } = found
  if (status === 'importing') {
    return (
      <div className="flex flex-col gap-2">
        <p className="figures text-sm">
          {count(done)} of {count(fresh)} imported. You can leave this page: the import continues.
        </p>
        <Progress percent={fresh === 0 ? 0 : (100 * done) / fresh} label="Importing" />
      </div>
    )
  }
  if (status === 'undoing') return <Progress label="Undoing" />
  if (status === 'undone') {
    return (
      <Callout tone="good" title="Undone">
        {kept > 0 &&
          `${counted(kept, 'person stays', 'people stay')}: they had an account before, or came in meanwhile.`}
      </Callout>
    )
  }
  if (status === 'done') {
    return (
      <Callout tone="good" title={`Successfully added ${counted(taken, 'employee')}`}>
        Each gets an email with a link to set a password. Until they follow it they are pending, and
        have no allowances.
      </Callout>
    )
  }
  return fresh === 0 ? (
    <Callout tone="accent" title="Nobody new in this file">
      Every row is already here or needs fixing.
    </Callout>
  ) : (
    <Callout title={fresh === 1 ? 'One new person' : `${count(fresh)} new people`}>
      Nobody has been added yet. Check what was found, then import. <Price id={found.id} />
    </Callout>
  )
}

function Found({ found }: { found: Import }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line text-sm sm:grid-cols-3">
      {row_outcomes.map(([kind, label]) => (
        <div key={kind} className="bg-raised px-4 py-3">
          <dt className="text-ui text-soft">{label}</dt>
          <dd className="figures mt-0.5 text-lg font-semibold">{count(found[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}

export function NotTaken({ found }: { found: ListedImport }) {
  const { id, rows, fresh, changes, same } = found
  const refused = rows - fresh - changes - same
  const listed = useRead(lazy_api.imports.rows, refused > 0 ? { id } : undefined)
  if (refused === 0) return null
  return (
    <section aria-label="Rows not imported" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-sm font-semibold">
          {found.chosen
            ? `${counted(refused, 'person', 'people')} left as they are`
            : refused === 1
              ? 'One row can’t be imported'
              : `${count(refused)} rows can’t be imported`}
        </h3>
        <DownloadButton size="small" file={() => lazy_api.imports.rejected({ id })}>
          {found.chosen ? 'Download' : 'Download to fix'}
        </DownloadButton>
      </div>
      {listed ? (
        <FirstOfThem rows={listed.rows} numbered={!found.chosen} />
      ) : (
        <Skeleton className="h-11 w-full" />
      )}
    </section>
  )
}

function ImportActions({ found, onClose }: { found: Import; onClose: () => void }) {
  const { id, status, fresh, taken } = found
  const start = useWrite(lazy_api.imports.start)
  const discard = useWrite(lazy_api.imports.discard)
  const undo = useWrite(lazy_api.imports.undo)
  const [confirming, setConfirming] = useState(false)
  if (status === 'checked') {
    return (
      <div className="flex flex-wrap justify-end gap-2">
        <Button loading={discard.pending} onClick={() => discard({ id })}>
          Choose another file
        </Button>
        {fresh > 0 && (
          <Button variant="primary" loading={start.pending} onClick={() => start({ id })}>
            {fresh === 1 ? 'Import one employee' : `Import ${count(fresh)} employees`}
          </Button>
        )}
      </div>
    )
  }
  if (status !== 'done') return null
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button icon={Undo2} unless={found.refusals.undo} onClick={() => setConfirming(true)}>
        Undo
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Remove ${counted(taken, 'person', 'people')} again?`}
        description="Everyone this file added is removed, and their invitations stop working. This can’t be undone."
        does="Remove them"
        act={() => undo.submit({ id })}
      />
      <Button variant="primary" onClick={onClose}>
        Upload another file
      </Button>
    </div>
  )
}

type ImportRows = z.infer<(typeof imports)['rows']['output']>['rows']

function FirstOfThem({ rows, numbered }: { rows: ImportRows; numbered: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  useScrollable(list)
  return (
    <ul
      ref={list}
      aria-label="The first of them"
      className="relative max-h-60 divide-y divide-line overflow-y-auto rounded-card border border-line text-sm"
    >
      {rows.map((row) => (
        <li key={row.line} className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 py-2">
          {numbered && (
            <span className="figures w-24 shrink-0 text-soft">Line {count(row.line)}</span>
          )}
          <span className="min-w-40 flex-1 wrap-anywhere">
            {[row.full_name, row.email].filter(Boolean).join(' · ') || 'Empty'}
            <span className="block text-ui text-bad-ink">{findingText(row)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
