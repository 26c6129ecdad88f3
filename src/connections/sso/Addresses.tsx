import { CopiedText } from '../CopiedText.tsx'
import type { Provider, Sso } from './sso.contract.ts'

type Props = { kind: Provider['kind']; addresses: Sso['addresses'] }

/** The addresses to enter at the provider. */
export const Addresses = ({ kind, addresses }: Props) => (
  <div className="flex flex-col gap-3">
    {kind === 'oidc' ? (
      <>
        <CopiedText name="Redirect address" text={addresses.oidc} />
        <CopiedText name="Logout address" text={addresses.oidc_logout} />
      </>
    ) : (
      <>
        <CopiedText name="Entity ID and metadata" text={addresses.entity} />
        <CopiedText name="Reply address" text={addresses.acs} />
        <CopiedText name="Logout address" text={addresses.slo} />
      </>
    )}
  </div>
)
