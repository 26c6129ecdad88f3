// Fetches one file, by SFTP or https: within a time and a size, and never from an address that is not public.
import { createHash } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { import_limits } from '#employees/imports/imports.contract.ts'
import {
  isRefused,
  lookupWithin,
  refuseAddress,
  urlRefusal,
  type AllowList,
  type Resolve,
} from '#lib/addresses.server.ts'

// Large, and fetched with by few: loaded with the first file.
const library = async () => (await import('ssh2-sftp-client')).default

const most_ms = 2 * 60_000
const most_bytes = import_limits.bytes

type FaultCode =
  | 'address'
  | 'name'
  | 'certificate'
  | 'connection'
  | 'time'
  | 'login'
  | 'host_key_new'
  | 'host_key'
  | 'no_file'
  | 'cut'
  | 'too_large'
  | 'answer'
  | 'redirect'

export class FetchFault extends Error {
  readonly fault: FaultCode
  /** The key that the server showed, where it is not the one that was trusted. */
  readonly host_key_met: string | undefined
  constructor(fault: FaultCode, host_key_met?: string) {
    super(fault)
    this.fault = fault
    this.host_key_met = host_key_met
  }
}

export type From = {
  url: string
  login: string | null
  secret_kind: 'none' | 'password' | 'key'
  secret: string | undefined
  /** The SSH key that the server must show before it gets our login. */
  host_key: string | null
  allowed: AllowList
  ending?: AbortSignal | undefined
  resolve?: Resolve | undefined
  ca?: string | undefined
}

const sftp = /^sftp:\/\/([^/\\\s?#@]+)(\/[^\\\s?#]*[^/\\\s?#])$/
/** An SSH server's address, parsed as a browser does, so that no spelling hides what it is. */
const siteOf = (host: string) => `https://${host.replace(/:\d+$/, '')}/`

/** A path as a person reads it; a `%` that begins no code of a letter stands for itself. */
export function readable(path: string): string {
  try {
    return decodeURI(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/** Why nothing will be fetched from an address, as far as its spelling tells. */
export function addressRefusal(url: string, allowed: AllowList) {
  if (!url.startsWith('sftp:')) return urlRefusal(url, allowed)
  const [, host] = sftp.exec(url) ?? []
  return urlRefusal(host ? siteOf(host) : '', allowed) // one that is none is none
}

export async function fetchFile(from: From): Promise<Buffer> {
  if (addressRefusal(from.url, from.allowed)) throw new FetchFault('address')
  const time = AbortSignal.timeout(most_ms)
  const signal = from.ending ? AbortSignal.any([time, from.ending]) : time
  try {
    return await (from.url.startsWith('sftp:') ? bySftp : byHttps)(from, signal)
  } catch (error) {
    if (error instanceof FetchFault) throw error
    throw new FetchFault(time.aborted ? 'time' : faultOf(error))
  }
}

const fingerprintOf = (key: Buffer) =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

async function bySftp(from: From, signal: AbortSignal): Promise<Buffer> {
  const { allowed, host_key, login, secret, secret_kind, resolve } = from
  const [, place = '', spelled = ''] = sftp.exec(from.url) ?? []
  const path = readable(spelled)
  const site = new URL(siteOf(place))
  refuseAddress(site, allowed)
  const SftpClient = await library()
  const socket = net.connect({
    host: site.hostname.replace(/^\[|\]$/g, ''),
    port: Number(/:(\d+)$/.exec(place)?.[1] ?? 22),
    lookup: lookupWithin(allowed, resolve),
    signal,
  })
  const client = new SftpClient()
  let met: string | undefined
  // An error after the whole file has come changes nothing.
  client.on('error', () => {})
  try {
    await once(socket, 'connect')
    await client
      .connect({
        sock: socket,
        username: login ?? '',
        readyTimeout: 20_000,
        ...(secret_kind === 'password' ? { password: secret ?? '' } : {}),
        ...(secret_kind === 'key' ? { privateKey: secret ?? '' } : {}),
        // Checked before our login is sent.
        hostVerifier: (key: Buffer) => {
          met = fingerprintOf(key)
          return met === host_key
        },
      })
      .catch((error: unknown) => {
        if (met && met !== host_key)
          throw new FetchFault(host_key ? 'host_key' : 'host_key_new', met)
        throw /authentication|privateKey|passphrase/i.test(String(error))
          ? new FetchFault('login')
          : error
      })
    const before = await client.stat(path)
    if (before.size > most_bytes) throw new FetchFault('too_large')
    const bytes = new Gathering(before.size)
    await client.get(path, bytes).catch((error: unknown) => {
      throw bytes.over ? new FetchFault('cut') : error
    })
    const after = await client.stat(path)
    // The size changed: somebody is still writing the file.
    if (bytes.size !== after.size || after.size !== before.size) throw new FetchFault('cut')
    return bytes.all()
  } finally {
    await client.end().catch(() => {})
    socket.destroy()
  }
}

class Gathering extends Writable {
  #parts: Buffer[] = []
  #most: number
  size = 0
  constructor(most: number) {
    super()
    this.#most = most
  }
  get over() {
    return this.size > this.#most
  }
  override _write(part: Buffer, _: string, done: (error?: Error) => void) {
    this.size += part.length
    this.#parts.push(part)
    done(this.over ? new Error('more than there was') : undefined)
  }
  all = () => Buffer.concat(this.#parts)
}

async function byHttps(from: From, signal: AbortSignal): Promise<Buffer> {
  const { allowed, login, secret, secret_kind, resolve, ca } = from
  const url = new URL(from.url)
  refuseAddress(url, allowed)
  const authorization = login
    ? `Basic ${Buffer.from(`${login}:${secret ?? ''}`).toString('base64')}`
    : `Bearer ${secret ?? ''}`
  const { promise, resolve: answered, reject } = Promise.withResolvers<http.IncomingMessage>()
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    headers: secret_kind === 'none' ? {} : { authorization },
    agent: false, // a connection of its own, looked at again, and by no proxy of the environment
    lookup: lookupWithin(allowed, resolve),
    signal,
    ...(ca ? { ca } : {}),
  })
  request.on('response', answered).on('error', reject).end()
  try {
    const response = await promise
    const fault = faultOfStatus(response.statusCode ?? 0)
    if (fault) throw new FetchFault(fault)
    return await wholeOf(response)
  } finally {
    request.destroy()
  }
}

/** A body that ends before it said it would is no file. */
async function wholeOf(response: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length
      if (size > most_bytes) throw new FetchFault('too_large')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof FetchFault ? error : new FetchFault('cut')
  }
  if (!response.complete) throw new FetchFault('cut')
  return Buffer.concat(parts)
}

function faultOfStatus(status: number): FaultCode | undefined {
  if (status === 200) return undefined
  if (status === 401 || status === 403) return 'login'
  if (status === 404 || status === 410) return 'no_file'
  return status >= 300 && status < 400 ? 'redirect' : 'answer'
}

function faultOf(error: unknown): FaultCode {
  const { code = '', message = '' } = error as { code?: string | number; message?: string }
  const name = String(code)
  if (isRefused(error)) return 'address'
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(name)) return 'name'
  if (/ENOENT|^2$/.test(name) || /no such file/i.test(message)) return 'no_file'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(name)) return 'certificate'
  return /EACCES|^3$/.test(name) ? 'login' : 'connection'
}
