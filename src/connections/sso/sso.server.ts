// The acts of a company's admins on its identity provider.
import { ssoAddresses } from '#gotrue/sso/addresses.contract.ts'
import { allowListOf, urlRefusal } from '#lib/addresses.server.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { siteUrl, type Config } from '#lib/config.server.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import { sealSecret, type ProviderKey } from '#lib/provider-secrets.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { readMetadata } from './metadata.server.ts'
import { Provider, type sso } from './sso.contract.ts'

type SsoSettings = Pick<Config, 'SITE_URL' | 'PORT' | 'SSO_ALLOW'>

export function ssoHandlers(where: SsoSettings, key: ProviderKey): Handlers<typeof sso> {
  const allowed = allowListOf(where.SSO_ALLOW)
  const site_url = siteUrl(where)
  const check = (field: string, url: string) => {
    const refused = urlRefusal(url, allowed)
    if (refused) throw Problem.at(field, refused)
  }
  const find = async (tx: Tx, company_id: string | null) => {
    const [provider = null] = await rows(
      Provider,
      tx`select kind, issuer, client_id, ending, sign_in_url,
          cardinality(certificates) as certificates, enabled, required, break_glass_id,
          second_step_by, department_rules, checking, checked_at, fault, people_outside_identity_provider() as people_outside,
          coalesce((select json_agg(o) from owners_with_password(${company_id}) o), '[]') as owners,
          identity_provider_refusals(${company_id}) as refusals
        from identity_providers where company_id = ${company_id}`,
    )
    return { provider, addresses: ssoAddresses(`${site_url}/auth/v1`, company_id ?? '') }
  }
  return {
    find: ({ tx, actor }) => find(tx, actor.company_id),

    connect_oidc: async ({ tx, actor, input: { issuer, client_id, client_secret } }) => {
      check('issuer', issuer)
      const company_id = actor.company_id ?? ''
      const sealed = client_secret ? sealSecret(key, company_id, client_secret) : null
      const ending = client_secret?.slice(-4) ?? null
      const provider = tx.json({ kind: 'oidc', issuer, client_id, ending })
      await besideFields(
        { client_secret_needed: 'client_secret' },
        tx`select connect_identity_provider(${provider}, ${sealed})`,
      )
      return find(tx, company_id)
    },

    connect_saml: async ({ tx, actor, input: { metadata } }) => {
      const provider = readMetadata(metadata)
      if (!provider) throw Problem.at('metadata', 'saml_metadata_invalid')
      check('metadata', provider.sign_in_url)
      await tx`select connect_identity_provider(${tx.json({ kind: 'saml', ...provider })}, null)`
      return find(tx, actor.company_id)
    },

    test: async ({ tx, actor }) => {
      await tx`select test_identity_provider()`
      return find(tx, actor.company_id)
    },

    switch: async ({ tx, actor, input: { enabled } }) => {
      await tx`select switch_identity_provider(${enabled})`
      return find(tx, actor.company_id)
    },

    change_rules: async ({ tx, actor, input }) => {
      await besideFields(
        { no_such_break_glass: 'break_glass_id' },
        tx`select change_identity_provider_rules(${tx.json(input)})`,
      )
      return find(tx, actor.company_id)
    },

    remove: async ({ tx, actor }) => {
      await tx`select remove_identity_provider()`
      return find(tx, actor.company_id)
    },
  }
}
