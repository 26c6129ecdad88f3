import { LogIn } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { useConnectRefusal } from '../connecting.ts'
import { Addresses } from './Addresses.tsx'
import { ConnectOidc, ConnectSaml } from './ConnectProvider.tsx'
import { RemoveProvider, SwitchProvider } from './ProviderActs.tsx'
import { ProviderRules } from './ProviderRules.tsx'
import type { Provider, Sso } from './sso.contract.ts'

type ProviderDialog = 'oidc' | 'saml' | 'rules' | 'switch' | 'remove'

const faults = {
  address: 'Its address is not on the public internet.',
  answer: 'Its answer was not that of OpenID Connect. Check the issuer.',
  issuer: 'It names another issuer. Copy the issuer exactly as your provider shows it.',
  keys: 'Its keys could not be read.',
  certificate: 'Its certificate has expired. Enter its new metadata.',
}

/** The identity provider by which the company's people sign in. */
export function IdentityProvider() {
  const sso = useRead(connections_api.sso.find, {})
  const [what, setWhat] = useState<ProviderDialog>()
  const close = () => setWhat(undefined)
  return (
    <Card
      title="Sign-in through your identity provider"
      description="Your people sign in where they do for everything else: by OpenID Connect or SAML 2.0."
      flush
    >
      {!sso && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {sso && !sso.provider && <None onChoose={setWhat} />}
      {sso?.provider && <Connected sso={sso} provider={sso.provider} onOpen={setWhat} />}
      {sso && what === 'oidc' && <ConnectOidc sso={sso} onClose={close} />}
      {sso && what === 'saml' && <ConnectSaml sso={sso} onClose={close} />}
      {sso?.provider && what === 'rules' && (
        <ProviderRules provider={sso.provider} onClose={close} />
      )}
      {sso?.provider && what === 'switch' && (
        <SwitchProvider provider={sso.provider} onClose={close} />
      )}
      {sso?.provider && what === 'remove' && <RemoveProvider onClose={close} />}
    </Card>
  )
}

function None({ onChoose }: { onChoose: (what: ProviderDialog) => void }) {
  const refusal = useConnectRefusal()
  const choice = (
    <div className="flex flex-wrap justify-center gap-2">
      <Button size="small" unless={refusal} onClick={() => onChoose('oidc')}>
        Connect by OpenID Connect
      </Button>
      <Button size="small" unless={refusal} onClick={() => onChoose('saml')}>
        Connect by SAML
      </Button>
    </div>
  )
  return (
    <Empty title="No identity provider yet" icon={<LogIn aria-hidden />} action={choice}>
      Such as Microsoft Entra, Okta, Google Workspace or Keycloak.
    </Empty>
  )
}

type Props = { sso: Sso; provider: Provider; onOpen: (what: ProviderDialog) => void }

function Connected({ sso, provider, onOpen }: Props) {
  const test = useWrite(connections_api.sso.test)
  const { kind, issuer, enabled, required, checking, checked_at, fault } = provider
  const by = kind === 'oidc' ? 'OpenID Connect' : 'SAML 2.0'
  return (
    <div className="flex flex-col gap-4 px-5 py-4">
      <div className="min-w-0 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {issuer}
          <Status tone={enabled ? 'good' : 'neutral'}>{enabled ? 'On' : 'Off'}</Status>
          {required && <Status tone="primary">Required</Status>}
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {by}
          {provider.client_id && ` · client ${provider.client_id}`}
          {provider.ending && ` · secret …${provider.ending}`}
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {checking && 'Testing...'}
          {!checking && checked_at && !fault && (
            <>
              Tested <DateText value={checked_at} show="ago" />: it answers as it should
            </>
          )}
          {!checking && !checked_at && 'Not tested yet'}
        </p>
      </div>
      {fault && !checking && <Callout tone="bad">{faults[fault]}</Callout>}
      <Addresses kind={kind} addresses={sso.addresses} />
      <div className="flex flex-wrap gap-2">
        <Button size="small" disabled={checking || test.pending} onClick={() => test({})}>
          Test
        </Button>
        <Button
          size="small"
          aria-label={
            enabled
              ? 'Switch off sign-in through the provider'
              : 'Switch on sign-in through the provider'
          }
          unless={provider.refusals.switch}
          onClick={() => onOpen('switch')}
        >
          {enabled ? 'Switch off' : 'Switch on'}
        </Button>
        <Button size="small" onClick={() => onOpen('rules')}>
          Rules
        </Button>
        <Button size="small" aria-label="Change the provider" onClick={() => onOpen(kind)}>
          Change
        </Button>
        <Button size="small" aria-label="Remove the provider" onClick={() => onOpen('remove')}>
          Remove
        </Button>
      </div>
    </div>
  )
}
