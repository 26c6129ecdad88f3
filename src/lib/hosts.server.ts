// The host names of this server, whether a request comes from this very machine, and the address that it comes from.
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Config } from './config.server.ts'
import { isLoopback, isLoopbackAddress, whyNotAlone } from './config.server.ts'

type SiteAddress = Pick<Config, 'SITE_URL'>

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

const incomingOf = (c: Context) => (c.env as Partial<HttpBindings> | undefined)?.incoming
const peerOf = (c: Context) => incomingOf(c)?.socket.remoteAddress
const headersOf = (c: Context): object => incomingOf(c)?.headers ?? c.req.header()

/** The host of the request; without a socket, in process, that of its URL. */
function hostOf(c: Context): string {
  const incoming = incomingOf(c)
  const host = incoming ? (incoming.headers.host ?? '') : c.req.header('host')
  return host === undefined ? new URL(c.req.url).hostname : plain(host.replace(/:\d*$/, ''))
}

/** The way a request came to us. */
export type RequestPlace = {
  /** The request comes from the machine that the server runs on. */
  is_local: boolean
  /** Our own address, as the request used it. */
  origin: string
}
export const originOf = (c: Context) => new URL(c.req.url).origin

/**
 * Whether a host name is ours. Another one may be a stranger's that was pointed at us, with their page behind it (DNS rebinding).
 */
export function isOurName({ SITE_URL }: SiteAddress): (c: Context) => boolean {
  const ours = SITE_URL && plain(new URL(SITE_URL).hostname)
  return (c) => {
    const host = hostOf(c)
    return host === ours || isLoopback(host)
  }
}

const forwarded = /^(forwarded|via|x-real-ip|x-forwarded-.+|x-client-(ip|address))$/

/**
 * Whether somebody at this machine asks: to them mails, demo logins and figures are open, and nothing is limited. A loopback peer
 * may be a proxy, so no header may hint at one.
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
 * The caller's address. The header counts only if the operator says that our proxies write it. Each appends the address it sees,
 * so the last entries are the proxies', and anybody can write those before them.
 */
export function addressOf(config: Pick<Config, 'CLIENT_ADDRESS_HEADER' | 'PROXIES'>) {
  const { CLIENT_ADDRESS_HEADER: header, PROXIES } = config
  return (c: Context): string | undefined => {
    const entries = (header && c.req.header(header)?.split(',')) || []
    return entries[Math.max(0, entries.length - PROXIES)]?.trim() || peerOf(c)
  }
}
