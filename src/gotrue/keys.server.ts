// The keys that sign access tokens: one signs, retired ones verify until their tokens have ended.
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose'
import type { Sql } from '#lib/db.server.ts'
import type { Tag as Db } from '#lib/db.server.ts'
import { decrypt, encrypt, type DerivedKeys } from './secrets.server.ts'
import { deriveKeys } from './secrets.server.ts'
import { completeSettings, type AuthOptions, type AuthSettings } from './settings.server.ts'

type KeyRingOptions = { sql: Sql; settings: AuthSettings; derived: DerivedKeys; now: () => Date }
type KeyRow = {
  kid: string
  public_jwk: JWK
  private_jwk: Uint8Array | null
  retired_at: string | null
}
type SigningKeys = {
  signer: { kid: string; key: CryptoKey }
  verifiers: Map<string, CryptoKey>
  jwks: JWK[]
}
export type KeyRing = ReturnType<typeof keyRing>

const KNOWN_FOR_MS = 60_000
// A stranger's made-up key names must not become a stream of queries.
const UNKNOWN_EVERY_MS = 200
// Verifiers elsewhere keep the published keys for ten minutes.
const PUBLISHED_SECONDS = 600

export function keyRing(options: KeyRingOptions) {
  const { signing_jwk } = options.settings
  const given_key = signing_jwk ? readGiven(signing_jwk) : undefined
  let known: Promise<SigningKeys> | undefined
  let read_at = 0

  function read(older_than_ms: number): Promise<SigningKeys> {
    const now = options.now().getTime()
    if (known && now - read_at < older_than_ms) return known
    const reading = readKeys(options, given_key)
    // The keys known so far are used while the database is away.
    const fallback = known
    known = reading.catch((error: unknown) => {
      read_at = 0
      known = fallback
      if (fallback) return fallback
      throw error
    })
    read_at = now
    return known
  }

  return {
    signer: async () => (await read(KNOWN_FOR_MS)).signer,
    jwks: async () => (await read(KNOWN_FOR_MS)).jwks,
    async verifier(kid: string): Promise<CryptoKey | undefined> {
      const found = (await read(KNOWN_FOR_MS)).verifiers.get(kid)
      return found ?? (await read(UNKNOWN_EVERY_MS)).verifiers.get(kid)
    },
  }
}

async function readKeys(options: KeyRingOptions, brought: JWK | undefined): Promise<SigningKeys> {
  const { sql, now } = options
  const given_key = brought && (await nameKey(brought))
  const rows = await sql.begin(async (tx) => {
    const usable = await currentRows(tx, options)
    const signing = usable.find((row) => !row.retired_at)
    const as_decided = given_key ? signing?.kid === given_key.kid : signing?.private_jwk
    if (as_decided) return usable
    await tx`select pg_advisory_xact_lock(hashtext('auth signing keys'))`
    const again = await currentRows(tx, options)
    const theirs = again.find((row) => !row.retired_at)
    if (!given_key && theirs?.private_jwk) return again
    await putKey(tx, given_key ?? (await newKey(options.derived)), now().toISOString())
    return currentRows(tx, options)
  })
  return openKeys(rows, options.derived, given_key)
}

const currentRows = (db: Db, { settings, now }: KeyRingOptions) => {
  const life_ms = (settings.access_token_seconds + PUBLISHED_SECONDS) * 1000
  const ended = new Date(now().getTime() - life_ms).toISOString()
  return db<KeyRow[]>`
    select kid, public_jwk, private_jwk, retired_at from auth.signing_keys
    where retired_at is null or retired_at > ${ended} order by retired_at desc nulls first`
}

async function openKeys(
  rows: KeyRow[],
  derived: DerivedKeys,
  given_key?: GivenKey,
): Promise<SigningKeys> {
  const verifiers = new Map<string, CryptoKey>()
  for (const { kid, public_jwk } of rows) {
    verifiers.set(kid, (await importJWK(public_jwk, 'ES256')) as CryptoKey)
  }
  const signing = rows.find((row) => !row.retired_at)
  if (!signing) throw new Error('There is no signing key')
  const jwk = given_key?.private_jwk ?? unwrap(signing, derived)
  const key = (await importJWK(jwk, 'ES256')) as CryptoKey
  return {
    signer: { kid: signing.kid, key },
    verifiers,
    jwks: rows.map(({ kid, public_jwk: { kty, crv, x, y } }) => ({
      ...(pick({ kty, crv, x, y }) as JWK),
      kid,
      alg: 'ES256',
      use: 'sig',
      key_ops: ['verify'],
    })),
  }
}

const pick = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

function unwrap({ kid, private_jwk }: KeyRow, derived: DerivedKeys): JWK {
  try {
    if (!private_jwk) throw new Error('missing')
    return JSON.parse(decrypt(derived.wrapping, private_jwk, kid).toString()) as JWK
  } catch {
    throw new Error(
      'INSTALLATION_KEY is not the key that this database was set up with: the signing key cannot be opened',
    )
  }
}

type GivenKey = { kid: string; public_jwk: JWK; private_jwk: JWK }
type NewSigningKey = { kid: string; public_jwk: JWK; sealed: Buffer }

/** Read at the start, so that the operator finds a wrong setting, and not the first person who signs in. */
function readGiven(text: string): JWK {
  const fault = new Error('AUTH_SIGNING_JWK must be a private EC key (P-256) as JSON Web Key')
  let jwk: JWK
  try {
    jwk = JSON.parse(text) as JWK
  } catch {
    throw fault
  }
  const { kty, crv, x, y, d } = jwk
  if (kty !== 'EC' || crv !== 'P-256' || !x || !y || !d) throw fault
  return jwk
}

async function nameKey({ kty, crv, x, y, d, kid }: JWK): Promise<GivenKey> {
  const public_jwk = { kty, crv, x, y } as JWK
  const private_jwk = { ...public_jwk, d } as JWK
  return { kid: kid ?? (await calculateJwkThumbprint(public_jwk)), public_jwk, private_jwk }
}

async function newKey(derived: DerivedKeys): Promise<NewSigningKey> {
  const pair = await generateKeyPair('ES256', { extractable: true })
  const public_jwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(public_jwk)
  const private_jwk = JSON.stringify(await exportJWK(pair.privateKey))
  return { kid, public_jwk, sealed: encrypt(derived.wrapping, private_jwk, kid) }
}

/** Makes this the only key that signs; earlier ones verify what they have signed. */
async function putKey(tx: Db, key: GivenKey | NewSigningKey, at: string) {
  const sealed = 'sealed' in key ? key.sealed : null
  await tx`update auth.signing_keys set retired_at = ${at}, private_jwk = null
    where retired_at is null and kid <> ${key.kid}`
  await tx`insert into auth.signing_keys (kid, public_jwk, private_jwk, created_at)
    values (${key.kid}, ${tx.json(key.public_jwk)}, ${sealed}, ${at})
    on conflict (kid) do update set retired_at = null`
}

/**
 * A new key signs from now on. Other processes learn of it within a minute, or from its first
 * token.
 */
export async function rotateSigningKey(options: AuthOptions): Promise<string> {
  const settings = completeSettings(options.settings)
  if (settings.signing_jwk) throw new Error('AUTH_SIGNING_JWK decides the signing key: change that')
  const derived = deriveKeys(options.keys.installation_key)
  const key = await newKey(derived)
  const at = (options.now?.() ?? new Date()).toISOString()
  await options.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('auth signing keys'))`
    await putKey(tx, key, at)
  })
  return key.kid
}
