// Under which names we answer, who asks from this very machine, and from which address anybody asks.
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Config } from './config.server.ts'
import { isLoopback, isLoopbackAddress, whyNotAlone } from './config.server.ts'

type SiteAddress = Pick<Config, 'SITE_URL'>

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming
const peerOf = (c: Context) => incomingOf(c)?.socket.remoteAddress
const headersOf = (c: Context): object => incomingOf(c)?.headers ?? c.req.header()

/** The name that was asked for; in process, without a wire, the one in the address. */
function hostOf(c: Context): string {
  const incoming = incomingOf(c)
  const host = incoming ? (incoming.headers.host ?? '') : c.req.header('host')
  return host === undefined ? new URL(c.req.url).hostname : plain(host.replace(/:\d*$/, ''))
}

/** The way a request came to us. */
export type RequestPlace = {
  /** From the machine the server runs on. */
  is_local: boolean
  /** At which of our addresses. */
  origin: string
}
export const originOf = (c: Context) => new URL(c.req.url).origin

/** Any other name may be a stranger's that was made to lead here, with a page of theirs behind it. */
export function isOurName({ SITE_URL }: SiteAddress): (c: Context) => boolean {
  const ours = SITE_URL && plain(new URL(SITE_URL).hostname)
  return (c) => {
    const host = hostOf(c)
    return host === ours || isLoopback(host)
  }
}

const forwarded = /^(forwarded|via|x-real-ip|x-forwarded-.+|x-client-(ip|address))$/

/**
 * Somebody at this machine, for whom mails, demo logins and figures are open and nothing is limited.
 * That the peer is loopback says little, for so is a proxy: nothing may hint at one.
 */
export function isAtThisMachine(config: Config): (c: Context) => boolean {
  if (whyNotAlone(config)) return () => false
  return (c) => {
    const peer = peerOf(c)
    if (peer !== undefined && !isLoopbackAddress(peer)) return false
    // A client that still speaks HTTP/1.0 is no browser but a proxy, such as nginx by default.
    if (incomingOf(c)?.httpVersion === '1.0') return false
    return isLoopback(hostOf(c)) && !Object.keys(headersOf(c)).some((name) => forwarded.test(name))
  }
}

/**
 * The header counts only where the operator says that proxies of ours write it. Each appends the
 * address it sees, so the last entries are theirs, and what stands before them anybody can write.
 */
export function addressOf(config: Pick<Config, 'CLIENT_ADDRESS_HEADER' | 'PROXIES'>) {
  const { CLIENT_ADDRESS_HEADER: header, PROXIES } = config
  return (c: Context): string | undefined => {
    const entries = (header && c.req.header(header)?.split(',')) || []
    return entries[Math.max(0, entries.length - PROXIES)]?.trim() || peerOf(c)
  }
}
