// A cluster with two servers and a worker, a company whose people claim, and what has to be so after every fault.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { verifyAudits } from '#audit/verify.server.ts'
import { openDatabases } from '#commands/cluster/databases.server.ts'
import type { ClusterPrograms } from '#commands/cluster/programs.server.ts'
import { openServers } from '#commands/cluster/servers.server.ts'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { claimFaults } from '../world/claims.ts'
import { fundedCompany } from '../world/company.ts'
import { apiFor, type Person } from '../world/people.ts'
import { openScene } from '../world/scene.ts'
import { memoryIsPlenty } from '../test-folder.ts'
import { until } from '../until.ts'
import { killNode, smallDisks, whyNoDisk } from './faults.ts'
import { Load } from './load.ts'
import { Screen } from './screen.ts'

const of_screens = 'on both screens'

export type ClusterStage = Awaited<ReturnType<typeof openCluster>>

export async function openCluster(programs: ClusterPrograms) {
  const folder = await mkdtemp(path.join(memoryIsPlenty() ? '/dev/shm' : tmpdir(), 'cluster-'))
  const umount = whyNoDisk() ? () => {} : await smallDisks(folder)
  const databases = await openDatabases(programs, folder)
  const database_url = process.env.DATABASE_URL
  process.env.DATABASE_URL = databases.url
  const data = path.join(folder, 'healthfund')
  await mkdir(data, { mode: 0o700 })
  const scene = await openScene({ env: { DATA_FOLDER: data } })
  const acme = await fundedCompany(scene)
  const people = await Promise.all(['Ana', 'Ben', 'Cara'].map((name) => acme.hire(name)))
  const quiet = await acme.hire('Dora')
  const draft = await acme.draft({ amount_cents: 500 })
  const servers = await openServers({
    folder,
    url: scene.database_url,
    // One by way of HAProxy, the other finds the primary itself.
    second_url: databases.direct_url.replace(
      /\/healthfund\?/,
      `${new URL(scene.database_url).pathname}?`,
    ),
    ports: databases.server_ports,
    env: { ...process.env, LOG_LEVEL: 'warn', BUSY_AFTER_MS: '10000' },
  })
  const at = (person: Person) => servers.origins.map((origin) => apiFor({ origin }, person.token))
  // The first run comes by the schedule of minutes, later ones every few seconds.
  await scene.sql`select add_job('audit:seal', key => 'audit:seal')`
  const load = new Load({ people: people.map(at), admin: at(acme.company.admin), draft })
  const screens = at(quiet).map((api) => new Screen(api))
  const pids = servers.parts.map(({ pid }) => pid)
  return {
    databases,
    load,
    servers,
    screens,
    folder,
    /** Asks the node that takes writes now. */
    async ask<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      const sql = connect(scene.database_url, { max: 1 })
      try {
        return await work(sql)
      } finally {
        await sql.end({ timeout: 0 })
      }
    },
    sameProcesses: () =>
      assert.deepEqual(
        servers.parts.map(({ pid }) => pid),
        pids,
      ),
    /** Somebody at one server acts; their screen at the other hears of it. */
    async screensHear() {
      for (const server of [0, 1]) {
        const other = screens[1 - server]!
        const before = other.event_count
        const act = () => at(quiet)[server]!.claims.submit({ ...draft, note: of_screens })
        await until(() => act().catch(() => false), 'an act')
        await until(() => other.event_count > before, 'a screen at the other server')
      }
    },
    inOrder: (sql: Sql) => inOrder(sql, load, acme.id),
    /** The worker seals on, by itself. */
    async sealsGrow() {
      const newest = async () => {
        const [row] = await this.ask(
          (sql) => sql<[{ number: string }]>`
            select number from audit_heads where company_id = ${acme.id}`,
        )
        return Number(row?.number ?? 0)
      }
      const before = await newest()
      await until(async () => (await newest()) > before, 'another seal')
    },
    /** Closes everything, whatever happened. */
    async close() {
      if (database_url === undefined) delete process.env.DATABASE_URL
      else process.env.DATABASE_URL = database_url
      const closing: Record<string, () => unknown> = {
        load: () => load.end(),
        screens: () => Promise.all(screens.map((screen) => screen.close())),
        scene: () => scene.services.close(),
        // Nobody needs any of it in order.
        parts: () => Promise.all([...servers.parts, ...databases.parts].map((part) => part.kill())),
        nodes: () => Promise.all(databases.nodes.map(killNode)),
        disks: umount,
        folder: () => rm(folder, { recursive: true, force: true }),
      }
      const faults: unknown[] = []
      for (const [what, act] of Object.entries(closing)) {
        const late = pause(10_000, undefined, { ref: false }).then(() => {
          throw new Error(`It does not close: ${what}`)
        })
        await Promise.race([Promise.resolve().then(act), late]).catch((e) => faults.push(e))
        late.catch(() => {}) // it was in time
      }
      if (faults.length > 0)
        throw new AggregateError(faults, `Not all of it could be closed: ${faults.join(', ')}`)
    },
  }
}

/** Everything acknowledged is there once, nothing is there twice, and the books are true. */
async function inOrder(sql: Sql, load: Load, company: string) {
  const submitted = new Map(load.submitted)
  const approved = new Set(load.approved)
  const claims = await sql<{ note: string; claim_id: number; approvals: number }[]>`
    select c.note, c.id::int as claim_id, (select count(*)::int from claim_events e
      where (e.company_id, e.claim_id, e.event) = (c.company_id, c.id, 'approved')) as approvals
    from claims c where c.company_id = ${company} and c.note <> ${of_screens}`
  const found = new Map(claims.map((claim) => [claim.note, claim]))
  assert.equal(found.size, claims.length, 'no claim is there twice')
  for (const [note, id] of submitted) assert.equal(found.get(note)?.claim_id, id, 'a claim is lost')
  for (const { claim_id, approvals } of claims) {
    assert.ok(approvals <= 1, `claim ${claim_id} was approved ${approvals} times`)
    if (approved.has(claim_id)) assert.equal(approvals, 1, `the approval of ${claim_id} is lost`)
  }
  assert.deepEqual(await claimFaults(sql, company), [])
  for (const verify of [verifyAll, verifyAudits]) {
    const { good, sentence } = await verify(sql)
    assert.ok(good, sentence)
  }
}
