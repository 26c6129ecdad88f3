import { Page } from '#ui/Page.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { Scim } from './scim/Scim.tsx'
import { Domains } from './domains/Domains.tsx'
import { IdentityProvider } from './sso/IdentityProvider.tsx'
import { PeopleSource } from './sources/PeopleSource.tsx'
import { Webhooks } from './webhooks/Webhooks.tsx'

export function ConnectionsPage() {
  return (
    <Page
      title="Connections"
      description="Let your company’s own systems work with Healthfund: payroll, HR, reports."
    >
      <Domains />
      <IdentityProvider />
      <ApiKeys />
      <Webhooks />
      <Scim />
      <PeopleSource />
    </Page>
  )
}
