// The headers of every answer, whoever asks and whatever becomes of it.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, test } from 'node:test'
import { openServices } from '#services.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { openedScene } from './world/scene.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}
const addresses = ['/api/me', '/api/nowhere', '/auth/v1/settings', '/auth/v1/user', '/healthz']

describe('every answer', () => {
  const scene = openedScene()
  const ask = (path: string, init?: RequestInit) => scene.services.app.request(path, init)

  test('forbids sniffing, framing, scripts and keeping, also where it refuses', async () => {
    const ana = await (await scene.company()).hire('Ana')
    const own = await ask('/api/me', {
      headers: { authorization: `Bearer ${ana.token}` },
    })
    assert.equal(own.status, 200)
    for (const answer of [own, ...(await Promise.all(addresses.map(async (path) => ask(path))))]) {
      for (const [name, value] of Object.entries(everywhere))
        assert.equal(answer.headers.get(name), value, name)
      const policy = answer.headers.get('content-security-policy') ?? ''
      assert.match(policy, /default-src 'none'/)
      assert.match(policy, /frame-ancestors 'none'/)
      assert.match(answer.headers.get('cache-control') ?? '', /no-store|max-age/)
      assert.ok(answer.headers.get('x-request-id'))
      assert.equal(answer.headers.get('server'), null)
      assert.equal(answer.headers.get('x-powered-by'), null)
      assert.equal(answer.headers.get('set-cookie'), null)
    }
    assert.equal(own.headers.get('cache-control'), 'no-store')
  })

  test('lets no other origin read it, unless the operator named that one', async () => {
    const request = { headers: { origin: 'https://evil.test' } }
    const answer = await ask('/api/site', request)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    const preflight = await ask('/api/claims', {
      method: 'OPTIONS',
      headers: {
        origin: 'null',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    assert.equal(preflight.headers.get('access-control-allow-origin'), null)
  })

  test('behind https tells the browser to stay there for a year', async () => {
    assert.equal((await ask('/healthz')).headers.get('strict-transport-security'), null)
    const env = { ...scene.env, SITE_URL: 'https://fund.example.com', SMTP_URL: 'off' }
    const services = await openServices(readConfig(env), scene.database_url)
    const answer = await services.app.request('/healthz')
    const header = answer.headers.get('strict-transport-security')
    assert.equal(header, 'max-age=31536000; includeSubDomains')
    await services.close()
  })

  test('a part of a page says no more than how long to keep it and not to sniff', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-pages-'))
    await mkdir(path.join(folder, 'assets'))
    const file = path.join(folder, 'assets/part.js')
    await writeFile(file, 'export {}')
    await writeFile(`${file}.br`, brotliCompressSync('export {}'))
    await writeFile(path.join(folder, 'index.html'), '<!doctype html>')
    const services = await openServices(readConfig(scene.env), scene.database_url)
    const half_built = pagesOf(services.app, { folder, dev: false, isPage: () => true })
    await assert.rejects(half_built, /not complete: build them again/)
    await writeFile(path.join(folder, 'app.html'), '<!doctype html>')
    await pagesOf(services.app, { folder, dev: false, isPage: () => true })
    const part = await services.app.request('/assets/part.js')
    assert.equal(part.status, 200)
    assert.equal(part.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(part.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    for (const name of ['x-request-id', 'x-frame-options', 'content-security-policy'])
      assert.equal(part.headers.get(name), null, name)
    // The compressed file of the build, if the browser takes it; a later build is for the next server.
    await rm(path.join(folder, 'assets'), { recursive: true })
    const packed = async (takes: string) => {
      const headers = { 'accept-encoding': takes }
      const answer = await services.app.request('/assets/part.js', { headers })
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
      assert.equal(answer.headers.get('vary'), 'accept-encoding')
      return {
        encoding: answer.headers.get('content-encoding'),
        bytes: Buffer.from(await answer.arrayBuffer()),
      }
    }
    const small = await packed('gzip, deflate, br, zstd')
    assert.equal(small.encoding, 'br')
    assert.equal(String(brotliDecompressSync(small.bytes)), 'export {}')
    assert.deepEqual(await packed('gzip'), { encoding: null, bytes: Buffer.from('export {}') })
    const page = await services.app.request('/dashboard')
    const missing = await services.app.request('/assets/none.js')
    assert.equal(missing.status, 404)
    for (const answer of [page, missing])
      for (const [name, value] of Object.entries(everywhere))
        assert.equal(answer.headers.get(name), value, name)
    await services.close()
    await rm(folder, { recursive: true })
  })

  test('of more than ten packets is packed for whoever takes it packed', async () => {
    const { admin } = await scene.company()
    const read = async (path: string, takes: string) => {
      const headers = { authorization: `Bearer ${admin.token}`, 'accept-encoding': takes }
      const answer = await ask(path, { headers })
      assert.equal(answer.headers.get('content-type'), 'application/json')
      return {
        encoding: answer.headers.get('content-encoding'),
        vary: answer.headers.get('vary'),
        bytes: Buffer.from(await answer.arrayBuffer()),
      }
    }
    const long = `/api/together?${'ask=/claim-types&'.repeat(12)}`
    for (const path of [long, '/api/openapi.json']) {
      const plain = await read(path, 'identity')
      const [small, smaller] = [await read(path, 'gzip'), await read(path, 'gzip, deflate, br')]
      assert.deepEqual(
        [plain, small, smaller].map(({ encoding }) => encoding),
        [null, 'gzip', 'br'],
      )
      assert.equal(smaller.vary, 'accept-encoding')
      assert.equal(String(gunzipSync(small.bytes)), String(plain.bytes))
      assert.equal(String(brotliDecompressSync(smaller.bytes)), String(plain.bytes))
      assert.ok(smaller.bytes.length < plain.bytes.length / 2, path)
    }
    assert.equal((await read('/api/claim-types', 'br, gzip')).encoding, null)
    const refused = await read(long, 'gzip;q=0, br;q=0.0')
    assert.deepEqual([refused.encoding, refused.vary], [null, 'accept-encoding'])
  })

  test('to a method that is not meant is a refusal', async () => {
    for (const method of ['PUT', 'DELETE', 'PROPFIND']) {
      const { status } = await ask('/api/me', { method })
      assert.ok(status === 405 || status === 404, `${method}: ${status}`)
    }
  })
})
