// Passwords: hashed slowly and in threads of their own, and refused if they are easily guessed.
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { password_length } from '#lib/password-length.ts'
import type { Auth } from './auth.server.ts'
import { AuthFailure, busy, invalid } from './failure.server.ts'

// argon2id in three passes over as much memory as the operator grants: RFC 9106 recommends 64 MiB where
// a server has many sign-ins.
const way = { algorithm: 2, timeCost: 3, parallelism: 1 }
const memoryOf = (auth: Pick<Auth, 'settings'>) => auth.settings.password_memory_mib * 1024

// Hashes run in libuv's threads, which files and name lookups need, too: one is left for those.
const threads = Number(process.env['UV_THREADPOOL_SIZE']) || 4
const lanes = Math.max(1, Math.min(availableParallelism() + 1, threads - 1))
const LONGEST_QUEUE = 200 * lanes
const waiting: (() => void)[] = []
let running = 0

/**
 * Hashes one at a time for each core, and one more, so that no core rests while an answer is written. A caller who would wait too
 * long is refused at once.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= lanes) {
    if (waiting.length >= LONGEST_QUEUE) throw busy()
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export const hashPassword = (auth: Pick<Auth, 'settings'>, password: string) =>
  inTurn(() => hash(password, { ...way, memoryCost: memoryOf(auth) }))

/** A hash of no password, at the same cost: an answer about an unknown account takes as long. */
export const hashOfNobody = (auth: Pick<Auth, 'settings'>) =>
  `$argon2id$v=19$m=${memoryOf(auth)},t=${way.timeCost},p=1` +
  '$CuChrma9L/JGyiLa5EoDgQ$M1m7jJJQsRU8HCni6FUAWF82n1yJr+2VBZmuxvZnf4M'

export async function matches(
  auth: Pick<Auth, 'settings'>,
  password: string,
  kept: string | null | undefined,
): Promise<boolean> {
  if (kept?.startsWith('$2')) {
    const { verify: verifyBcrypt } = await import('@node-rs/bcrypt')
    return inTurn(() => verifyBcrypt(password, kept))
  }
  const same = await inTurn(() => verify(kept ?? hashOfNobody(auth), password))
  return same && Boolean(kept)
}

export function isOutdated(auth: Pick<Auth, 'settings'>, kept: string): boolean {
  if (!kept.startsWith('$argon2id$')) return true
  const used = parseOptions(kept)
  return used.memoryCost !== memoryOf(auth) || used.timeCost !== way.timeCost
}

/** A hash made elsewhere, as an administrator brings it along. */
export function readHash(hash_text: string): string {
  if (/^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(hash_text)) return hash_text
  if (/^\$argon2(id|i|d)\$/.test(hash_text)) {
    try {
      // A hash made elsewhere may be so expensive that comparing it would stop us.
      const { memoryCost, timeCost } = parseOptions(hash_text)
      if (memoryCost <= 262_144 && timeCost <= 16) return hash_text
    } catch {
      // not a hash at all
    }
  }
  throw invalid('The password hash is neither bcrypt nor argon2')
}

export type Weakness = { message: string; reasons: string[] }

/** Counted in bytes, as in the protocol, and before the hash is computed. */
export function refuseTooLong(password: string) {
  if (Buffer.byteLength(password) > password_length.most) {
    throw invalid(`Password cannot be longer than ${password_length.most} characters`)
  }
}

/** The rules that a password met when it was last checked; if this text changes, it is checked again. */
export const rulesOf = (auth: Auth) => `${auth.settings.min_password_length} guessable`

export async function weaknessOf(
  auth: Auth,
  password: string,
  about: (string | null | undefined)[] = [],
): Promise<Weakness | undefined> {
  const least = auth.settings.min_password_length
  if (Array.from(password).length < least) {
    return { message: `Password should be at least ${least} characters.`, reasons: ['length'] }
  }
  const own = about.flatMap((text) => (text ? [text, text.replace(/@.*$/s, '')] : []))
  const reason = await guess(password.slice(0, password_length.most), own)
  if (!reason) return undefined
  return {
    message: 'Password is known to be weak and easy to guess, please choose a different one.',
    reasons: [reason],
  }
}

export async function refuseWeak(
  auth: Auth,
  password: string,
  about?: (string | null | undefined)[],
) {
  refuseTooLong(password)
  const weakness = await weaknessOf(auth, password, about)
  if (weakness) throw new AuthFailure(422, 'weak_password', weakness.message, weakness.reasons)
}

const LEAST_SCORE = 2
let guesser: ReturnType<typeof makeGuesser> | undefined

// Twenty megabytes of known passwords: only for those who set one.
async function makeGuesser() {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

async function guess(password: string, own: string[]): Promise<string | undefined> {
  const { score, sequence } = (await (guesser ??= makeGuesser())).check(password, own)
  if (score >= LEAST_SCORE) return undefined
  const [first] = sequence
  const is_known = sequence.length === 1 && first?.['dictionaryName'] === 'passwords-common'
  return is_known ? 'pwned' : 'characters'
}
