import type { Factor } from '@supabase/auth-js'
import { Fingerprint, KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { queries, useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AddPasskey } from './AddPasskey.tsx'
import { EnrollTwoStep } from './EnrollTwoStep.tsx'
import { factorCalls } from './factor-calls.ts'
import { PasswordDialog } from './PasswordDialog.tsx'
import { RecoveryCodesLine } from './RecoveryCodesLine.tsx'

type FactorDialog = 'app' | 'passkey' | Factor | undefined

const scan = 'Scan this with an authenticator app on your phone, then type the code that it shows.'

export function TwoStepCard() {
  const found = useRead(factorCalls.list, {})
  const [open, setOpen] = useState<FactorDialog>()
  const factors = found?.filter(
    ({ status, factor_type }) => status === 'verified' && factor_type !== 'recovery_code',
  )
  const close = () => {
    setOpen(undefined)
    void queries.invalidateQueries()
  }
  return (
    <Card
      title="Two-step verification"
      description="Something only you have, in addition to your password."
      flush
      actions={
        factors && (
          <Badge tone={factors.length > 0 ? 'good' : 'neutral'}>
            {factors.length > 0 ? 'On' : 'Off'}
          </Badge>
        )
      }
    >
      {!factors && <Skeleton className="m-5 h-16" />}
      {factors && factors.length > 0 && (
        <ul className="divide-y divide-line border-b border-line">
          {factors.map((factor) => (
            <FactorLine key={factor.id} factor={factor} onRemove={() => setOpen(factor)} />
          ))}
          <RecoveryCodesLine />
        </ul>
      )}
      <div className="flex flex-wrap gap-2 p-5">
        <Button
          variant={factors?.length === 0 ? 'primary' : 'secondary'}
          icon={Smartphone}
          onClick={() => setOpen('app')}
        >
          {factors?.length === 0 ? 'Set up authenticator app' : 'Add authenticator app'}
        </Button>
        <Button icon={Fingerprint} onClick={() => setOpen('passkey')}>
          Add passkey
        </Button>
      </div>
      <Dialog open={open === 'app'} onClose={close} title="Authenticator app">
        <EnrollTwoStep why={scan} onDone={close} />
      </Dialog>
      <Dialog open={open === 'passkey'} onClose={close} title="Add a passkey">
        <AddPasskey onDone={close} />
      </Dialog>
      <Remove
        factor={typeof open === 'object' ? open : undefined}
        last={factors?.length === 1}
        onClose={() => setOpen(undefined)}
      />
    </Card>
  )
}

const factor_kinds = {
  totp: ['Authenticator app', KeyRound],
  webauthn: ['Passkey', Fingerprint],
  phone: ['Phone', Smartphone],
  recovery_code: ['Recovery codes', KeyRound],
} as const

function FactorLine({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const [kind, Icon] = factor_kinds[factor.factor_type]
  const name = factor.friendly_name ?? kind
  return (
    <li className="flex items-center gap-4 px-5 py-3.5">
      <Icon className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="mt-0.5 text-ui text-soft">
          {name.startsWith(kind) ? '' : `${kind} · `}added{' '}
          <DateText value={factor.created_at} show="day" />
        </p>
      </div>
      <Button size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  )
}

type RemoveProps = { factor: Factor | undefined; last: boolean; onClose: () => void }

function Remove({ factor, last, onClose }: RemoveProps) {
  const name = factor?.friendly_name ?? 'this second step'
  const remove = useWrite(factorCalls.remove, (gone) => `${gone.name} removed`)
  return (
    <PasswordDialog
      name="remove-second-step"
      open={factor !== undefined}
      onClose={onClose}
      title={`Remove ${name}?`}
      description={
        last
          ? 'It is your last one: your password alone will sign you in, and your recovery codes are removed.'
          : 'You can no longer sign in with it. Sessions it confirmed are asked again.'
      }
      does="Remove"
      waiting="Removing..."
      act={async () => factor && remove.submit({ id: factor.id, name })}
    />
  )
}
