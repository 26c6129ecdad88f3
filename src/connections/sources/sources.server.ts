// The setting of where a company's list of employees is fetched from.
import { hkdfSync } from 'node:crypto'
import type { Config } from '#lib/config.server.ts'
import { rows, type Tx } from '#lib/db.server.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { encrypt } from '#lib/sealing.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { allowListOf } from '#lib/addresses.server.ts'
import { addressRefusal } from './fetching.server.ts'
import { Source, type sources } from './sources.contract.ts'

/** The key that encrypts the secrets. */
export const sourceKey = (installation_key: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', installation_key, '', 'healthfund people sources', 32))
export const placeOf = (company_id: string) => `people source of ${company_id}`

export function sourcesHandlers(
  { WEBHOOK_ALLOW }: Pick<Config, 'WEBHOOK_ALLOW'>,
  key: Buffer,
): Handlers<typeof sources> {
  const allowed = allowListOf(WEBHOOK_ALLOW)
  return {
    find: ({ tx }) => find(tx),

    save: async ({ tx, actor, input: { secret, ...source } }) => {
      const refused = addressRefusal(source.url, allowed)
      if (refused) throw Problem.at('url', refused)
      // A private key is only for SFTP: over https it would be sent to the server.
      if (source.secret_kind === 'key' && !source.url.startsWith('sftp:'))
        throw Problem.at('secret_kind', 'ssh_key_needs_sftp')
      const sealed =
        source.secret_kind !== 'none' && secret
          ? encrypt(key, secret, placeOf(actor.company_id ?? ''))
          : null
      // Lower case, without the port of the scheme: so spelled, an address names the same server.
      const url = source.url.startsWith('sftp:') ? source.url : new URL(source.url).href
      await besideFields(
        { source_secret_needed: 'secret' },
        tx`select set_people_source(${tx.json({ ...source, url })}, ${sealed})`,
      )
      return find(tx)
    },

    trust: async ({ tx, input: { host_key } }) => {
      await tx`select trust_host_key(${host_key})`
      return find(tx)
    },

    fetch: async ({ tx }) => {
      await tx`select fetch_people()`
      return find(tx)
    },

    remove: async ({ tx }) => {
      await tx`select remove_people_source()`
      return find(tx)
    },
  }
}

async function find(tx: Tx) {
  const [source = null] = await rows(
    Source,
    tx`select s.url, s.login, s.secret_kind, s.host_key, s.host_key_met, s.hour, s.applies,
        p.full_name as set_by_name, s.next_at, s.fetching_at, s.failing_since,
        coalesce((select json_agg(f) from (
          select f.id, to_char(f.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
            f.outcome, f.fault, f.bytes, f.import_id
          from people_fetches f where f.company_id = s.company_id order by f.id desc limit 10) f),
          '[]') as fetches
      from people_sources s left join profiles p on p.id = s.set_by`,
  )
  return { source }
}
