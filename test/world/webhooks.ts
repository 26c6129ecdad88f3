// Webhooks of a company, and who sends them.
import { after, before } from 'node:test'
import { openSender } from '#connections/webhooks/sending.server.ts'
import type { EventName } from '#connections/webhooks/events.ts'
import type { Api, Person } from './people.ts'
import { openReceiver } from '../webhook-receiver.ts'
import { openScene, type Scene } from './scene.ts'
import { sealRecord } from './notices.ts'

export const webhookSenderOf = ({ database_url, sql, services, config }: Scene, more = {}) =>
  openSender({
    url: database_url,
    sql,
    log: services.log,
    installation_key: services.installation_key,
    allow: config.WEBHOOK_ALLOW,
    ...more,
  })

/** A scene, a system that it may send to, and who sends, for the tests of a file. */
export function openedWebhooks() {
  const world = {
    scene: {} as Scene,
    receiver: {} as Awaited<ReturnType<typeof openReceiver>>,
    sender: {} as ReturnType<typeof webhookSenderOf>,
  }
  before(async () => {
    Object.assign(world.scene, await openScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } }))
    Object.assign(world.receiver, await openReceiver())
    Object.assign(world.sender, webhookSenderOf(world.scene))
  })
  after(async () => {
    await world.sender.close()
    await world.receiver.close()
    await world.scene.close()
  })
  return world
}

export async function hookOf(
  { confirm, sql }: Pick<Scene, 'confirm' | 'sql'>,
  admin: Person,
  input: { url: string; events: EventName[]; in_order?: boolean },
) {
  await sealRecord(sql)
  await confirm(admin)
  const { webhook, secret } = await admin.api.webhooks.make({ in_order: true, ...input })
  return { ...webhook, secret }
}

export const stateOf = async (api: Api, id: string) =>
  (await api.webhooks.list({})).find((one) => one.id === id)!
