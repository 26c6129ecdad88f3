import { FileDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#paths.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { useConnectRefusal } from '../connecting.ts'
import type { Source } from './sources.contract.ts'
import { appliesWords, faultWord, outcomeWords } from './source-words.ts'
import { SetSource } from './SetSource.tsx'

type SourceDialog = 'set' | 'trust' | 'remove'

/** The place from which the company’s list of employees is fetched each day. */
export function PeopleSource() {
  const found = useRead(connections_api.sources.find, {})
  const refusal = useConnectRefusal()
  const [dialog, setDialog] = useState<SourceDialog>()
  const fetch = useWrite(connections_api.sources.fetch, 'Fetching the file')
  const remove = useWrite(connections_api.sources.remove, 'The list is no longer fetched')
  const source = found?.source
  const close = () => setDialog(undefined)
  const set = (
    <Button size="small" icon={Plus} unless={refusal} onClick={() => setDialog('set')}>
      Set up
    </Button>
  )
  return (
    <Card
      title="List of employees"
      description="Fetched from your HR system each day, by SFTP or HTTPS."
      flush
    >
      {!found && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {found && !source && (
        <Empty title="Not set up" icon={<FileDown aria-hidden />} action={set}>
          Your HR system puts a CSV or Excel file on a server. Healthfund fetches it each day and
          compares it with your employees.
        </Empty>
      )}
      {source && (
        <>
          <SourceLine source={source} onOpen={setDialog} onFetch={() => fetch({})} />
          <Fetches source={source} />
        </>
      )}
      {dialog === 'set' && <SetSource source={source ?? null} onClose={close} />}
      {dialog === 'trust' && source && <Trust source={source} onClose={close} />}
      <ConfirmDialog
        open={dialog === 'remove'}
        onClose={close}
        title="No longer fetch the list of employees?"
        description="The address and the secret are deleted. Employees stay as they are."
        does="Remove"
        act={() => remove.submit({})}
      />
    </Card>
  )
}

type LineProps = { source: Source; onOpen: (what: SourceDialog) => void; onFetch: () => void }

const SourceLine = ({ source, onOpen, onFetch }: LineProps) => (
  <div className="flex flex-col gap-4 p-5 text-sm">
    <div>
      <p className="font-medium wrap-anywhere">{source.url}</p>
      <p className="mt-0.5 text-ui text-soft">
        {`${appliesWords[source.applies]}. Set up by ${source.set_by_name ?? 'a former admin'}. `}
        {source.next_at && (
          <>
            {'Next: '}
            <DateText value={source.next_at} show="moment" />
          </>
        )}
      </p>
    </div>
    {source.host_key_met && (
      <Callout
        tone="accent"
        title={source.host_key ? 'The server has another key now' : 'Is this your server?'}
        action={
          <Button size="small" onClick={() => onOpen('trust')}>
            Check the key
          </Button>
        }
      >
        {source.host_key
          ? 'Nothing was sent to it. Ask the server’s operator whether its key was changed.'
          : 'Nothing is fetched until you have confirmed its key.'}
      </Callout>
    )}
    <div className="flex flex-wrap gap-2">
      <Button size="small" loading={source.fetching_at !== null} onClick={onFetch}>
        Fetch now
      </Button>
      <Button size="small" onClick={() => onOpen('set')}>
        Change
      </Button>
      <Button size="small" variant="quiet" onClick={() => onOpen('remove')}>
        Remove
      </Button>
    </div>
  </div>
)

const Fetches = ({ source }: { source: Source }) => (
  <ul
    aria-label="Last fetched"
    className="divide-y divide-line border-t border-line text-sm empty:hidden"
  >
    {source.fetches.map(({ id, at, outcome, fault, import_id }) => (
      <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
        <span className="w-40">
          <DateText value={at} show="moment" />
        </span>
        <Badge tone={outcomeWords[outcome][1]}>{outcomeWords[outcome][0]}</Badge>
        {fault && (
          <span className="min-w-40 flex-1 wrap-anywhere text-soft">{faultWord(fault)}</span>
        )}
        {import_id && (
          <Link
            to={`${paths.people_file}?file=${import_id}`}
            className="rounded font-medium text-primary-ink hover:underline"
          >
            See what it changes
          </Link>
        )}
      </li>
    ))}
  </ul>
)

function Trust({ source, onClose }: { source: Source; onClose: () => void }) {
  const trust = useWrite(connections_api.sources.trust, 'Key trusted')
  const host_key = source.host_key_met
  return (
    <PasswordDialog
      name="trust-host-key"
      onClose={onClose}
      title="Is this the key of your server?"
      description="Compare it with the one that the server’s operator tells you (ssh-keygen -lf shows it there)."
      moot={host_key ? undefined : 'The key has already been checked.'}
      does="Trust this key"
      waiting="Saving..."
      act={() => trust.submit({ host_key: host_key ?? '' })}
    >
      <p className="rounded-card bg-sunken px-4 py-3 font-mono text-sm break-all">{host_key}</p>
    </PasswordDialog>
  )
}
