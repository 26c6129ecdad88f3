// The disk has no room for the log of PostgreSQL: it ends in the middle of what it does, and who writes is told so.
// When there is room again it comes back, and what was acknowledged is there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, chown, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from '#lib/db.server.ts'
import { startEmbedded, type Embedded } from '#lib/embedded.server.ts'
import { isRoot, unprivilegedUser } from '#lib/unprivileged.server.ts'
import { fundedCompany, type FundedCompany } from './world/company.ts'
import { aKey } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { until } from './until.ts'

if (isRoot()) describe('a disk without room for the log of PostgreSQL', played)
else console.log('NOT PLAYED on a small disk: only root makes a file system of a few megabytes')

function played() {
  const database_url = process.env.DATABASE_URL
  let place: string
  let folder: string
  let embedded: Embedded
  let scene: Scene
  let acme: FundedCompany
  const ballast = () => path.join(place, 'ballast')
  before(async () => {
    place = await mkdtemp(path.join(tmpdir(), 'healthfund-wal-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'tmpfs', place])
    const { uid, gid } = await unprivilegedUser()
    await chown(place, uid, gid)
    folder = path.join(place, 'postgres')
    const settings = { min_wal_size: '32MB', max_wal_size: '32MB' }
    embedded = await startEmbedded({ folder, settings, report() {} })
    process.env.DATABASE_URL = embedded.url
    scene = await openScene()
    acme = await fundedCompany(scene)
  })
  after(async () => {
    await rm(ballast(), { force: true })
    await scene.close()
    await embedded.stop()
    if (database_url === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = database_url
    execFileSync('umount', ['--lazy', place]) // PostgreSQL says it has ended a moment before it has
    await rm(place, { recursive: true })
  })

  /** Fills the disk to the last byte; PostgreSQL may use some of it meanwhile. */
  async function fill() {
    const { bavail, bsize } = await statfs(place)
    const more = Buffer.alloc(bavail * bsize)
    await appendFile(ballast(), more).catch((error: { code?: string }) =>
      assert.equal(error.code, 'ENOSPC'),
    )
  }

  /**
   * One file of the log after another, until there is no room for the next: faster than a checkpoint lets PostgreSQL
   * use the old ones again.
   */
  async function useUpTheLog() {
    const url = new URL(embedded.url)
    url.username = 'postgres'
    url.password = (await readFile(path.join(folder, 'superuser-password'), 'utf8')).trim()
    const sql = connect(url.href, { max: 1 })
    try {
      await sql`select pg_logical_emit_message(false, 'full', 'x'), pg_switch_wal()
        from generate_series(1, 100)`
      return false
    } catch {
      return true // its own log says why
    } finally {
      await sql.end({ timeout: 0 })
    }
  }

  test('refuses all that is written, keeps what it acknowledged, and comes back by itself', async () => {
    const ana = await acme.hire('Ana')
    const draft = await acme.draft({ amount_cents: 2000 })
    const claim = (key: string) => ana.api.claims.submit(draft, { idempotency_key: key })
    const acknowledged = [(await claim(aKey())).id]
    await until(async () => {
      await fill()
      return useUpTheLog()
    }, 'a log without room')
    const log = await readFile(path.join(folder, 'log'), 'utf8')
    assert.match(log, /PANIC: .*No space left on device/)
    const refused = [aKey(), aKey(), aKey()]
    for (const key of refused)
      await assert.rejects(claim(key), ({ code }: { code: string }) =>
        ['storage_full', 'unavailable'].includes(code),
      )
    await rm(ballast())
    for (const key of refused) {
      const done = await until(() => claim(key).catch(() => undefined), 'the claim, taken at last')
      acknowledged.push(done.id)
    }
    const { claims } = await ana.api.claims.mine({})
    assert.deepEqual(
      claims.map(({ id }) => id).toSorted((a, b) => a - b),
      acknowledged.toSorted((a, b) => a - b),
    )
    assert.deepEqual(await acme.faults(), [])
    const { audit, funds } = acme.company.admin.api
    for (const { good, sentence } of [await audit.verify({}), await funds.verify({})])
      assert.ok(good, sentence)
  })
}
