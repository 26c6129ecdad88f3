// Requests of ours never go to this machine, the operator's own network, or the addresses by which clouds describe a machine to
// itself.
import { lookup as lookupByHosts, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IANA's registries of special-purpose addresses, and two clouds' own that lie among the public ones. */
const never_v4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' NAT; a cloud's metadata at 100.100.100.200
  '127.0.0.0/8',
  '168.63.129.16/32', // a cloud's metadata
  '169.254.0.0/16', // link-local; most clouds' metadata
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4',
]
/** Public addresses of IPv6 are all in 2000::/3; these of them are not public. */
const never_v6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = familyOf(address)
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}
const not_public = listOf([...never_v4, ...never_v6])
const global_v6 = listOf(['2000::/3'])
const mapped_v4 = listOf(['::ffff:0:0/96'])
const nat64 = listOf(['64:ff9b::/96'])

/** The last 32 bits of an address of IPv6, as the one of IPv4 that they stand for. */
function lastFour(address: string): string {
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [high = 0, low = 0] = spelled
    .split(':')
    .slice(-2)
    .map((part) => Number.parseInt(part || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether everybody can reach an address, in any spelling, also as IPv4 in IPv6. */
export function isPublic(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (isIP(plain) === 4) return !not_public.check(plain, 'ipv4')
  if (isIP(plain) !== 6) return false
  if (mapped_v4.check(plain, 'ipv6') || nat64.check(plain, 'ipv6')) return isPublic(lastFour(plain))
  return global_v6.check(plain, 'ipv6') && !not_public.check(plain, 'ipv6')
}

/** The operator's exceptions: hosts by name, and addresses or ranges of them. */
export type AllowList = { hosts: ReadonlySet<string>; ranges: BlockList }
export function allowListOf(entries: readonly string[]): AllowList {
  const is_range = (entry: string) => isIP(entry.replace(/\/\d+$/, '')) !== 0
  return {
    hosts: new Set(entries.filter((entry) => !is_range(entry)).map((host) => host.toLowerCase())),
    ranges: listOf(entries.filter(is_range)),
  }
}

/** The host of an address: `[::1]` is `::1`, and the parser has read `0x7f.1` as `127.0.0.1` by then. */
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
const inRanges = (address: string, { ranges }: AllowList) =>
  isIP(address) !== 0 && ranges.check(address, familyOf(address))

const isAllowed = (url: URL, allowed: AllowList): boolean =>
  allowed.hosts.has(hostOf(url)) || inRanges(hostOf(url), allowed)

const never_named = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** Why nothing will be sent to an address, judged by its spelling; the addresses behind a name are checked at each connection. */
export function urlRefusal(text: string, allowed: AllowList) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Spelled as it is read: what parsers forgive (`https:\\a`, a tab within) would name another host to the admins.
  const plain = /^https?:\/\/[^/\\\s][^\\\s]*$/.test(text)
  if (!url || !plain || url.username || url.password || url.hash) return 'webhook_url_invalid'
  if (isAllowed(url, allowed)) return undefined
  if (url.protocol !== 'https:') return 'webhook_needs_https'
  const host = hostOf(url)
  const refused = isIP(host) ? !isPublic(host) : never_named.test(host) || !host.includes('.')
  return refused ? 'webhook_url_private' : undefined
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>

/** Asked of name servers, not of the system: a slow one would hold a thread that files are read by. */
const byNameServers: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}
const byHosts: Resolve = async (host) =>
  (await lookupByHosts(host, { all: true })).map(({ address }) => address)

/**
 * The lookup of a connection: it checks the very address that is connected to, so a name that leads elsewhere a moment before or
 * after makes no difference. One private address among several refuses the name.
 */
export function lookupWithin(allowed: AllowList, resolve: Resolve = byNameServers): LookupFunction {
  return (host, options, answer) => {
    const named = allowed.hosts.has(host.toLowerCase())
    const find = async () => {
      const addresses = await (named ? byHosts : resolve)(host)
      const bad = addresses.some((one) => !named && !isPublic(one) && !inRanges(one, allowed))
      if (bad) throw refusal()
      const [first, ...more] = addresses.map((address) => ({ address, family: isIP(address) }))
      if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
      return { first, all: [first, ...more] }
    }
    find().then(
      ({ first, all }) =>
        options.all ? answer(null, all) : answer(null, first.address, first.family),
      (error: NodeJS.ErrnoException) => answer(error, '', 0),
    )
  }
}

/** Whether an error is the refusal of an address that is not public, or of plain http. */
export const isRefused = (error: unknown): boolean =>
  (error as { code?: unknown }).code === refused_code
const refused_code = 'ADDRESS_REFUSED'
const refusal = () => Object.assign(new Error('the address is refused'), { code: refused_code })

/** Checks an address before each call: for one with a literal IP `lookup` is never called. */
export function refuseAddress(url: URL, allowed: AllowList) {
  const host = hostOf(url)
  const is_private = isIP(host) !== 0 && !isPublic(host) && !inRanges(host, allowed)
  if (is_private || (url.protocol !== 'https:' && !isAllowed(url, allowed))) throw refusal()
}
