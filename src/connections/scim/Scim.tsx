import { Plus, Users } from 'lucide-react'
import { useState } from 'react'
import { ActingSwitch } from '#ui/ActingSwitch.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { useConnectRefusal } from '../connecting.ts'
import { isProvisioning } from '../connections.contract.ts'
import { KeyList } from '../KeyList.tsx'
import { BaseAddress } from './BaseAddress.tsx'
import { CallsSheet } from './ScimCalls.tsx'
import { GroupsSheet } from './ScimGroups.tsx'
import type { ScimOverview } from './scim.contract.ts'
import { SwitchOnScim } from './SwitchOnScim.tsx'

/** People as the company's identity provider sends them. */
export function Scim() {
  const keys = useRead(connections_api.connections.keys, {})?.filter(isProvisioning)
  const settings = useRead(connections_api.scim.overview, {})
  const [open, setOpen] = useState<'switch on' | 'groups' | 'calls'>()
  const close = () => setOpen(undefined)
  const refusal = useConnectRefusal()
  const is_on = keys?.some(({ state }) => state === 'active')
  const switch_on = (
    <Button size="small" icon={Plus} unless={refusal} onClick={() => setOpen('switch on')}>
      Switch on SCIM
    </Button>
  )
  return (
    <Card
      title="SCIM"
      description="Your identity provider adds, changes and removes your employees."
      flush
      actions={keys && keys.length > 0 && !is_on && switch_on}
    >
      {(!keys || !settings) && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {keys?.length === 0 && settings && (
        <Empty title="SCIM is off" icon={<Users aria-hidden />} action={switch_on}>
          Entra, Okta or another identity provider can keep your employees up to date. Anyone
          removed there leaves here the same day.
        </Empty>
      )}
      {keys && keys.length > 0 && settings && (
        <>
          <div className="flex flex-col gap-5 border-b border-line p-5">
            <Domains domains={settings.domains} />
            <BaseAddress />
            <Switches settings={settings} />
            <div className="flex flex-wrap gap-2">
              <Button size="small" onClick={() => setOpen('groups')}>
                Groups and departments
              </Button>
              <Button size="small" onClick={() => setOpen('calls')}>
                Last calls
              </Button>
            </div>
          </div>
          <KeyList keys={keys} />
        </>
      )}
      {open === 'switch on' && <SwitchOnScim onClose={close} />}
      <GroupsSheet open={open === 'groups'} groups={settings?.groups ?? []} onClose={close} />
      <CallsSheet open={open === 'calls'} onClose={close} />
    </Card>
  )
}

const Domains = ({ domains }: Pick<ScimOverview, 'domains'>) =>
  domains.length === 0 ? (
    <Callout tone="accent" title="No domain is verified">
      SCIM takes only addresses at your company’s own domains. Verify one under Domains, by a DNS
      record or by email.
    </Callout>
  ) : (
    <p className="text-sm text-pretty text-soft wrap-anywhere">
      Only addresses at {domains.join(', ')}. Company admins are never changed.
    </p>
  )

function Switches({ settings }: { settings: ScimOverview }) {
  const change = useWrite(connections_api.scim.change, 'Saved')
  const { invites, dry_run } = settings
  return (
    <div className="flex flex-col gap-4">
      <ActingSwitch
        label="Invite by email"
        hint="New employees get a link by email. Switch it off if they sign in through your identity provider."
        on={invites}
        press={(on) => change.submit({ invites: on, dry_run })}
      />
      <ActingSwitch
        label="Dry run"
        hint="Calls are answered as usual, but nothing is changed. “Last calls” shows what would have changed."
        on={dry_run}
        press={(on) => change.submit({ invites, dry_run: on })}
      />
    </div>
  )
}
