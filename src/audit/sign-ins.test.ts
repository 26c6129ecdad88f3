// Sign-ins, for those who answer for the platform and for a company; nobody sees those of employees.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: Company
let provider: Person
let ana: Person
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  await scene.company({ name: 'Other Works' })
  provider = await scene.superAdmin()
  ana = await acme.hire('Ana')
  for (const { email } of [acme.admin, ana, provider, provider]) await scene.signIn(email)
})

test('the provider reads those of its staff, a company those of its admins, nobody an employee’s', async () => {
  for (const { api, email } of [provider, acme.admin]) {
    const { sign_ins } = await api.audit.sign_ins({ limit: 200 })
    assert.ok(sign_ins.length >= 1)
    assert.deepEqual([...new Set(sign_ins.map((one) => one.email))], [email])
    assert.ok(sign_ins.every(({ act }) => act === 'login'))
  }
  await refuses('forbidden', ana.api.audit.sign_ins({}))
  await refuses('not_signed_in', scene.visitor.audit.sign_ins({}))
})

test('a sign-out stands above the sign-in, and pages follow each other', async () => {
  await scene.sql`insert into auth.audit_log_entries (action, actor_id, address)
    values ('logout', ${provider.id}, '192.0.2.7'), ('token_refreshed', ${provider.id}, null)`
  const { sign_ins } = provider.api.audit
  const { sign_ins: all } = await sign_ins({ limit: 200 })
  assert.deepEqual([all[0]?.act, all[0]?.address], ['logout', '192.0.2.7'])
  const walked: number[] = []
  let after: string | undefined
  do {
    const page = await sign_ins({ limit: 1, ...(after ? { after } : {}) })
    walked.push(...page.sign_ins.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after)
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  )
  await refuses('invalid_input', sign_ins({ after: 'nonsense' }))
})

test('they are exported', async () => {
  const lines = (await (await provider.api.audit.export_sign_ins({})).text()).trim().split('\r\n')
  assert.match(lines[0]!, /^\uFEFF?at,who,email,act,from address$/)
  assert.match(lines[1]!, /,Signed out,192\.0\.2\.7$/)
  assert.ok(lines.length > 2)
})

test('of more than 100,000 no file is made', async () => {
  await scene.sql`
    insert into auth.audit_log_entries (action, actor_id)
      select 'login', ${acme.admin.id} from generate_series(1, 100000)`
  await refuses('too_many_sign_ins', acme.admin.api.audit.export_sign_ins({}))
})
