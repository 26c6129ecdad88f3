import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { policyChangesOf, type VersionedPolicy } from './policy-words.contract.ts'

const shown_at_first = 5

export function PolicyHistory({ currency }: { currency: string | undefined }) {
  const history = useRead(api.policies.history, {})
  const [all, setAll] = useState(false)
  const newest_first = history?.toSorted((one, other) => other.version - one.version)
  const shown = all ? newest_first : newest_first?.slice(0, shown_at_first)
  return (
    <Card
      title="Versions"
      description="A claim is decided by the version in force when it was submitted"
      flush
    >
      {!shown || !currency ? (
        <div className="p-5">
          <Skeleton className="h-24 w-full" />
        </div>
      ) : (
        <ol className="divide-y divide-line">
          {shown.map((version, at) => (
            <Version
              key={version.version}
              version={version}
              before={newest_first?.[at + 1]}
              newest={at === 0}
              currency={currency}
            />
          ))}
        </ol>
      )}
      {shown && newest_first && newest_first.length > shown.length && (
        <div className="border-t border-line p-3 text-center">
          <Button variant="quiet" onClick={() => setAll(true)}>
            {`Show all ${newest_first.length}`}
          </Button>
        </div>
      )}
    </Card>
  )
}

type VersionProps = {
  version: VersionedPolicy
  before: VersionedPolicy | undefined
  newest: boolean
  currency: string
}

const Version = ({ version, before, newest, currency }: VersionProps) => (
  <li className="grid gap-x-6 gap-y-2 px-5 py-4 text-sm sm:grid-cols-[14rem_minmax(0,1fr)]">
    <div>
      <p className="flex items-center gap-2 font-medium">
        Version {version.version}
        {newest && <Badge tone="good">In force</Badge>}
      </p>
      <p className="mt-0.5 text-ui text-soft">
        <DateText value={version.since} show="moment" />
        {version.by_name && <span className="block wrap-anywhere">by {version.by_name}</span>}
      </p>
    </div>
    <div className="min-w-0">
      {version.note && <p className="mb-1.5 wrap-anywhere">“{version.note}”</p>}
      <ul className="flex flex-col gap-1 text-ui">
        {policyChangesOf(version, before, currency, { ...before?.names, ...version.names }).map(
          (change) => (
            <li key={change.name} className="flex flex-wrap items-center gap-x-2">
              <span className="text-soft">{change.name}</span>
              {change.before !== undefined && (
                <>
                  <span className="figures text-faint">{change.before}</span>
                  <ArrowRight className="size-3.5 text-faint" aria-label="to" />
                </>
              )}
              <span className="figures font-medium">{change.after}</span>
            </li>
          ),
        )}
      </ul>
    </div>
  </li>
)
