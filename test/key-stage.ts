// A company's own system, which asks by a key: the browser's client at the public address.
import { client } from '#lib/contract.ts'
import { contracts } from '#contracts.ts'
import type { Right } from '#connections/connections.contract.ts'
import { daysFrom } from './claims-stage.ts'
import type { Api, Person, Scene } from './scene.ts'

const origin = 'http://127.0.0.1'
let made = 0

/** All acts, also those that keys do not have: these are not there. */
export function clientOf({ services }: Scene, secret: string): Api {
  const send = (request: Request) => {
    const at = new Request(request.url.replace(`${origin}/api/`, `${origin}/api/v1/`), request)
    at.headers.set('authorization', `Bearer ${secret}`)
    return Promise.resolve(services.app.request(at))
  }
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, send, origin),
  ])
  return Object.fromEntries(clients)
}

export async function keyOf(scene: Scene, admin: Person, rights: Right[], more = {}) {
  const today = new Date().toISOString().slice(0, 10)
  await scene.confirm(admin)
  const { key, secret } = await admin.api.connections.make_key({
    name: `Key ${(made += 1)}`,
    rights,
    ends_on: daysFrom(today, 30),
    ...more,
  })
  return { ...key, secret, api: clientOf(scene, secret) }
}
