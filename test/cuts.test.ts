// The line to the database is cut in the middle of every step of an act, or is slow: nothing acknowledged is lost,
// nothing happens twice, ledger and record verify.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openServices, type Services } from '#services.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { Cutter } from './cutter.ts'
import { claimFaults } from './world/claims.ts'
import { payee, payingCompany } from './world/payouts.ts'
import { aKey, apiFor, type Api, type Person } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'
import { until } from './until.ts'

describe('a line that is cut at any byte', () => {
  const cuts_per_way = 12
  let scene: Scene
  let stage: Awaited<ReturnType<typeof payingCompany>>
  let ana: Person
  let cutter: Cutter
  let services: Services
  /** The API of the server behind the cutter. */
  let of: (person: Person) => Api

  before(async () => {
    scene = await openScene()
    stage = await payingCompany(scene)
    ana = await payee(stage.acme, 'Ana')
    const target = new URL(scene.database_url)
    cutter = new Cutter(new URL(target))
    target.port = String(await cutter.listen())
    target.hostname = '127.0.0.1'
    services = await openServices(readConfig(scene.env), target.href, { worker: false })
    of = ({ token }) => apiFor(services, token)
  })
  after(async () => {
    cutter.delay_ms = 0
    await services.close(10_000)
    await cutter.close()
    await scene.close()
  })

  const codeOf = (act: Promise<unknown>) =>
    act.then(
      () => 'ok',
      (error: { code?: string; message: string }) => error.code ?? error.message,
    )

  /** The act at each of many cuts; then once more as a person would press again. Answers what both times said. */
  async function atEachCut(prepare: () => Promise<() => Promise<unknown>>) {
    // The first time says more: by the second one the statements are known.
    await (
      await prepare()
    )()
    const whole = await prepare()
    const bytes = await cutter.measure(whole)
    const answers: { first: string; again: string }[] = []
    for (const way of ['asked', 'answered'] as const) {
      for (let at = 0; at <= cuts_per_way; at += 1) {
        const act = await prepare()
        cutter.cutAfter(way, Math.floor((bytes[way] * at) / cuts_per_way))
        const first = await codeOf(act())
        cutter.whole()
        // The lines that were cut are told of at their next use.
        const again = await until(async () => {
          const code = await codeOf(act())
          return code !== 'unavailable' && code
        }, 'a line that is whole')
        answers.push({ first, again })
      }
    }
    return answers
  }

  async function nothingIsWrong() {
    assert.deepEqual(await claimFaults(scene.sql, stage.acme.id), [])
    await scene.seal()
    const [record] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_audit(null)`
    assert.equal(record.fault, null)
  }

  const known = (answers: { first: string; again: string }[], again: string[]) => {
    for (const one of answers) {
      assert.ok(['ok', 'unavailable', ...again].includes(one.first), one.first)
      assert.ok(['ok', ...again].includes(one.again), one.again)
    }
    // An act whose line is cut before it is committed begins again, so few are refused.
    assert.ok(cutter.cuts > answers.length / 2, `${cutter.cuts} of ${answers.length} were hit`)
    cutter.cuts = 0
  }

  test('a claim is submitted once, whenever its line was cut', async () => {
    let requests = 0
    const before_it = (await ana.api.claims.mine({ limit: 100 })).claims.length
    const answers = await atEachCut(async () => {
      requests += 1
      const receipt = await stage.acme.receipt(ana, { state: 'unreadable' })
      const draft = await stage.acme.draft({
        amount_cents: 1000 + requests,
        receipt_ids: [receipt],
      })
      const options = { idempotency_key: aKey() }
      return () => of(ana).claims.submit(draft, options)
    })
    known(answers, [])
    const { claims } = await ana.api.claims.mine({ limit: 100 })
    assert.equal(claims.length - before_it, requests)
    await nothingIsWrong()
  })

  test('a claim is decided once', async () => {
    const decided: number[] = []
    const answers = await atEachCut(async () => {
      const { id, version } = await stage.acme.claim(ana, { amount_cents: 2000 + decided.length })
      decided.push(id)
      return () => of(stage.hr).review.approve({ id, version })
    })
    known(answers, ['claim_already_decided', 'changed_meanwhile'])
    const events = await scene.sql<{ claim_id: number }[]>`
      select claim_id from claim_events where company_id = ${stage.acme.id} and event = 'approved'
        and claim_id = any (${decided})`
    assert.equal(events.length, decided.length)
    assert.equal(new Set(events.map(({ claim_id }) => claim_id)).size, decided.length)
    await nothingIsWrong()
  })

  test('a pay run is released once', async () => {
    const runs: number[] = []
    const answers = await atEachCut(async () => {
      const { id, version } = await stage.acme.claim(ana, { amount_cents: 500 + runs.length })
      await stage.hr.api.review.approve({ id, version })
      const run = await stage.make()
      runs.push(run.id)
      return () => of(stage.second).payouts.release({ id: run.id, version: run.version })
    })
    known(answers, ['run_released', 'changed_meanwhile'])
    const paid = await scene.sql`select from transfers where company_id = ${stage.acme.id}
      and event = 'claim_paid'`
    const items = await scene.sql`select from pay_claims p
      join pay_runs r on r.company_id = p.company_id and r.id = p.run_id and r.status = 'released'
      where p.company_id = ${stage.acme.id}`
    assert.equal(paid.length, items.length)
    await nothingIsWrong()
  })

  test('begin, the caller and the first statement travel together', async () => {
    await of(ana).users.me({}) // who she is is remembered, and the statements are known
    const messages = cutter.listenIn()
    await of(ana).users.me({})
    await until(() => messages.some(({ text }) => text.includes('COMMIT')), 'the end')
    // The last answer to the act before may still be on its way.
    const passed = messages.slice(messages.findIndex(({ way }) => way === 'asked'))
    const answered = passed.findIndex(({ way }) => way === 'answered')
    const first = passed.slice(0, answered).map(({ text }) => text)
    const [sync, execute] = ['S\0\0\0\x04', 'E\0\0\0\x09\0\0\0\0\0']
    const statements = first
      .join('')
      .split(sync)
      .map((sent) => sent.split(execute).length - 1)
    assert.ok(Math.max(...statements) >= 3, `${statements.join()} of them with one Sync`)
  })

  test('a database that answers slowly makes acts late, not wrong', async () => {
    cutter.delay_ms = 15
    const receipts = await Promise.all(
      Array.from({ length: 8 }, () => stage.acme.receipt(ana, { state: 'unreadable' })),
    )
    const sent = await Promise.all(
      receipts.map(async (receipt, at) => {
        const draft = await stage.acme.draft({ amount_cents: 300 + at, receipt_ids: [receipt] })
        const idempotency_key = aKey()
        const twice = [1, 2].map(() => of(ana).claims.submit(draft, { idempotency_key }))
        return Promise.all(twice)
      }),
    )
    for (const [one, two] of sent) assert.equal(one?.id, two?.id)
    cutter.delay_ms = 0
    await nothingIsWrong()
  })
})
