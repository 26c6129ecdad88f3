// Servers and PostgreSQL are killed outright while many people claim and two admins decide: whatever was
// acknowledged is there, once, with its money, its receipt and its place in the record.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { startEmbedded, type Embedded } from '#lib/embedded.server.ts'
import { Problem } from '#problems.ts'
import { killAndRestart, root, startServer, type Server } from './server-process.ts'
import { until } from './until.ts'
import { claimFaults } from './world/claims.ts'
import { fund, spread } from './world/money.ts'
import { aKey, apiFor, crowdOf, peopleAt, type Api, type Person } from './world/people.ts'

/** Answers of a server that is not there, or not yet: the same request is sent again. */
const away = new Set(['unavailable', 'busy', 'internal', 'storage_away', 'too_many_requests'])

describe('killed outright', () => {
  let place: string
  let postgres: Embedded
  let sql: Sql
  let servers: Server[]
  let company: string
  let admins: Person[]
  let people: Person[]
  let type_id: string
  let today: string
  const inPlace = () => ({ url: postgres.url, folder: path.join(place, 'data') })
  const enough = new AbortController()
  const submitted = new Map<string, number>()
  const decided = new Set<number>()

  before(async () => {
    await buildIfStale(root)
    place = await mkdtemp(path.join(tmpdir(), 'healthfund-killed-'))
    postgres = await startEmbedded({ folder: path.join(place, 'postgres'), report() {} })
    servers = [await startServer(inPlace())]
    servers.push(await startServer(inPlace()))
    sql = connect(postgres.url, { max: 2 })
    await peopleWithMoney()
  })
  after(async () => {
    enough.abort()
    for (const { process } of servers ?? []) process.kill('SIGKILL')
    await sql?.end()
    await postgres?.stop()
    await rm(place, { recursive: true })
  })

  async function peopleWithMoney() {
    const server = peopleAt(servers[0]!, sql)
    const boss = await server.superAdmin()
    const harbour = await server.company({ name: 'Harbour Works' })
    people = await crowdOf(harbour, 8)
    admins = [harbour.admin, await harbour.appoint('Second')]
    const { funds } = harbour.admin.api
    await funds.change_plan({ ...(await funds.plan({})), prevention_cents: 100_000_000 })
    const each = 1_000_000_000
    await fund(boss, harbour, spread(each, each, each))
    const [row] = await sql<[{ today: string; type_id: string }]>`
      select company_today(company_id) as today, id as type_id from claim_types
      where company_id = ${harbour.id} and category = 'prevention' limit 1`
    company = harbour.id
    ;({ today, type_id } = row)
  }

  /** Retries like a client: the same request, at whichever server answers, until one has answered. */
  async function insist<T>(who: Person, act: (api: Api) => Promise<T>): Promise<T | Problem> {
    let tries = 0
    const { answer } = await until(async () => {
      try {
        return { answer: await act(apiFor(servers[tries++ % servers.length]!, who.token)) }
      } catch (error) {
        return error instanceof Problem && !away.has(error.code) && { answer: error }
      }
    }, 'the answer of a server')
    return answer
  }

  let pictures = 0
  async function receipt(who: Person): Promise<string> {
    const colour = (pictures += 1)
    const background = { r: colour % 256, g: (colour * 7) % 256, b: (colour * 31) % 256 }
    const png = await sharp({ create: { width: 400, height: 400, channels: 3, background } })
      .png()
      .toBuffer()
    const file = new File([new Uint8Array(png)], 'receipt.png', { type: 'image/png' })
    const sent = await insist(who, (api) => api.receipts.upload({ file_name: file.name }, { file }))
    if (sent instanceof Problem) throw sent
    return sent.id
  }

  async function claims(who: Person) {
    for (let n = 0; !enough.signal.aborted; n += 1) {
      const key = aKey()
      const draft = {
        category: 'prevention' as const,
        type_id,
        provider: 'Harbour Clinic',
        service_on: today,
        bill_cents: 1000 + n,
        amount_cents: 1000 + n,
        note: key,
        receipt_ids: n % 5 === 0 ? [await receipt(who)] : [],
      }
      const made = await insist(who, (api) => api.claims.submit(draft, { idempotency_key: key }))
      if (made instanceof Problem) throw made
      submitted.set(key, made.id)
    }
  }

  async function decides(who: Person) {
    while (!enough.signal.aborted) {
      const queue = await insist(who, (api) => api.review.queue({ status: 'pending' }))
      if (queue instanceof Problem) throw queue
      for (const { id, version } of queue.claims.slice(0, 5)) {
        const done = await insist(who, (api) => api.review.approve({ id, version }))
        // Its receipt was read since it was listed: it is looked at again with the next list.
        if (done instanceof Problem && done.code === 'changed_meanwhile') continue
        // Decided by the other, or by this very request whose answer was lost.
        if (done instanceof Problem && done.code !== 'claim_already_decided') throw done
        decided.add(id)
      }
    }
  }

  async function killPostgres() {
    const file = path.join(place, 'postgres/data/postmaster.pid')
    process.kill(Number((await readFile(file, 'utf8')).split('\n')[0]), 'SIGKILL')
    await until(() =>
      sql`select 1`.then(
        () => true,
        () => false,
      ),
    )
  }

  const progress = async () => {
    const [claimed, approved] = [submitted.size, decided.size]
    await until(() => submitted.size >= claimed + 25 && decided.size >= approved + 15)
  }

  test('servers and database come back by themselves, and everybody goes on', async () => {
    const clients = [...people.map(claims), ...admins.map(decides)]
    const failed = Promise.all(clients)
    const story = async () => {
      for (const kill of [
        async () => (servers[0] = await killAndRestart(servers[0]!, inPlace())),
        killPostgres,
        async () => (servers[1] = await killAndRestart(servers[1]!, inPlace())),
        async () => {
          await killPostgres()
          servers[0] = await killAndRestart(servers[0]!, inPlace())
        },
      ]) {
        await progress()
        await kill()
      }
      await progress()
    }
    await Promise.race([story(), failed])
    enough.abort()
    await failed
  })

  test('every claim that was acknowledged is there, once', async () => {
    const kept = await sql<{ note: string; id: number }[]>`
      select note, id from claims where company_id = ${company}`
    assert.equal(new Set(kept.map(({ note }) => note)).size, kept.length, 'nothing twice')
    const there = new Map(kept.map(({ note, id }) => [note, id]))
    const lost = [...submitted].filter(([key, id]) => there.get(key) !== id)
    assert.deepEqual(lost, [])
    assert.ok(submitted.size >= 125)
  })

  test('every decision that was acknowledged is there, once', async () => {
    const rows = await sql<{ id: number; status: string; approvals: number }[]>`
      select c.id, c.status, (select count(*)::int from claim_events e
        where e.company_id = c.company_id and e.claim_id = c.id and e.event like 'approved%') as approvals
      from claims c where c.company_id = ${company}`
    const approved = new Set(rows.filter(({ status }) => status === 'approved').map(({ id }) => id))
    assert.deepEqual(
      [...decided].filter((id) => !approved.has(id)),
      [],
    )
    for (const { id, status, approvals } of rows)
      assert.equal(approvals, status === 'approved' ? 1 : 0, `claim ${id}`)
    const twice = await sql`
      select cause from transfers where company_id = ${company} group by cause having count(*) > 1`
    assert.deepEqual([...twice], [])
  })

  test('no receipt is without its claim, and no file without its receipt', async () => {
    const unlike = await sql`
      select c.id, c.receipts, count(r.id)::int as attached from claims c
        left join receipts r on r.company_id = c.company_id and r.claim_id = c.id
      where c.company_id = ${company} group by c.id, c.receipts having count(r.id) <> c.receipts`
    assert.deepEqual([...unlike], [])
    const orphans = await sql`
      select r.id from receipts r where r.claim_id is not null and not exists (select from claims c
        where c.company_id = r.company_id and c.id = r.claim_id and c.person_id = r.person_id)`
    assert.deepEqual([...orphans], [])
    const named = await sql<{ storage_key: string; of_receipt: boolean }[]>`
      select storage_key, true as of_receipt from receipts
      union all select storage_key, false from private.leftover_files`
    const folder = path.join(place, 'data/files')
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      // A server may have been killed while it tried the storage, with thirty bytes of nobody's.
      .filter((name) => !name.startsWith('probe/'))
    assert.ok(files.length > 10)
    const keys = new Set(named.map(({ storage_key }) => storage_key))
    const lost = files.filter((file) => !keys.has(file.replace(/\.draft$/, '')))
    assert.deepEqual(lost, [], 'no file that nothing names')
    const gone = named.filter((one) => one.of_receipt && !files.includes(one.storage_key))
    assert.deepEqual(gone, [], 'no receipt without its file')
  })

  test('ledger, sums and record verify', async () => {
    assert.deepEqual(await claimFaults(sql, company), [])
    const { good, sentence } = await verifyAll(sql)
    assert.ok(good, sentence)
    const record = await insist(admins[0]!, (api) => api.audit.verify({}))
    assert.ok(!(record instanceof Problem) && record.good, JSON.stringify(record))
  })
})
