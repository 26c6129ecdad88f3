// The login of keys. With nothing granted each act of a key is tried until it may: what that took is what is granted.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Act } from '#contracts.ts'
import { acts_of_rights } from '#permissions/key-rights.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import type { Api, Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { JsonBody } from '../../test/auth-service.ts'
import { newUser, providerOf, type ScimProvider } from '../../test/world/scim.ts'
import type { Right } from './connections.contract.ts'

const scene = openedScene()

let stage: FundedCompany
let ana: Person
let made = 0
/** A counter, so that no address is given twice. */
const another = () => (made += 1)
/** Denials of the database, in their order. */
const denied: string[] = []
before(async () => {
  stage = await fundedCompany(scene)
  ana = await stage.hire('Ana')
  await stage.claim(ana)
  const { by_key } = scene.services
  const run = by_key.run.bind(by_key)
  by_key.run = (...args) =>
    run(...args).catch((error: { code?: string; message: string }) => {
      if (error.code === '42501') denied.push(error.message)
      throw error
    })
})

/** The grants of keys as SQL, without the grantee. */
const grantsOfKeys = async () =>
  (
    await scene.sql<{ text: string }[]>`
      select 'execute on function ' || p.proname as text from pg_proc p
        where p.pronamespace = 'public'::regnamespace and exists (
          select from aclexplode(p.proacl) a where a.grantee = 'healthfund_key'::regrole)
      union select lower(a.privilege_type) || ' on ' || c.relname from pg_class c
        cross join aclexplode(c.relacl) a where a.grantee = 'healthfund_key'::regrole
      union select lower(a.privilege_type) || ' (' || string_agg(x.attname, ', ') || ') on ' || c.relname
        from pg_class c join pg_attribute x on x.attrelid = c.oid cross join aclexplode(x.attacl) a
        where a.grantee = 'healthfund_key'::regrole group by c.relname, a.privilege_type
      order by 1`
  ).map(({ text }) => text)

type Play = [what: string, act: () => Promise<unknown>]

/** The grants it took until each of these was done, with the act that needed it first. */
async function needs(plays: Play[], granted: string[]): Promise<Map<string, Play[1]>> {
  const granted_rights = new Map<string, Play[1]>()
  for (const [what, act] of plays)
    for (;;) {
      denied.length = 0
      const failed = await act().then(
        () => undefined,
        (error: Error) => error,
      )
      if (!failed) break
      const [reason = failed.message] = denied
      const [, name = ''] = /^permission denied for \w+ (\w+)$/.exec(reason) ?? []
      const next = granted.find((one) => one.endsWith(` ${name}`) && !granted_rights.has(one))
      assert.ok(next, `${what}: ${reason}`)
      await scene.sql.unsafe(`grant ${next} to healthfund_key`)
      granted_rights.set(next, act)
    }
  return granted_rights
}

async function playsOfApi(): Promise<Partial<Record<Act, Play[1][]>>> {
  const { admin, domain } = stage.company
  const group = await admin.api.groups.add({ name: 'Sellers', departments: ['Sales'] })
  const picked = await admin.api.groups.add({ name: 'Picked', departments: null })
  const keys = Object.fromEntries(
    await Promise.all(
      Object.keys(acts_of_rights).map(async (right) => [
        right,
        await keyOf(scene, admin, [right as Right]),
      ]),
    ),
  ) as Record<Right, { api: Api }>
  const [reads, writes] = [keys['people:read'].api, keys['people:write'].api]
  const { api: funds } = keys['funds:read']
  const version = async () => ({
    id: ana.id,
    version: (await admin.api.employees.find({ id: ana.id })).version,
  })
  const file = (more = '') =>
    new Blob([`name,email\nZoe,zoe${another()}@${domain}\nNobody,none\n${more}`])
  const upload = () => writes.imports.upload({ file_name: 'people.csv' }, { file: file() })
  const whole = () =>
    writes.imports.upload(
      { file_name: 'people.csv', full_list: 'true' },
      { file: file(`Ana Horvat,${ana.email}\n`) },
    )
  const sent = await admin.api.imports.upload({ file_name: 'sent.csv' }, { file: file() })
  const { id } = sent
  const second = await stage.admin('Second')
  const invited = async () => {
    const { employee } = await admin.api.employees.add({
      full_name: 'Ivo',
      email: `ivo${another()}@${domain}`,
      department: 'Sales',
    })
    await scene.sql`update profiles set invited_at = now() - interval '1 day' where id = ${employee.id}`
    return employee
  }
  const done = async () => {
    const made = await admin.api.imports.upload({ file_name: 'b.csv' }, { file: file() })
    await scene.sql`update imports set status = 'done', finished_at = now() where id = ${made.id}`
    return made
  }
  return {
    'employees.list': [
      () => reads.employees.list({}),
      () => reads.employees.list({ search: 'ana' }),
      () => reads.employees.list({ group_id: group.id, status: 'active', sort: '-joined' }),
      () => reads.employees.list({ group_id: picked.id, department: 'Sales' }),
      () => reads.employees.list({ department: 'Sales' }),
    ],
    'employees.summary': [() => reads.employees.summary({})],
    'employees.departments': [() => reads.employees.departments({})],
    'employees.find': [
      () => reads.employees.find({ id: ana.id }),
      async () => reads.employees.find({ id: (await invited()).id }),
      () => reads.employees.find({ id: second.id }),
    ],
    'groups.list': [() => reads.groups.list({})],
    'employees.add': [
      () =>
        writes.employees.add({
          full_name: 'Nora',
          email: `nora${another()}@${domain}`,
          department: 'Sales',
        }),
    ],
    'employees.edit': [
      async () =>
        writes.employees.edit({
          ...(await version()),
          full_name: 'Ana',
          department: 'Finance',
          joined_on: stage.today,
          personnel_number: '7',
        }),
    ],
    'employees.leave': [
      async () => writes.employees.leave({ ...(await version()), left_on: stage.today }),
    ],
    'employees.stay': [async () => writes.employees.stay(await version())],
    'employees.suspend': [() => writes.employees.suspend({ id: ana.id })],
    'employees.reactivate': [() => writes.employees.reactivate({ id: ana.id })],
    'employees.resend': [async () => writes.employees.resend({ id: (await invited()).id })],
    'imports.upload': [upload, whole],
    'imports.list': [() => writes.imports.list({})],
    'imports.find': [() => writes.imports.find({ id })],
    'imports.rows': [() => writes.imports.rows({ id })],
    'imports.people': [() => writes.imports.people({ id, kind: 'fresh' })],
    'imports.rejected': [() => writes.imports.rejected({ id })],
    'imports.start': [() => writes.imports.start({ id })],
    'imports.undo': [async () => writes.imports.undo({ id: (await done()).id })],
    'imports.discard': [async () => writes.imports.discard({ id: (await upload()).id })],
    'funds.overview': [() => funds.funds.overview({})],
    'funds.accounts': [
      () => funds.funds.accounts({}),
      () => funds.funds.accounts({ as_of: stage.today }),
      async () => {
        const [account] = await funds.funds.accounts({ person_id: ana.id })
        assert.equal(account?.person_name, 'Ana')
      },
    ],
    'funds.balances': [() => funds.funds.balances({ ids: ana.id })],
    'funds.trend': [() => funds.funds.trend({})],
    'connections.claims': [() => keys['claims:read'].api.connections.claims({})],
  }
}

function playsOfScim({ ask, patch }: ScimProvider): Play[] {
  let count = 0
  const made = async (path: string, body: JsonBody, status = 201) => {
    const answer = await ask('POST', path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return `${path}/${answer.body['id']}`
  }
  const user = (more: JsonBody = {}) =>
    made('/Users', newUser(stage.company, `New ${(count += 1)}`, more))
  const group = (more: JsonBody = {}) =>
    made('/Groups', { displayName: `Group ${(count += 1)}`, ...more })
  const well = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer
    assert.ok(status < 300, JSON.stringify(body))
  }
  const replace = (path: string, op: string, value: unknown) =>
    well(patch(path, { op: 'replace', path: op, value }))
  return [
    ['POST a user', () => user()],
    ['POST a disabled user', () => user({ active: false })],
    ['GET users', () => well(ask('GET', '/Users'))],
    ['GET a user by name', () => well(ask('GET', '/Users?filter=userName eq "ana"'))],
    ['search', () => well(ask('POST', '/.search', { filter: 'displayName co "a"' }))],
    ['GET a user', async () => well(ask('GET', await user()))],
    ['PATCH a name', async () => replace(await user(), 'displayName', 'Ana Horvat')],
    ['PATCH to leave', async () => replace(await user(), 'active', false)],
    ['PATCH to come back', async () => replace(await user({ active: false }), 'active', true)],
    [
      'PATCH an address',
      async () =>
        replace(
          await user(),
          'emails[type eq "work"].value',
          `moved${(count += 1)}@${stage.company.domain}`,
        ),
    ],
    ['DELETE a user', async () => well(ask('DELETE', await user()))],
    [
      'POST somebody deleted',
      async () => {
        const body = newUser(stage.company, `Gone ${(count += 1)}`)
        await well(ask('DELETE', await made('/Users', body)))
        await made('/Users', body)
      },
    ],
    ['POST a group', () => group()],
    ['GET groups', () => well(ask('GET', '/Groups'))],
    ['PATCH a group', async () => replace(await group(), 'displayName', `Renamed ${(count += 1)}`)],
    [
      'PATCH members',
      async () => {
        const [path, member] = [await group(), await user()]
        await well(patch(path, { op: 'add', path: 'members', value: [{ value: member.slice(7) }] }))
      },
    ],
    ['DELETE a group', async () => well(ask('DELETE', await group()))],
  ]
}

test('has what the acts of keys need, and nothing more', async () => {
  const acts = await playsOfApi()
  const provider = await providerOf(scene, stage.company)
  const all = [...new Set(Object.values(acts_of_rights).flat())]
  assert.deepEqual(Object.keys(acts).toSorted(), all.toSorted())
  const granted = await grantsOfKeys()
  await scene.sql`revoke all on all tables in schema public from healthfund_key`
  await scene.sql`revoke all on all routines in schema public from healthfund_key`
  assert.deepEqual(await grantsOfKeys(), [])
  const plays = Object.entries(acts).flatMap(([act, some]) => some.map((one): Play => [act, one]))
  const needed = await needs([...plays, ...playsOfScim(provider)], granted)
  assert.deepEqual([...needed.keys()].toSorted(), granted.toSorted())
  for (const [grant, act] of needed) {
    const [of_columns = '', columns] = /\((.+)\)/.exec(grant) ?? []
    for (const column of columns?.split(', ') ?? []) {
      const one = grant.replace(of_columns, `(${column})`)
      await scene.sql.unsafe(`revoke ${one} from healthfund_key`)
      denied.length = 0
      await act().catch(String)
      assert.equal(denied.length, 1, `nothing needs ${one}`)
      await scene.sql.unsafe(`grant ${one} to healthfund_key`)
    }
  }
})
