// Every act × every role and every right × pending, suspended and signed out. Made from the contracts: a new act is
// in it by itself.
// test/strangers.test.ts has the answers of each act about another's objects.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { at_work, isOpenTo, type Callers } from '#permissions/callers.ts'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { sampleOf } from './samples.ts'
import { withRights } from './rights-stage.ts'
import { openScene, type Company, type Person, type Scene } from './scene.ts'

const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>).map(([name, endpoint]) => ({
    act: `${feature}.${name}`,
    endpoint,
    who: callers[`${feature}.${name}` as keyof typeof callers],
  })),
)
const rights = CompanyRight.options
/** The caller: a role, or the one right that somebody of the company has and nothing else. */
const askers = ['super_admin', 'company_admin', 'employee', ...rights] as const
const at_once = { super_admin: [], employee: [], company_admin: at_work }

function mayAsk(who: Callers, one: (typeof askers)[number]): boolean {
  if (typeof who === 'string') return true
  const role = CompanyRight.safeParse(one).success ? 'company_admin' : one
  const held = one in at_once ? at_once[one as keyof typeof at_once] : [one as CompanyRight]
  return isOpenTo(who, { role: role as 'company_admin', rights: held, has_own: false })
}

const refused: unknown[] = ['not_signed_in', 'forbidden']
const is = (answer: { status: number; code: string | undefined }, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.code], [status, code])

describe('who may call what', () => {
  let scene: Scene
  let acme: Company
  let people: Record<(typeof askers)[number], Person>
  let pending: Person
  let suspended: Person

  before(async () => {
    scene = await openScene()
    acme = await scene.company()
    people = {
      super_admin: await scene.superAdmin(),
      company_admin: acme.admin,
      employee: await acme.hire('Ana'),
    } as typeof people
    for (const right of rights) people[right] = await withRights(scene, acme, right)
    pending = await scene.signUp('nobody@nowhere.test', 'employee')
    suspended = await acme.hire('Sven')
    await scene.sql`update profiles set status = 'suspended' where id = ${suspended.id}`
  })
  after(() => scene.close())

  async function ask(endpoint: Endpoint, person: Person | undefined) {
    const input = sampleOf(endpoint.input)
    const request = toRequest(endpoint, 'http://127.0.0.1', input, {
      file: new Blob(['name,email\n']),
    })
    if (person) request.headers.set('authorization', `Bearer ${person.token}`)
    const answer = await scene.services.app.request(request)
    const is_json = answer.headers.get('content-type')?.startsWith('application/json')
    const body = is_json ? ((await answer.json()) as { code?: string }) : undefined
    if (!is_json) await answer.body?.cancel()
    const code = answer.ok ? undefined : body?.code
    return { status: answer.status, code }
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

      for (const one of askers) {
        const answer = await ask(endpoint, people[one])
        assert.ok(answer.status < 500, `${one}: ${answer.status} ${answer.code}`)
        if (mayAsk(who, one)) assert.ok(!refused.includes(answer.code), `${one}: ${answer.code}`)
        else is(answer, 403, 'forbidden')
      }
    })
  }
})
