// How deliveries are tried: signed again while a secret is renewed, with growing pauses, in order where asked, stopped
// after days, replayed; by several workers at once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isSignedBy } from '../../../test/webhook-receiver.ts'
import { refuses, type Company } from '../../../test/world/people.ts'
import { hookOf, openedWebhooks, webhookSenderOf, stateOf } from '../../../test/world/webhooks.ts'
import { until } from '../../../test/until.ts'
import { pauses_s } from './turn.server.ts'

const { scene, receiver, sender } = openedWebhooks()

let paths = 0
async function listening(more: { in_order?: boolean } = {}) {
  receiver.answer(200)
  const company = await scene.company()
  const path = `/${(paths += 1)}`
  const hook = await hookOf(scene, company.admin, {
    url: receiver.url + path,
    events: ['person.added'],
    ...more,
  })
  const { api } = company.admin
  return {
    company,
    hook,
    api,
    at: () => receiver.at(path),
    state: () => stateOf(api, hook.id),
    last: async () => (await api.webhooks.deliveries({ id: hook.id })).deliveries[0]!,
  }
}
const hires = async (company: Company, ...names: string[]) => {
  for (const name of names) await company.hire(name)
  await scene.seal()
  await sender.drain()
}
/** Moves time on: waiting messages are due, and their failures began that long before. */
const later = async (hook: string, by = '1 year') => {
  await scene.sql`update webhook_deliveries set next_at = now()
    where webhook_id = ${hook} and status = 'waiting'`
  await scene.sql`update webhooks set rests_until = now(),
    failing_since = failing_since - ${by}::interval where id = ${hook}`
  await sender.drain()
}

describe('signing', () => {
  test('while a secret is renewed both sign; after the overlap the new one alone', async () => {
    const { api, hook, company, at } = await listening()
    const { secret: second } = await api.webhooks.rotate({ id: hook.id, overlap_hours: 24 })
    await hires(company, 'Ana')
    const [both] = at()
    assert.equal(String(both!.headers['webhook-signature']).split(' ').length, 2)
    assert.ok(isSignedBy(hook.secret, both!) && isSignedBy(second, both!))
    await scene.sql`update webhook_secrets set ends_at = now()
      where webhook_id = ${hook.id} and ends_at is not null`
    await hires(company, 'Ben')
    assert.ok(!isSignedBy(hook.secret, at()[1]!) && isSignedBy(second, at()[1]!))
    const { secret: third } = await api.webhooks.rotate({ id: hook.id, overlap_hours: 0 })
    await hires(company, 'Cleo')
    assert.ok(!isSignedBy(second, at()[2]!) && isSignedBy(third, at()[2]!))
  })

  test('a changed body, id or time is not what was signed', async () => {
    const { hook, company, at } = await listening()
    await hires(company, 'Ana')
    const [one] = at()
    assert.ok(isSignedBy(hook.secret, one!))
    const changed = (headers: object, body = one!.body) =>
      isSignedBy(hook.secret, { headers: { ...one!.headers, ...headers }, body })
    assert.ok(!changed({}, `${one!.body} `))
    assert.ok(!changed({ 'webhook-id': 'msg_0' }))
    assert.ok(!changed({ 'webhook-timestamp': '1700000000' }))
  })
})

describe('failing', () => {
  test('each try waits longer than the one before, for three days in all; then one gives up', async () => {
    const { hook, company, at, last } = await listening({ in_order: false })
    receiver.answer(500)
    await hires(company, 'Ana')
    for (const [tries, pause] of pauses_s.entries()) {
      const [wait] = await scene.sql<[{ seconds: number; tries: number }]>`
        select extract(epoch from next_at - tried_at)::float8 as seconds, tries
        from webhook_deliveries where webhook_id = ${hook.id}`
      assert.equal(wait.tries, tries + 1)
      assert.ok(wait.seconds >= pause && wait.seconds <= pause * 1.11, `${tries}: ${wait.seconds}`)
      await later(hook.id, '0')
    }
    assert.ok(pauses_s.reduce((sum, one) => sum + one, 0) > 3 * 86_400)
    assert.deepEqual(new Set(at().map(({ id }) => id)).size, 1)
    const { status, code, fault, answer, tries } = await last()
    assert.deepEqual([status, code, fault, answer], ['failed', 500, 'answer', 'I say 500'])
    assert.equal(tries, pauses_s.length + 1)
  })

  test('in order nothing passes what fails; else others go on, with rests', async () => {
    for (const in_order of [true, false]) {
      const { hook, company, at } = await listening({ in_order })
      let first = ''
      receiver.answer((one, answer) => {
        first ||= one.id
        answer.writeHead(one.id === first ? 503 : 200).end()
      })
      await hires(company, 'Ana', 'Ben', 'Cleo')
      const others = () => at().filter(({ id }) => id !== first)
      assert.equal(others().length, in_order ? 0 : 2)
      receiver.answer(200)
      await later(hook.id)
      assert.equal(others().length, 2)
      const people = at()
        .slice(-3)
        .map(({ data }) => data['id'])
      if (in_order) assert.equal(new Set(people).size, 3)
    }
  })

  test('three days of nothing stop it, the admins are told; resumed, nothing is lost', async () => {
    const { hook, company, at, state, api } = await listening()
    receiver.answer(500)
    await hires(company, 'Ana')
    assert.ok((await state()).failing_since)
    await later(hook.id, '71 hours')
    assert.equal((await state()).status, 'active')
    await later(hook.id, '2 hours')
    const stopped = await state()
    assert.deepEqual([stopped.status, stopped.stopped_for], ['stopped', 'failing'])
    const notices = await scene.sql`select code from notifications
      where person_id = ${company.admin.id} and code = 'webhook_stopped'`
    assert.equal(notices.length, 1)
    const before = at().length
    receiver.answer(200)
    await later(hook.id)
    await hires(company, 'Ben')
    assert.equal(at().length, before)
    await refuses('webhook_not_sending', api.webhooks.pause({ id: hook.id }))
    await api.webhooks.resume({ id: hook.id })
    await refuses('webhook_sending', api.webhooks.resume({ id: hook.id }))
    await sender.drain()
    assert.equal(at().length, before + 2)
    const { failing_since, delivered_at, waiting } = await state()
    assert.deepEqual([failing_since, waiting], [null, 0])
    assert.ok(delivered_at)
  })

  test('410 stops it at once', async () => {
    const { company, state } = await listening()
    receiver.answer(410)
    await hires(company, 'Ana')
    const { status, stopped_for } = await state()
    assert.deepEqual([status, stopped_for], ['stopped', 'gone'])
  })

  test('paused, it is told later; removed, never', async () => {
    const { hook, company, api, at } = await listening()
    await api.webhooks.pause({ id: hook.id })
    await hires(company, 'Ana', 'Ben')
    assert.equal(at().length, 0)
    await api.webhooks.resume({ id: hook.id })
    await sender.drain()
    assert.equal(at().length, 2)
    await api.webhooks.remove({ id: hook.id })
    await hires(company, 'Cleo')
    assert.equal(at().length, 2)
    await refuses('not_found', api.webhooks.deliveries({ id: hook.id }))
  })

  test('removed while it is being told, its end is news to nobody', async () => {
    const { hook, company, api } = await listening()
    receiver.answer((_, answer) => {
      void api.webhooks.remove({ id: hook.id }).finally(() => answer.writeHead(410).end())
    })
    await hires(company, 'Ana')
    const notices = await scene.sql`select code from notifications
      where person_id = ${company.admin.id} and code = 'webhook_stopped'`
    assert.equal(notices.length, 0)
  })

  test('a suspended company’s systems hear nothing until it is active again', async () => {
    const { company, at } = await listening()
    const status = (to: string) =>
      scene.sql`update companies set status = ${to} where id = ${company.id}`
    await company.hire('Ana')
    await status('suspended')
    await scene.seal()
    await sender.drain()
    assert.equal(at().length, 0)
    await status('active')
    await sender.drain()
    assert.equal(at().length, 1)
  })
})

describe('on demand', () => {
  test('a test event is sent whatever was chosen, once at a time, and is tried once', async () => {
    const { hook, api, at, last, state } = await listening()
    receiver.answer(500)
    await api.webhooks.test({ id: hook.id })
    await refuses('test_under_way', api.webhooks.test({ id: hook.id }))
    await sender.drain()
    assert.deepEqual(
      at().map(({ type, data }) => [type, data]),
      [['webhook.test', {}]],
    )
    assert.ok(isSignedBy(hook.secret, at()[0]!))
    assert.equal((await last()).status, 'failed')
    assert.equal((await state()).failing_since, null)
  })

  test('a replay is the same message under the same id; what waits in order does not wait for it', async () => {
    const { hook, company, api, at, last } = await listening()
    await hires(company, 'Ana')
    const delivered = await last()
    assert.deepEqual([delivered.status, delivered.code], ['delivered', 200])
    assert.equal(delivered.message, at()[0]!.id)
    receiver.answer((one, answer) =>
      answer.writeHead(one.id === delivered.message ? 500 : 200).end(),
    )
    await api.webhooks.replay({ id: delivered.id })
    await refuses('delivery_waiting', api.webhooks.replay({ id: delivered.id }))
    await hires(company, 'Ben')
    assert.deepEqual(
      at().map(({ id }) => id === delivered.message),
      [true, true, false],
    )
    assert.equal(at()[0]!.body, at()[1]!.body)
    const { deliveries } = await api.webhooks.deliveries({ id: hook.id })
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'failed'],
    )
  })

  test('the last deliveries come a page at a time', async () => {
    const { hook, api } = await listening()
    await scene.sql`insert into webhook_deliveries (company_id, webhook_id, event, body, status)
      select company_id, id, 'person.added', '{}', 'delivered' from webhooks, generate_series(1, 70)
      where id = ${hook.id}`
    const sizes = []
    let before: number | null | undefined
    do {
      const page = await api.webhooks.deliveries({ id: hook.id, ...(before ? { before } : {}) })
      sizes.push(page.deliveries.length)
      before = page.next
    } while (before)
    assert.deepEqual(sizes, [30, 30, 10])
  })
})

describe('several workers', () => {
  test('each event is sent once, in its order, whoever sends it; one that hangs holds up no other', async () => {
    const slow = await listening()
    const quick = await listening()
    const held = Promise.withResolvers<void>()
    receiver.answer((one, answer) => {
      if (one.path === slow.at()[0]?.path) void held.promise.then(() => answer.end())
      else answer.end()
    })
    const more = [webhookSenderOf(scene), webhookSenderOf(scene)]
    for (let n = 0; n < 8; n += 1) await quick.company.hire(`Quick${n}`)
    await slow.company.hire('Slow')
    await scene.seal()
    const all = Promise.all([sender, ...more].map((one) => one.drain()))
    await until(() => quick.at().length >= 8 && slow.at().length > 0)
    assert.equal(quick.at().length, 8)
    assert.equal(slow.at().length, 1)
    held.resolve()
    await all
    assert.equal(slow.at().length, 1)
    const entries = await scene.sql<{ row_id: string }[]>`select row_id from audit_log
      where company_id = ${quick.company.id} and table_name = 'profiles' and act = 'update'
        and after ? 'company_id' and row_id <> ${quick.company.admin.id} order by id`
    assert.deepEqual(
      quick.at().map(({ data }) => data['id']),
      entries.map(({ row_id }) => row_id),
    )
    await Promise.all(more.map((one) => one.close()))
  })
})
