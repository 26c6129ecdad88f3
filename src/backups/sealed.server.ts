// Parts of a backup, encrypted to public keys in the format of age (age-encryption.org): who makes backups cannot read
// them, and the tool `age` opens them without us.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** The ending of a sealed part's name. */
export const sealed_ending = '.age'
export const openName = (name: string) =>
  name.endsWith(sealed_ending) ? name.slice(0, -sealed_ending.length) : name

/** A transformation of one stream of bytes into another. */
export type Through = (source: Readable) => Promise<Readable>

const library = () => import('age-encryption')

type Web = ReadableStream<Uint8Array>
const asWeb = (source: Readable) => Readable.toWeb(source) as Web
const asNode = (source: unknown) => Readable.fromWeb(source as Web)

/** Encrypts so that each of these keys' private keys opens it. */
export async function sealerFor(public_keys: readonly string[]): Promise<Through> {
  const { Encrypter } = await library()
  const encrypter = new Encrypter()
  for (const key of public_keys) encrypter.addRecipient(key)
  return async (source) => asNode(await encrypter.encrypt(asWeb(source) as never))
}

export async function openerFor(private_keys: readonly string[]): Promise<Through> {
  const { Decrypter } = await library()
  const decrypter = new Decrypter()
  for (const key of private_keys) decrypter.addIdentity(key)
  return async (source) => {
    try {
      return asNode(await decrypter.decrypt(asWeb(source) as never))
    } catch (error) {
      source.destroy()
      if (/no identity matched/.test(String(error)))
        throw new Error('None of the private keys given opens this backup.', { cause: error })
      throw error
    }
  }
}

/** A file of private keys as `age-keygen` writes it: one in a line, and comments. */
export async function privateKeysIn(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The private key in ${file} cannot be read (${error.code}).`, { cause: error })
  })
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const keys = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (keys.length === 0) throw new Error(`${file} holds no private key of age.`)
  return keys
}

/** A pair of keys, as `age-keygen` makes one. */
export async function makePair() {
  const { generateX25519Identity, identityToRecipient } = await library()
  const private_key = await generateX25519Identity()
  return { private_key, public_key: await identityToRecipient(private_key) }
}
