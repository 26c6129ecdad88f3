import { useState } from 'react'
import { useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { connections_api } from './api.ts'
import type { ApiKey } from './connections.contract.ts'
import { RenewSecret } from './RenewSecret.tsx'
import { rightWords, stateWords } from './right-words.ts'
import { Secrets } from './Secrets.tsx'

/** Keys, each to be renewed and revoked. */
export function KeyList({ keys }: { keys: readonly ApiKey[] }) {
  const [renewing, setRenewing] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()
  const revoke = useWrite(connections_api.connections.revoke_key, ({ name }) => `${name} revoked`)
  return (
    <>
      <ul className="divide-y divide-line">
        {keys.map((key) => (
          <KeyLine key={key.id} apiKey={key} onRenew={setRenewing} onRevoke={setRevoking} />
        ))}
      </ul>
      {renewing && <RenewKey apiKey={renewing} onClose={() => setRenewing(undefined)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.name ?? 'this key'}?`}
        description="Whatever uses it stops working at once. A revoked key can’t be brought back."
        does="Revoke"
        act={async () => revoking && revoke.submit({ id: revoking.id })}
      />
    </>
  )
}

function RenewKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const renew = useWrite(connections_api.connections.rotate_key)
  return (
    <RenewSecret
      name={name}
      description="Name, rights and last day stay. The secret is new."
      hint="So that you have time to put the new one where the key is used."
      draft={`renew-api-key-${id}`}
      renew={async (overlap_hours) => (await renew.submit({ id, overlap_hours })).secret}
      onClose={onClose}
    />
  )
}

type KeyLineProps = {
  apiKey: ApiKey
  onRenew: (key: ApiKey) => void
  onRevoke: (key: ApiKey) => void
}

function KeyLine({ apiKey, onRenew, onRevoke }: KeyLineProps) {
  const { name, rights, state, secrets, last_used_at, ends_on, made_by_name, refusals } = apiKey
  const [word, tone] = stateWords[state]
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {name}
          <Status tone={tone}>{word}</Status>
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {rights.map((right) => rightWords[right][0]).join(' · ')}
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {last_used_at ? (
            <>
              Last used <DateText value={last_used_at} show="ago" />
            </>
          ) : (
            'Never used'
          )}
          {' · '}last day <DateText value={ends_on} /> · made by {made_by_name ?? 'a former admin'}
        </p>
        {state === 'maker_gone' && (
          <p className="mt-1 text-ui text-pretty text-bad-ink">
            The admin who made it is no longer active here. Make another key.
          </p>
        )}
        {state === 'active' && <Secrets prefix="hfk_" secrets={secrets} />}
      </div>
      {state !== 'revoked' && (
        <div className="flex gap-2">
          <Button
            size="small"
            aria-label={`Renew ${name}`}
            unless={refusals.rotate}
            onClick={() => onRenew(apiKey)}
          >
            Renew
          </Button>
          <Button
            size="small"
            aria-label={`Revoke ${name}`}
            unless={refusals.revoke}
            onClick={() => onRevoke(apiKey)}
          >
            Revoke
          </Button>
        </div>
      )}
    </li>
  )
}
