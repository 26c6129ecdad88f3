// Security updates: what the registry says of what is installed, and how the panel tells it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { freePort } from '../../test/free-port.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { askRegistry, checkAdvisories, installedPackages } from './advisories.server.ts'
import { percentile, noCounts, stepOf } from './steps.ts'

describe('security updates', () => {
  const scene = openedScene()
  let boss: Person
  before(async () => {
    boss = await scene.superAdmin()
  })
  const tools = () => ({ sql: scene.sql, log: makeLog('fatal') })
  const updates = async () => (await boss.api.system.health({})).updates

  test('are not checked where nobody answers, and it says so', async () => {
    assert.match((await updates()).sentence, /^Not checked yet$/)
    await checkAdvisories(`http://127.0.0.1:${await freePort()}/`)({}, tools())
    const found = await updates()
    assert.equal(found.state, 'unknown')
    assert.match(found.sentence, /^Not checked yet: the registry does not answer$/)
    await checkAdvisories(undefined)({}, tools())
    assert.match((await updates()).sentence, /: it is turned off$/)
  })

  test('are asked for of what runs here and of what browsers get, not of what only builds it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-built-'))
    const built = path.join(folder, 'packages.json')
    await writeFile(built, JSON.stringify({ react: '19.0.0', zod: '3.0.0' }))
    const { react, vite, pg, zod } = await installedPackages(undefined, built)
    await rm(folder, { recursive: true })
    assert.deepEqual([react, vite, pg?.length, zod?.length], [['19.0.0'], undefined, 1, 2])
  })

  test('are what the registry says of the versions that are installed, and of no others', async () => {
    const requests: Record<string, string[]>[] = []
    const { hono } = await installedPackages()
    const registry = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => (body += part.toString()))
      request.on('end', () => {
        requests.push(JSON.parse(body))
        const fault = { id: 1, severity: 'high', url: 'https://advisories.test/1' }
        const advisory = {
          hono: [
            { ...fault, title: 'A hole', vulnerable_versions: `<=${hono![0]}` },
            { ...fault, title: 'An old hole', vulnerable_versions: '<1.0.0' },
          ],
        }
        response.end(JSON.stringify(advisory))
      })
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    try {
      const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
      await checkAdvisories(address)({}, tools())
      const found = await updates()
      assert.equal(found.sentence, '1 security update pending')
      assert.deepEqual(
        found.pending.map(({ package: name, title }) => [name, title]),
        [['hono', 'A hole']],
      )
      assert.ok(found.packages! > 100)
      assert.deepEqual(requests[0]?.['hono'], hono)
      assert.equal(requests[0]?.['typescript'], undefined, 'what is only for development stays out')
      assert.equal(requests[0]?.['healthfund'], undefined)
      const clean = await askRegistry(address, { hono: ['999.0.0'] })
      assert.deepEqual(clean, [])
    } finally {
      registry.close()
    }
  })
})

describe('percentiles', () => {
  test('lie within a step of the truth', () => {
    const counts = noCounts()
    const times = Array.from({ length: 1000 }, (_, at) => 1 + at * 0.5)
    for (const time of times) counts[stepOf(time)]! += 1
    for (const share of [0.5, 0.95, 0.99]) {
      const truth = times[Math.floor(times.length * share)]!
      const score = percentile(counts, share)!
      assert.ok(Math.abs(score / truth - 1) < 0.13, `${share}: ${score} beside ${truth}`)
    }
    assert.equal(percentile(noCounts(), 0.5), null)
    assert.equal(stepOf(0), 0)
    assert.equal(stepOf(1e9), noCounts().length - 1)
  })
})
