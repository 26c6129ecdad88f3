// Keys that wrap the keys of files. The database has them wrapped by a key derived from the installation's, so neither a stolen
// disk nor a stolen database opens a file.
import { hkdfSync, randomBytes } from 'node:crypto'
import type { Sql, Tx } from './db.server.ts'
import { decrypt, encrypt } from './sealing.server.ts'

type WrappedKey = { id: number; wrapped_key: Uint8Array; retired_at: string | null }

const known_for_ms = 60_000
const bound_to = 'file key'

const wrappingKey = (installation_key: Buffer) =>
  Buffer.from(hkdfSync('sha256', installation_key, '', 'healthfund files wrapping', 32))

export function fileKeys(sql: Sql, installation_key: Buffer) {
  const wrapping = wrappingKey(installation_key)
  const known = new Map<number, Buffer>()
  let newest: { id: number; key: Buffer } | undefined
  let read_at = 0

  async function read() {
    await makeFirst(sql, wrapping)
    const rows = await sql<
      WrappedKey[]
    >`select id, wrapped_key, retired_at from private.file_keys order by id`
    for (const { id, wrapped_key, retired_at } of rows) {
      const key = decrypt(wrapping, wrapped_key, bound_to)
      known.set(id, key)
      if (retired_at === null) newest = { id, key }
    }
    read_at = Date.now()
  }

  return {
    async newest() {
      if (!newest || Date.now() - read_at > known_for_ms) await read()
      if (!newest) throw new Error('There is no key for files')
      return newest
    },
    async byId(id: number): Promise<Buffer> {
      if (!known.has(id)) await read()
      const key = known.get(id)
      if (!key) throw new Error(`There is no key ${id} for files`)
      return key
    },
  }
}

/** Makes the first key; if several servers start together, one of them does. */
async function makeFirst(sql: Sql, wrapping: Buffer) {
  const [there] = await sql`select from private.file_keys where retired_at is null`
  if (there) return
  const wrapped = encrypt(wrapping, randomBytes(32), bound_to)
  await sql`insert into private.file_keys (wrapped_key) values (${wrapped}) on conflict do nothing`
}

export async function opensFileKeys(tx: Tx, installation_key: Buffer): Promise<boolean> {
  const rows = await tx<
    Pick<WrappedKey, 'wrapped_key'>[]
  >`select wrapped_key from private.file_keys`
  try {
    for (const { wrapped_key } of rows)
      decrypt(wrappingKey(installation_key), wrapped_key, bound_to)
    return true
  } catch {
    return false
  }
}

/** Makes a new wrapping key; the one before opens what it has wrapped. */
export async function renewFileKey(sql: Sql, installation_key: Buffer) {
  const wrapped = encrypt(wrappingKey(installation_key), randomBytes(32), bound_to)
  await sql.begin(async (tx) => {
    await tx`lock table private.file_keys in share row exclusive mode`
    await tx`update private.file_keys set retired_at = now() where retired_at is null`
    await tx`insert into private.file_keys (wrapped_key) values (${wrapped})`
  })
}
