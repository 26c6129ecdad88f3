// People and claims are found as people type: without accents, by whatever is known of them.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { invitePeople } from './jobs.server.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person['api']
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin.api
  const people = [
    ['Zoë Öztürk', 'zoe', '+49 30 5551234', 'Forschung & Entwicklung'],
    ['Đorđe Weiß', 'djordje', '+385 1 2345 678', 'Küche'],
  ] as const
  for (const [full_name, name, phone, department] of people) {
    const email = `${name}@${acme.company.domain}`
    await hr.employees.add({ full_name, email, phone, department })
  }
})

const found = async (search: string) =>
  (await hr.employees.list({ search })).employees.map(({ full_name }) => full_name)

const searches: [search: string, name: string][] = [
  ['ozturk', 'Zoë Öztürk'],
  ['ÖZTÜRK zoe', 'Zoë Öztürk'],
  ['5551234', 'Zoë Öztürk'],
  ['+49305551234', 'Zoë Öztürk'],
  ['forschung', 'Zoë Öztürk'],
  ['dorde weiss', 'Đorđe Weiß'],
  ['kuche', 'Đorđe Weiß'],
  ['djordje@', 'Đorđe Weiß'],
]
for (const [search, name] of searches) {
  test(`“${search}” finds ${name}`, async () => assert.deepEqual(await found(search), [name]))
}

test('the queue finds a claim by its provider, by its person and by its number', async () => {
  const ana = await acme.hire('Ana')
  const ben = await acme.hire('Ben')
  const claim = await acme.claim(ana, { amount_cents: 4000, provider: 'Apotheke Lindenhöfe' })
  const other = await acme.claim(ben, { amount_cents: 5000, provider: 'Harbour Clinic' })
  const ids = async (search: string) =>
    (await hr.review.queue({ search })).claims.map(({ id }) => id)
  assert.deepEqual(await ids('lindenhofe'), [claim.id])
  assert.deepEqual(await ids('apotheke LINDEN'), [claim.id])
  assert.deepEqual(await ids('harbour'), [other.id])
  assert.deepEqual(await ids('ana'), [claim.id])
  assert.deepEqual(await ids(`#${other.id}`), [other.id])
  assert.deepEqual(await ids('nowhere'), [])
  const { claims } = await hr.review.queue({ search: 'harbour', status: 'approved' })
  assert.deepEqual(claims, [])
  const elsewhere = await fundedCompany(scene)
  const { total } = await elsewhere.company.admin.api.review.queue({ search: 'lindenhofe' })
  assert.equal(total, 0)
})

test('an invitation says who invites, and to which company', async () => {
  const guest = await hr.employees.add({
    full_name: 'Gina Guest',
    email: 'gina@elsewhere.test',
    department: 'Guests',
  })
  const [job] = await scene.sql<[{ payload: never }]>`
    select j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'users:invite' order by j.id desc limit 1`
  const statements: unknown[] = []
  const invite = async (...args: unknown[]) => void statements.push(args)
  await invitePeople(invite)(job.payload, { sql: scene.sql, log: makeLog('silent') })
  const gives =
    'Acme gives you €2,000.00 for Prevention, €7,000.00 for Treatment, and €1,000.00 for Solidarity each plan year.'
  assert.deepEqual(statements, [
    [guest.employee.id, 'invite', { company: 'Acme', by: 'admin', gives }],
  ])
})
