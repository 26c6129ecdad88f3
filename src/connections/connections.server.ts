// Keys of a company, and what only they read.
import { randomBytes } from 'node:crypto'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { hashOfKey } from './caller.server.ts'
import { ApiKey, PlainClaim, type connections } from './connections.contract.ts'

export const connectionsHandlers: Handlers<typeof connections> = {
  keys: ({ tx }) =>
    rows(
      ApiKey,
      tx`${selectKeys(tx)} order by s.state <> 'active', k.made_at desc, k.id limit 500`,
    ),

  make_key: async ({ tx, input: { name, rights, ends_on } }) => {
    const { secret, hash, ending } = newSecret()
    const [made] = await besideFields(
      { key_name_taken: 'name', key_ends_past: 'ends_on', key_ends_too_late: 'ends_on' },
      tx<[{ id: string }]>`
        select make_api_key(${name}, ${[...new Set(rights)]}, ${ends_on}, ${hash}, ${ending}) as id`,
    )
    return { key: await findKey(tx, made.id), secret }
  },

  rotate_key: async ({ tx, input: { id, overlap_hours } }) => {
    const { secret, hash, ending } = newSecret()
    await tx`select rotate_api_key(${id}, ${overlap_hours}, ${hash}, ${ending})`
    return { key: await findKey(tx, id), secret }
  },

  revoke_key: async ({ tx, input: { id } }) => {
    await tx`select revoke_api_key(${id})`
    return findKey(tx, id)
  },

  claims: async ({ tx, input: { status = null, after, limit } }) => {
    const found = await rows(
      PlainClaim,
      tx`select * from plain_claims(${status}, ${after}, ${limit + 1})`,
    )
    const claims = found.slice(0, limit)
    return { claims, next: found.length > limit ? (claims.at(-1)?.id ?? null) : null }
  },
}

function newSecret() {
  const secret = `hfk_${randomBytes(32).toString('base64url')}`
  return { secret, hash: hashOfKey(secret), ending: secret.slice(-4) }
}

const selectKeys = (tx: Tx) => tx`
  select k.id, k.name, k.rights, k.ends_on, k.made_at, p.full_name as made_by_name, s.state,
      (select max(x.last_used_at) from api_key_secrets x
        where x.company_id = k.company_id and x.key_id = k.id) as last_used_at,
      coalesce((select json_agg(json_build_object('ending', x.ending, 'ends_at',
            to_char(x.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by x.made_at desc) from api_key_secrets x
        where x.company_id = k.company_id and x.key_id = k.id
          and (x.ends_at is null or x.ends_at > now())), '[]') as secrets,
      json_build_object('rotate', key_refusal('rotate', s.state),
        'revoke', key_refusal('revoke', s.state)) as refusals
    from api_keys k join key_states() s on s.id = k.id left join profiles p on p.id = k.made_by`

const findKey = (tx: Tx, id: string) => row(ApiKey, tx`${selectKeys(tx)} where k.id = ${id}`)
