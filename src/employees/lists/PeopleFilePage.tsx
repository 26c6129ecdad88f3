import { useState } from 'react'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Badge, type BadgeTone } from '#ui/Badge.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Table } from '#ui/Table.tsx'
import { useUrlState } from '#ui/url-state.ts'
import type { ListedImport } from '#employees/imports/imports.contract.ts'
import { Comparison } from './Comparison.tsx'
import { LeaverLimit } from './LeaverLimit.tsx'
import { NewFile } from './NewFile.tsx'

const open = ['checked', 'waiting', 'importing', 'undoing']

/** A company's people as its own system has them: compared, applied and undone. */
export function PeopleFilePage() {
  const imports = useRead(lazy_api.imports.list, {})
  const [file_id, setFileId] = useUrlState('file')
  const [another, setAnother] = useState(false)
  const [seen_id, setSeenId] = useState('')
  const known = (one_id: string) => imports?.find(({ id }) => id === one_id)
  const shown =
    known(file_id) ??
    known(seen_id) ??
    (another || seen_id ? undefined : imports?.find(({ status }) => open.includes(status)))
  // A newer file does not replace the one that somebody is reading.
  if (shown && shown.id !== seen_id) setSeenId(shown.id)
  /** Scrolls up, as a file's state is at the top of the page. */
  const show = (id: string) => {
    setFileId(id)
    window.scrollTo({ top: 0 })
  }
  const close = () => {
    setFileId('')
    setSeenId('')
    setAnother(true)
  }
  return (
    <Page
      title={shown?.chosen ? 'Many employees' : 'Employees by file'}
      description={
        (shown?.chosen ? '' : 'Send a list of your employees. ') +
        'You see what changes before anything happens.'
      }
      actions={<ButtonLink to={paths.employees}>All employees</ButtonLink>}
    >
      {!imports && <Skeleton className="h-64 w-full" />}
      {imports && !shown && seen_id && (
        <Callout tone="accent" title="This file is no longer here">
          It was discarded, or a newer file took its place.
        </Callout>
      )}
      {imports && !shown && <NewFile onCompared={show} />}
      {shown && (
        <Comparison key={shown.id} found={shown} onClose={close} onDone={() => show(shown.id)} />
      )}
      {imports && imports.length > 0 && <Files imports={imports} onOpen={show} />}
      <LeaverLimit />
    </Page>
  )
}

const states: Record<ListedImport['status'], [word: string, tone: BadgeTone]> = {
  reading: ['Reading', 'neutral'],
  checked: ['Not applied', 'neutral'],
  waiting: ['Waiting for approval', 'accent'],
  importing: ['Applying', 'neutral'],
  done: ['Applied', 'good'],
  undoing: ['Undoing', 'neutral'],
  undone: ['Undone', 'neutral'],
}

const Files = ({ imports, onOpen }: { imports: ListedImport[]; onOpen: (id: string) => void }) => (
  <Card title="Recent files and changes" flush>
    <Table
      label="Recent files and changes"
      rows={imports}
      empty={null}
      onPress={({ id }) => onOpen(id)}
      columns={{
        What: ({ file_name }) => <span className="wrap-anywhere">{file_name}</span>,
        Kind: ({ full_list, chosen }) =>
          chosen ? 'Chosen in the list' : full_list ? 'All employees' : 'New people',
        By: ({ started_by_name }) => started_by_name ?? '–',
        When: ({ created_at }) => <DateText value={created_at} show="moment" />,
        Status: ({ status }) => <Badge tone={states[status][1]}>{states[status][0]}</Badge>,
      }}
    />
  </Card>
)
