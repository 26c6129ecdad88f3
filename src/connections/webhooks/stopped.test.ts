// A webhook that stops loses nothing: not the message at whose last try it stops, nor those given up on before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retention_rules } from '#lib/retention.ts'
import { hookOf, openedWebhooks, stateOf } from '../../../test/world/webhooks.ts'
import { pauses_s } from './turn.server.ts'

const { scene, receiver, sender } = openedWebhooks()

test('stopped at a last try, all that failed since it began to fail waits, and is sent once it is active', async () => {
  const company = await scene.company()
  const { api } = company.admin
  const url = `${receiver.url}/late`
  const hook = await hookOf(scene, company.admin, {
    url,
    events: ['person.added'],
    in_order: false,
  })
  const hire = async (name: string) => {
    await company.hire(name)
    await scene.seal()
    await sender.drain()
  }
  /** Moves time on by some hours, with all tries used but the last. */
  const lastTryAfter = async (hours: number) => {
    await scene.sql`update webhook_deliveries set tries = ${pauses_s.length}, next_at = now()
      where webhook_id = ${hook.id} and status = 'waiting'`
    await scene.sql`update webhooks set rests_until = null,
      failing_since = failing_since - ${hours} * interval '1 hour' where id = ${hook.id}`
    await sender.drain()
  }
  const stands = async () => {
    const { status, waiting } = await stateOf(api, hook.id)
    const { deliveries } = await api.webhooks.deliveries({ id: hook.id })
    return [status, waiting, deliveries.map((one) => one.status).join(', ')]
  }
  receiver.answer(500)
  await hire('Ana')
  await lastTryAfter(1)
  assert.deepEqual(await stands(), ['active', 0, 'failed'])
  await hire('Ben')
  await lastTryAfter(72)
  assert.deepEqual(await stands(), ['stopped', 2, 'waiting, waiting'])
  const tried = receiver.at('/late').length
  receiver.answer(200)
  await api.webhooks.resume({ id: hook.id })
  await sender.drain()
  assert.deepEqual(await stands(), ['active', 0, 'delivered, delivered'])
  const sent = receiver.at('/late').slice(tried)
  assert.equal(new Set(sent.map(({ data }) => data['id'])).size, 2)
})

test('no setting deletes what failed before the webhook can have stopped, and it waits again', () => {
  const tried_s = pauses_s.reduce((sum, pause) => sum + pause, 0)
  const fails_s = 3 * 86_400 + pauses_s.at(-1)!
  const least_s = retention_rules.deliveries.least * 86_400
  assert.ok(least_s > 1.1 * (tried_s + fails_s), `${least_s} s`)
})
