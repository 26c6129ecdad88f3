// A company's own system, which asks by a key: the browser's client at the public address.
import type { Right } from '#connections/connections.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { utcToday } from './money.ts'
import { apiFor, type Api, type Person } from './people.ts'
import type { Scene } from './scene.ts'

let made = 0

/** All acts, also those that keys do not have: these are not there. */
export function clientOf({ services }: Scene, secret: string): Api {
  const request = (own_request: Request) =>
    services.app.request(new Request(own_request.url.replace('/api/', '/api/v1/'), own_request))
  return apiFor({ app: { request } }, secret)
}

export async function keyOf(scene: Scene, admin: Person, rights: Right[], more = {}) {
  await scene.confirm(admin)
  const { key, secret } = await admin.api.connections.make_key({
    name: `Key ${(made += 1)}`,
    rights,
    ends_on: daysAfter(utcToday(), 30),
    ...more,
  })
  return { ...key, secret, api: clientOf(scene, secret) }
}
