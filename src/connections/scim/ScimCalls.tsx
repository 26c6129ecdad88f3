import { Link } from 'react-router'
import { paths, pathTo } from '#paths.ts'
import { useOpens } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Boundary } from '#ui/Boundary.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { scimActWords, fieldWords, callOutcome, reasonOf } from './scim-words.ts'
import type { ScimChange, ScimCall } from './scim.contract.ts'

/** Calls of the identity provider that wrote or were refused, the last first. */
export function CallsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet wide open={open} onClose={onClose} title="Last calls">
      {open && (
        <Boundary>
          <Pages />
        </Boundary>
      )}
    </Sheet>
  )
}

function Pages() {
  const { key: before, keep, pager } = usePages<number>('calls')
  const page = useRead(connections_api.scim.calls, { before }, { keep })
  if (!page) return <Skeleton className="h-80 w-full" />
  const { calls, next } = page
  if (calls.length === 0) {
    return (
      <Empty title="No calls yet">
        Your identity provider’s changes and refused calls are kept here for some weeks.
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <ul className="divide-y divide-line" aria-label="Calls">
        {calls.map((call) => (
          <CallLine key={call.id} call={call} />
        ))}
      </ul>
      {pager(next)}
    </div>
  )
}

const shown_max = 10

function CallLine({ call }: { call: ScimCall }) {
  const { at, method, path, status, changes } = call
  const [word, tone] = callOutcome(call)
  const reason = reasonOf(call)
  const more = changes.length - shown_max
  return (
    <li className="py-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Status tone={tone}>{word}</Status>
        <span className="text-ui text-soft">
          <DateText value={at} show="moment" /> · answer {status}
        </span>
      </p>
      {reason && <p className="mt-1 text-pretty text-bad-ink">{reason}</p>}
      {changes.length === 0 && !reason && <p className="mt-1 text-soft">Nothing to change</p>}
      {changes.slice(0, shown_max).map((change, index) => (
        <div key={index} className="mt-1 wrap-anywhere">
          <p className="font-medium">
            <Whom change={change} there={!call.dry_run || change.act !== 'added'} />
            {`: ${scimActWords[change.act]}`}
          </p>
          {change.fields.length > 0 && (
            <p className="text-ui text-soft">{change.fields.map(fieldWords).join(' · ')}</p>
          )}
        </div>
      ))}
      {more > 0 && <p className="mt-1 text-soft">and {more} more</p>}
      <p className="mt-1 font-mono text-xs wrap-anywhere text-faint">
        {method} {path}
      </p>
    </li>
  )
}

/** A person's name leads to their page, unless it was never made. */
function Whom({ change: { person_id, name }, there }: { change: ScimChange; there: boolean }) {
  const opens = useOpens()
  if (!person_id || !there || !opens('person')) return name
  return (
    <Link to={pathTo(paths.person, person_id)} className="hover:underline">
      {name}
    </Link>
  )
}
