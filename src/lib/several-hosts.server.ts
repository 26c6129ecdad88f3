// A database at several hosts, one of which takes writes: each connection goes to that one. When it is another host than before,
// connections to the old one are cut, as a machine that fell silent closes none itself.
import { Socket } from 'node:net'
import { Client } from 'pg'

const look_every_ms = 2_000
const answers_within_ms = 2_000
const several = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?@]*,[^/?@]*)/
const wants_writes = /^(read-write|primary)$/

/**
 * The address with one host, which every part of the product can read, and all hosts beside it. Unchanged with a single host;
 * undefined if it does not ask for the host that takes writes.
 */
export function withHosts(address: string): string | undefined {
  const [, , hosts] = several.exec(address) ?? []
  const one = address.replace(several, `$1${hosts?.split(',')[0]}`)
  if (!hosts || !URL.canParse(one)) return address
  const url = new URL(one)
  if (!wants_writes.test(url.searchParams.get('target_session_attrs') ?? '')) return undefined
  url.searchParams.delete('target_session_attrs')
  url.searchParams.set('hosts', hosts)
  return url.href
}

const known = new Map<string, Hosts>()

/** How a connection to this address is opened, where it names several hosts. */
export function streamTo(address: string): { stream?: () => Socket } {
  const hosts = new URL(address).searchParams.get('hosts')
  if (!hosts) return {}
  const all = known.get(hosts) ?? new Hosts(address, hosts.split(','))
  known.set(hosts, all)
  return { stream: () => new ToPrimary(all) }
}

class ToPrimary extends Socket {
  readonly #hosts: Hosts

  constructor(hosts: Hosts) {
    super()
    this.#hosts = hosts
  }

  /** Whichever host is asked for. */
  override connect(): this {
    void this.#dial()
    return this
  }

  async #dial() {
    try {
      const url = await this.#hosts.primary()
      if (this.destroyed) return
      this.#hosts.opened(this, url)
      super.connect(Number(url.port || 5432), url.hostname)
    } catch (error) {
      this.destroy(error as Error)
    }
  }
}

class Hosts {
  readonly #urls: URL[]
  readonly #open = new Map<Socket, URL>()
  #finding: Promise<URL> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(address: string, hosts: string[]) {
    this.#urls = hosts.map((host) => {
      const url = new URL(address)
      url.searchParams.delete('hosts')
      url.host = host
      return url
    })
  }

  primary(): Promise<URL> {
    this.#finding ??= Promise.any(this.#urls.map(takingWrites))
      .catch(() => {
        const code = 'CONNECTION_WITHOUT_PRIMARY'
        throw Object.assign(new Error('No host of DATABASE_URL takes writes'), { code })
      })
      .finally(() => (this.#finding = undefined))
    return this.#finding
  }

  opened(socket: Socket, url: URL) {
    this.#open.set(socket, url)
    this.#timer ??= setInterval(() => void this.#look(), look_every_ms).unref()
    socket.once('close', () => {
      this.#open.delete(socket)
      if (this.#open.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    })
  }

  async #look() {
    const primary = await this.primary().catch(() => undefined)
    for (const [socket, url] of this.#open) if (primary && url !== primary) socket.destroy(lost())
  }
}

const lost = () =>
  Object.assign(new Error('Another host takes writes now'), { code: 'CONNECTION_LOST' })

async function takingWrites(url: URL): Promise<URL> {
  const client = new Client({
    connectionString: url.href,
    connectionTimeoutMillis: answers_within_ms,
    query_timeout: answers_within_ms,
    application_name: 'healthfund looks',
  })
  client.on('error', () => {}) // it is told below
  try {
    await client.connect()
    const { rows } = await client.query<{ yes: boolean }>(`select not pg_is_in_recovery()
      and not current_setting('default_transaction_read_only')::boolean as yes`)
    if (!rows[0]?.yes) throw new Error('It takes no writes')
    return url
  } finally {
    client.connection.stream.destroy()
  }
}
