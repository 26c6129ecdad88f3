// Keys by which a company's own systems ask: what they may, what they may not, and when they end.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { hashOfKey } from './caller.server.ts'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { acts_of_rights, rightFor } from '#permissions/key-rights.ts'
import { fundedCompany, todayOf, type FundedCompany } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import { opened } from '../../test/world/opened.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { sampleOf } from '../../test/samples.ts'
import { until } from '../../test/until.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const admin = opened(async () => acme.admin)
let today: string
before(async () => {
  today = await todayOf(scene, acme)
})

const newcomer = (name: string) => ({
  full_name: name,
  email: `${name.toLowerCase()}@${acme.domain}`,
  department: 'Sales',
})

describe('a key', () => {
  test('makes an employee, who gets a link by mail and no password that anybody saw', async () => {
    const key = await keyOf(scene, admin, ['people:write'])
    const { employee, initial_password } = await key.api.employees.add(newcomer('Nora'))
    assert.equal(initial_password, null)
    assert.equal(employee.account_state, 'pending')
    const { employees } = await key.api.employees.list({ search: 'nora' })
    assert.deepEqual(
      employees.map(({ id }) => id),
      [employee.id],
    )
  })

  test('changes, suspends and brings back an employee, and sends an employee file', async () => {
    const key = await keyOf(scene, admin, ['people:write'])
    const { id } = await acme.hire('Ivo')
    const { version } = await key.api.employees.find({ id })
    const change = { id, version, full_name: 'Ivo Horvat', department: 'Finance' }
    assert.equal((await key.api.employees.edit(change)).full_name, 'Ivo Horvat')
    assert.equal((await key.api.employees.suspend({ id })).account_state, 'suspended')
    const back = await key.api.employees.reactivate({ id })
    assert.equal(back.account_state, 'active')
    const gone = await key.api.employees.leave({ id, version: back.version, left_on: today })
    assert.equal(gone.account_state, 'left')
    const file = new Blob([`name,email\nZoe,zoe@${acme.domain}\n`])
    const sent = await key.api.imports.upload({ file_name: 'people.csv' }, { file })
    assert.equal((await key.api.imports.start({ id: sent.id })).status, 'importing')
  })

  test('is shown once: the list, the table and the record have no secret', async () => {
    const key = await keyOf(scene, admin, ['people:read'], { name: 'Shown once' })
    assert.match(key.secret, /^hfk_[\w-]{43}$/)
    const kept = await scene.sql`
      select (select json_agg(s) from api_key_secrets s)::text
        || (select json_agg(k) from api_keys k)::text
        || (select json_agg(l) from audit_log l)::text as content`
    const json = JSON.stringify([kept, await admin.api.connections.keys({})])
    assert.ok(!json.includes(key.secret) && !json.includes(key.secret.slice(4, 20)))
    const [row] = await scene.sql<[{ is: boolean }]>`select hash = ${hashOfKey(key.secret)} as is
      from api_key_secrets where key_id = ${key.id}`
    assert.ok(row.is)
    const listed = (await admin.api.connections.keys({})).find(({ id }) => id === key.id)!
    assert.deepEqual(listed.secrets, [{ ending: key.secret.slice(-4), ends_at: null }])
  })

  test('stands in the record as itself, by name, with where it asked from', async () => {
    const key = await keyOf(scene, admin, ['people:write'], { name: 'Nightly sync' })
    const { employee } = await key.api.employees.add(newcomer('Rita'))
    const { entries } = await admin.api.audit.list({ actor_id: key.id })
    assert.deepEqual(
      [...new Set(entries.map(({ actor_name, actor_role }) => `${actor_role} ${actor_name}`))],
      ['api_key Nightly sync'],
    )
    assert.ok(entries.some(({ after }) => after?.['id'] === employee.id))
    const found = await admin.api.audit.actors({ search: 'nightly' })
    assert.deepEqual(found, [{ id: key.id, name: 'Nightly sync', note: 'API key' }])
    const csv = await (await admin.api.audit.export({ actor_id: key.id })).text()
    assert.match(csv, /Nightly sync,API key/)
    const { good } = await admin.api.audit.verify({})
    assert.ok(good)
  })

  test('stands there as itself when it takes a file, too', async () => {
    const key = await keyOf(scene, admin, ['people:write'], { name: 'File sync' })
    const file = new Blob(['name,email\nNobody,no address\n'])
    const { id } = await key.api.imports.upload({ file_name: 'people.csv' }, { file })
    await key.api.imports.rejected({ id })
    const { entries } = await admin.api.audit.list({ actor_id: key.id, table: 'downloads' })
    assert.deepEqual(
      entries.map(({ actor_role, actor_name, after }) => [actor_role, actor_name, after?.['id']]),
      [['api_key', 'File sync', id]],
    )
  })

  test('says when it was last used', async () => {
    const key = await keyOf(scene, admin, ['people:read'])
    const used = async () =>
      (await admin.api.connections.keys({})).find(({ id }) => id === key.id)!.last_used_at
    assert.equal(await used(), null)
    await key.api.employees.list({})
    assert.notEqual(await used(), null)
  })

  test('asks ten times a second, not without end; another key is not held up', async () => {
    const one = await keyOf(scene, admin, ['people:read'])
    const other = await keyOf(scene, admin, ['people:read'])
    const answers = await Promise.all(
      Array.from({ length: 260 }, async () =>
        scene.services.app.request('/api/v1/employees/departments', {
          headers: { authorization: `Bearer ${one.secret}` },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    assert.ok(statuses.includes(429) && statuses.filter((s) => s === 200).length >= 200)
    const late = answers.find(({ status }) => status === 429)
    assert.equal(late?.headers.get('retry-after'), '1')
    await other.api.employees.departments({})
  })
})

describe('what a key may not', () => {
  test('each key has the acts of its rights and no other, whatever its maker may', async () => {
    for (const right of ['people:read', 'people:write', 'funds:read', 'claims:read'] as const) {
      const key = await keyOf(scene, admin, [right])
      for (const [feature, contract] of Object.entries(contracts)) {
        for (const [name, endpoint] of Object.entries(contract as Record<string, Endpoint>)) {
          const act = `${feature}.${name}` as keyof typeof callers
          const public_act = Object.values(acts_of_rights).some((acts) => acts.includes(act))
          const request = toRequest(endpoint, 'http://127.0.0.1', sampleOf(endpoint.input))
          const path = request.url.replace('/api/', '/api/v1/')
          const at = new Request(path, request)
          at.headers.set('authorization', `Bearer ${key.secret}`)
          const answer = await scene.services.app.request(at)
          const body = answer.headers.get('content-type')?.includes('json')
            ? await answer.json()
            : {}
          if (rightFor([right], act)) assert.ok(answer.status < 500 && answer.status !== 403, act)
          else if (public_act) assert.equal(body.code, 'key_right_missing', `${right} ${act}`)
          // Any other answer means that its address is not there, or reads as another act's, which has no such id.
          else assert.ok([403, 404, 405, 422].includes(answer.status), `${act} ${answer.status}`)
        }
      }
    }
  })

  test('no act that is open to all, to whoever is signed in, or by other rights of people is among them', () => {
    for (const [right, acts] of Object.entries(acts_of_rights)) {
      const behind = right.startsWith('people:') ? 'people' : 'finance'
      for (const act of acts) {
        assert.ok(Array.isArray(callers[act]) && callers[act].includes(behind), act)
      }
    }
  })

  test('a key is no session, and a session no key', async () => {
    const key = await keyOf(scene, admin, ['people:read'])
    const ask = async (path: string, bearer?: string) => {
      const headers = new Headers(bearer ? { authorization: `Bearer ${bearer}` } : {})
      const answer = await scene.services.app.request(path, { headers })
      return [answer.status, (await answer.json()).code]
    }
    assert.deepEqual(await ask('/api/employees', key.secret), [401, 'not_signed_in'])
    assert.deepEqual(await ask('/api/v1/employees', admin.token), [401, 'key_needed'])
    assert.deepEqual(await ask('/api/v1/employees'), [401, 'key_needed'])
    assert.deepEqual(await ask('/auth/v1/user', key.secret).then(([status]) => status), 403)
    const unknown = `hfk_${'x'.repeat(43)}`
    assert.deepEqual(await ask('/api/v1/employees', unknown), [401, 'not_signed_in'])
  })

  test('claims come without what they were for', async () => {
    const stage: FundedCompany = await fundedCompany(scene)
    const ana = await stage.hire('Ana')
    const { id } = await stage.claim(ana, { provider: 'Psychotherapy Dr Miller', note: 'Grief' })
    const key = await keyOf(scene, stage.company.admin, ['claims:read'])
    const { claims, next } = await key.api.connections.claims({})
    assert.equal(next, null)
    assert.deepEqual(
      claims.map((claim) => [claim.id, claim.person_id, claim.status]),
      [[id, ana.id, 'pending']],
    )
    assert.doesNotMatch(JSON.stringify(claims), /Miller|Grief|type|provider|service|receipt/)
    assert.deepEqual((await key.api.connections.claims({ after: id })).claims, [])
    assert.deepEqual((await key.api.connections.claims({ status: 'approved' })).claims, [])
  })

  /** Ana's claim is being sent, and waits for what somebody else holds until it is let go. */
  async function sending() {
    const stage: FundedCompany = await fundedCompany(scene)
    const [ana, ben] = [await stage.hire('Ana'), await stage.hire('Ben')]
    const key = await keyOf(scene, stage.company.admin, ['claims:read'])
    const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = scene.sql.begin(async (tx) => {
      await tx`select from accounts where person_id = ${ana.id} for update`
      locked.resolve()
      await free.promise
    })
    await locked.promise
    const waiting = async (count: number) => {
      const [row] = await scene.sql<[{ so_many: boolean }]>`
        select count(distinct l.pid) >= ${count} as so_many from pg_locks l
          join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
        where not l.granted`
      return row.so_many
    }
    const first = stage.claim(ana, {})
    await until(() => waiting(1))
    const letGo = async () => {
      free.resolve()
      await holding
      return (await first).id
    }
    return { stage, ben, read: () => key.api.connections.claims({}), waiting, letGo }
  }

  test('no claim is passed over because it was still being sent as a later one was read', async () => {
    const { stage, ben, read, waiting, letGo } = await sending()
    const { id } = await stage.claim(ben, {})
    let is_read = false
    const reading = read().finally(() => (is_read = true))
    await until(async () => is_read || (await waiting(2)))
    const first = await letGo()
    const ids = (await reading).claims.map((claim) => claim.id)
    assert.deepEqual(ids, [first, id])
  })

  test('a claim that goes on waiting keeps a reader, and all who send behind it, for seconds only', async () => {
    const { stage, ben, read, waiting, letGo } = await sending()
    const reading = refuses('busy', read())
    await until(() => waiting(2))
    const { id } = await stage.claim(ben, {})
    await reading
    const first = await letGo()
    const { claims } = await read()
    assert.deepEqual(
      claims.map((claim) => claim.id),
      [first, id],
    )
  })

  test('another company’s people and claims are not there', async () => {
    const other = await scene.company({ name: 'Other' })
    const stranger = await other.hire('Stranger')
    const key = await keyOf(scene, admin, ['people:write', 'claims:read'])
    await refuses('not_found', key.api.employees.find({ id: stranger.id }))
    await refuses('not_found', key.api.employees.suspend({ id: stranger.id }))
  })

  test('whoever made it, and other admins, are beyond its reach', async () => {
    const key = await keyOf(scene, admin, ['people:write'])
    await refuses('not_found', key.api.employees.suspend({ id: admin.id }))
  })
})
