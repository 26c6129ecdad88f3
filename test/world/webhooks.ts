// Webhooks of a company, and who sends them.
import { openSender } from '#connections/webhooks/sending.server.ts'
import type { EventName } from '#connections/webhooks/events.ts'
import type { Api, Person } from './people.ts'
import type { Scene } from './scene.ts'
import { sealRecord } from './notices.ts'

export const senderOf = ({ database_url, sql, services, config }: Scene, more = {}) =>
  openSender({
    url: database_url,
    sql,
    log: services.log,
    installation_key: services.installation_key,
    allow: config.WEBHOOK_ALLOW,
    ...more,
  })

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
