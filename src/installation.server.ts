// The database and the key must belong together: checked before anything is served.
import { decrypt, deriveKeys } from '#gotrue/secrets.server.ts'
import type { Config } from '#lib/config.server.ts'
import type { Sql, Tx } from '#lib/db.server.ts'
import { opensFileKeys } from '#lib/file-keys.server.ts'
import {
  fingerprintOf,
  keyHere,
  knownFingerprint,
  lostKey,
  makeKey,
  wrongKey,
} from '#lib/keys.server.ts'

type SealedKey = { kid: string; private_jwk: Uint8Array }

/** The key of this database, made where it is new. Servers that start together wait for each other. */
export async function installationKey(sql: Sql, config: Config): Promise<Buffer> {
  const { DATA_FOLDER: folder, INSTALLATION_KEY: given_key } = config
  return sql.begin(async (tx) => {
    await tx`select from private.installation for update`
    const own_key = await keyHere(folder, given_key) // by now: whoever came first may just have made it
    const known = await knownFingerprint(tx)
    if (!own_key && (known || (await holdsSealed(tx)))) throw lostKey(folder)
    const key = own_key ?? (await makeKey(folder))
    if (known ? known !== fingerprintOf(key) : !(await opens(tx, key)))
      throw wrongKey(folder, given_key)
    if (!known) await tx`update private.installation set key_fingerprint = ${fingerprintOf(key)}`
    return key
  })
}

const signingKeys = (tx: Tx) =>
  tx<SealedKey[]>`select kid, private_jwk from auth.signing_keys where private_jwk is not null`

async function holdsSealed(tx: Tx): Promise<boolean> {
  const [files] = await tx<[{ any: boolean }]>`
    select exists (select from private.file_keys) as any`
  return files.any || (await signingKeys(tx)).length > 0
}

/** A database of a version that kept no fingerprint is asked whether the key opens what is sealed in it. */
async function opens(tx: Tx, key: Buffer): Promise<boolean> {
  const { wrapping } = deriveKeys(key)
  try {
    for (const { kid, private_jwk } of await signingKeys(tx)) decrypt(wrapping, private_jwk, kid)
  } catch {
    return false
  }
  return opensFileKeys(tx, key)
}
