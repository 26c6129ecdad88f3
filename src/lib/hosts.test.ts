import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type OutgoingHttpHeaders, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { serve } from '@hono/node-server'
import { openServices, type Services } from '#services.server.ts'
import { openScene, type Scene } from '../../test/world/scene.ts'
import { demoIsOn, readConfig, warningsOf, whyNotAlone } from './config.server.ts'
import { addressOf } from './hosts.server.ts'

let scene: Scene
const opened: { services: Services; server: Server }[] = []
before(async () => {
  scene = await openScene()
  await scene.sql`insert into demo_world (logins, finished_at) values ('[]', now())`
})
after(async () => {
  for (const { services, server } of opened) {
    server.close()
    await services.close()
  }
  await scene.close()
})

/** A server behind a real socket: what the peer's address says is part of the matter. */
async function listening(env: Record<string, string>) {
  const config = readConfig({ ...scene.env, DEMO: 'on', ...env })
  const services = await openServices(config, scene.database_url)
  const server = serve({ fetch: services.app.fetch, hostname: '127.0.0.1', port: 0 }) as Server
  await once(server, 'listening')
  opened.push({ services, server })
  const { port } = server.address() as AddressInfo
  return async (path: string, headers: OutgoingHttpHeaders) => {
    const client_request = request({ host: '127.0.0.1', port, path, headers, setHost: false }).end()
    const [answer] = await once(client_request, 'response')
    let text = ''
    for await (const part of answer) text += part
    return { status: answer.statusCode as number, text }
  }
}
type HostCall = Awaited<ReturnType<typeof listening>>

const local = ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'LOCALHOST']
const closed = async (ask: HostCall, headers: OutgoingHttpHeaders) => {
  const [mailbox, mail, metrics, site] = await Promise.all(
    ['/dev/mailbox.json', '/dev/mailbox/1', '/metrics', '/api/site'].map((path) =>
      ask(path, headers),
    ),
  )
  const { demo } = JSON.parse(site!.text) as { demo?: object | null }
  return [mailbox!.status, mail!.status, metrics!.status, site!.status, demo ?? null]
}

describe('what is for this machine alone', () => {
  test('is open to who asks it by its own name', async () => {
    const ask = await listening({ SITE_URL: '' })
    for (const host of local) {
      assert.equal((await ask('/dev/mailbox.json', { host })).status, 200, host)
      assert.equal((await ask('/metrics', { host })).status, 200, host)
      const site = JSON.parse((await ask('/api/site', { host })).text)
      assert.deepEqual(site.demo, { logins: [] }, host)
    }
  })

  test('is closed to what came through a proxy, however the proxy says so', async () => {
    const ask = await listening({ SITE_URL: '' })
    for (const name of [
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      'via',
      'x-real-ip',
      'x-client-address',
    ])
      assert.deepEqual(
        await closed(ask, { host: 'localhost', [name]: '203.0.113.7' }),
        [404, 404, 403, 200, null],
        name,
      )
  })

  test('is closed to HTTP/1.0, which browsers left long ago and proxies speak unless told otherwise', async () => {
    await listening({ SITE_URL: '' })
    const { port } = opened.at(-1)!.server.address() as AddressInfo
    const ask = async (version: string) => {
      const socket = connect(port, '127.0.0.1')
      const head = `GET /dev/mailbox.json HTTP/${version}\r\nHost: 127.0.0.1:${port}\r\n`
      socket.write(`${head}Connection: close\r\n\r\n`)
      let status = ''
      for await (const part of socket) status += String(part)
      return Number(status.split(' ')[1])
    }
    assert.deepEqual([await ask('1.1'), await ask('1.0')], [200, 404])
  })

  test('is closed where the settings tell of others: a public address, a proxy’s header', async () => {
    for (const env of [
      { SITE_URL: 'http://fund.example.com' },
      { SITE_URL: '', CLIENT_ADDRESS_HEADER: 'x-client-address' },
      { SITE_URL: '', HOST: '0.0.0.0' },
    ]) {
      const ask = await listening(env)
      assert.deepEqual(await closed(ask, { host: 'localhost' }), [404, 404, 403, 200, null])
    }
  })
})

describe('the name that is asked for', () => {
  test('is ours or this machine’s: a stranger’s that leads here is refused with a sentence', async () => {
    const ask = await listening({ SITE_URL: 'http://fund.example.com:8080' })
    for (const host of [...local, 'fund.example.com', 'FUND.example.com.', 'fund.example.com:443'])
      assert.equal((await ask('/api/site', { host })).status, 200, host)
    for (const host of [
      'evil.test',
      'fund.example.com.evil.test',
      'localhost.evil.test',
      '10.0.0.5',
    ])
      for (const path of ['/', '/api/site', '/auth/v1/settings', '/dev/mailbox.json']) {
        const { status, text } = await ask(path, { host })
        const { code, title } = JSON.parse(text)
        assert.deepEqual([status, code], [421, 'wrong_host'], host + path)
        assert.match(title, /answers only at the address that its setting SITE_URL names/)
      }
  })

  test('does not matter to who watches over the server by its address', async () => {
    const ask = await listening({ METRICS_TOKEN: 'measures' })
    const host = '10.0.0.5:3000'
    assert.equal((await ask('/healthz', { host })).status, 200)
    assert.equal((await ask('/readyz', { host })).status, 200)
    assert.equal((await ask('/metrics', { host })).status, 403)
    assert.equal((await ask('/metrics', { host, authorization: 'Bearer measures' })).status, 200)
  })
})

test('limits hold for who comes through a proxy that nobody named', async (t) => {
  const ask = await listening({ SITE_URL: 'http://fund.example.com' })
  const host = 'fund.example.com'
  const moment = performance.now() // on a slow machine they would be given again as quickly as they are taken
  t.mock.method(performance, 'now', () => moment)
  const all = await Promise.all(Array.from({ length: 400 }, () => ask('/api/nowhere', { host })))
  assert.ok(all.some(({ status }) => status === 429))
})

test('what a client writes into a proxy’s header is not its address', () => {
  const clientAddress = (PROXIES: number, header: string | undefined) => {
    const entries = header === undefined ? {} : { 'x-forwarded-for': header }
    const c = {
      req: { header: (name: string) => (entries as Record<string, string>)[name] },
      env: {},
    }
    return addressOf({ CLIENT_ADDRESS_HEADER: 'x-forwarded-for', PROXIES })(c as never)
  }
  assert.equal(clientAddress(1, '198.51.100.1, 203.0.113.7'), '203.0.113.7')
  assert.equal(clientAddress(1, '203.0.113.7'), '203.0.113.7')
  assert.equal(clientAddress(2, '198.51.100.1, 203.0.113.7, 10.0.0.2'), '203.0.113.7')
  assert.equal(clientAddress(2, '203.0.113.7'), '203.0.113.7')
  assert.equal(clientAddress(1, undefined), undefined)
})

describe('the start', () => {
  const config = (env: Record<string, string>) => readConfig({ ...env, LOG_LEVEL: 'fatal' })

  test('says what is off and why, and nothing where nothing is', () => {
    assert.deepEqual(warningsOf(config({})), [])
    const warnings = warningsOf(config({ SITE_URL: 'http://fund.example.com', DEMO: 'on' })).join(
      '\n',
    )
    for (const word of ['SITE_URL is open', 'mailbox', 'METRICS_TOKEN', 'demo', 'CLIENT_ADDRESS'])
      assert.match(warnings, new RegExp(word))
    const open = warningsOf(config({ HOST: '0.0.0.0' }))
    assert.match(open.join('\n'), /As HOST is open to others, only requests to localhost/)
    assert.deepEqual(
      warningsOf(
        config({
          SITE_URL: 'https://fund.example.com',
          SMTP_URL: 'smtp://mail.example.com',
          METRICS_TOKEN: 'measures',
          CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
          DATABASE_URL: 'postgres://owner:secret@127.0.0.1:5432/fund',
        }),
      ),
      [],
    )
  })

  test('refuses https without a mail server, unless told that there is none', () => {
    const SITE_URL = 'https://fund.example.com'
    assert.throws(() => config({ SITE_URL }), /SMTP_URL: .* needs a mail server, or off/)
    assert.equal(config({ SITE_URL, SMTP_URL: 'off' }).SMTP_URL, undefined)
  })

  test('makes no demo for others by itself', () => {
    const on = (env: Record<string, string>) => demoIsOn(config(env))
    assert.equal(on({}), true)
    assert.equal(on({ SITE_URL: 'http://127.0.0.1:3000' }), true)
    assert.equal(on({ SITE_URL: 'http://fund.example.com' }), false)
    assert.equal(on({ CLIENT_ADDRESS_HEADER: 'x-forwarded-for' }), false)
    assert.equal(whyNotAlone(config({ SITE_URL: 'http://localhost:3000' })), undefined)
  })
})
