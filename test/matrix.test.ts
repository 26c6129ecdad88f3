// Every act × every role × own and another company × pending, suspended and signed out. Made from the
// contracts: a new act is in it by itself.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { sampleOf } from './samples.ts'
import { openScene, type Company, type Person, type Scene } from './scene.ts'

const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>).map(([name, endpoint]) => ({
    act: `${feature}.${name}`,
    endpoint,
    who: callers[`${feature}.${name}` as keyof typeof callers],
  })),
)
const names_of_others = /Stranger|Other Company/
/** Sent like an act, because a draft is too long for an address; it changes nothing. */
const only_asks = new Set(['claims.check'])
const roles = ['super_admin', 'company_admin', 'employee'] as const

const is = (answer: { status: number; code: string | undefined }, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.code], [status, code])

describe('who may call what', () => {
  let scene: Scene
  let acme: Company
  let people: Record<(typeof roles)[number], Person>
  let pending: Person
  let suspended: Person
  /** Ids of another company: its own, its people's. */
  let others: string[]

  before(async () => {
    scene = await openScene()
    acme = await scene.company()
    const other = await scene.company({ name: 'Other Company' })
    const stranger = await other.hire('Stranger')
    others = [other.id, other.admin.id, stranger.id]
    people = {
      super_admin: await scene.superAdmin(),
      company_admin: acme.admin,
      employee: await acme.hire('Ana'),
    }
    pending = await scene.signUp('nobody@nowhere.test', 'employee')
    suspended = await acme.hire('Sven')
    await scene.sql`update profiles set status = 'suspended' where id = ${suspended.id}`
  })
  after(() => scene.close())

  async function ask(endpoint: Endpoint, person: Person | undefined, id?: string) {
    const input = sampleOf(endpoint.input, id)
    const request = toRequest(endpoint, 'http://127.0.0.1', input, {
      file: new Blob(['name,email\n']),
    })
    if (person) request.headers.set('authorization', `Bearer ${person.token}`)
    const answer = await scene.house.app.request(request)
    const is_json = answer.headers.get('content-type')?.startsWith('application/json')
    const body = is_json ? ((await answer.json()) as { code?: string }) : undefined
    if (!is_json) await answer.body?.cancel()
    const code = answer.ok ? undefined : body?.code
    return { status: answer.status, code, said: JSON.stringify(body) ?? '' }
  }

  for (const { act, endpoint, who } of acts) {
    test(act, async () => {
      const open = who === 'anyone'
      const signed_out = await ask(endpoint, undefined)
      if (open) assert.notEqual(signed_out.status, 401)
      else is(signed_out, 401, 'not_signed_in')
      is(await ask(endpoint, suspended), 401, 'not_signed_in')

      const waiting = await ask(endpoint, pending)
      if (typeof who === 'string') assert.notEqual(waiting.code, 'account_pending')
      else is(waiting, 403, 'account_pending')

      for (const role of roles) {
        const answer = await ask(endpoint, people[role])
        assert.ok(answer.status < 500, `${role}: ${answer.status} ${answer.code}`)
        const allowed = typeof who === 'string' || who.includes(role)
        if (!allowed) is(answer, 403, 'forbidden')
        else assert.notEqual(answer.code, 'not_signed_in', role)
      }
    })

    test(`${act}: another company's`, async () => {
      const names_one = /"format":"uuid"/.test(JSON.stringify(sampleOf.schema(endpoint.input)))
      const bound = roles.filter(
        (role) => role !== 'super_admin' && (typeof who === 'string' || who.includes(role)),
      )
      if (!names_one || who === 'anyone') return
      for (const role of bound) {
        for (const id of others) {
          const { status, said } = await ask(endpoint, people[role], id)
          // A filter may name somebody else's: then nothing of theirs is found.
          const finds_nothing = (endpoint.method === 'GET' || only_asks.has(act)) && status === 200
          if (finds_nothing) assert.ok(!names_of_others.test(said), `${role}: ${said}`)
          else assert.ok(status >= 400 && status < 500, `${role}: ${status}`)
        }
      }
    })
  }
})
