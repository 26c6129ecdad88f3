// The record of changes: who may read what of it, how it is found, and that nobody rewrites it unseen.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { todayOf } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import { refuses } from '../../test/world/people.ts'
import { withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { AuditEntry } from './audit.contract.ts'
import { actorNameOf } from './words.contract.ts'
import { actText } from './story.ts'
import { asInFiles } from './in-files.ts'
import { changesOf } from './words.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))
const other = opened(() => scene.company({ name: 'Other Works' }))
const provider = opened(() => scene.superAdmin())
const ana = opened(() => acme.hire('Ana'))

const changesIn = (entry: AuditEntry, names = {}) => changesOf(entry, names, asInFiles('UTC'))
test('a change says who, when, from where, and what it was and is', async () => {
  const { api } = acme.admin
  const { employees } = await api.employees.list({})
  const version = employees.find(({ id }) => id === ana.id)!.version
  await api.employees.edit({
    id: ana.id,
    version,
    full_name: 'Ana Horvat',
    department: 'Research',
    joined_on: '2026-01-02',
  })
  const { entries } = await api.audit.list({ table: 'profiles', act: 'update', limit: 5 })
  const entry = entries.find(({ after }) => after?.['full_name'] === 'Ana Horvat')!
  assert.equal(entry.actor_id, acme.admin.id)
  assert.equal(entry.actor_role, 'company_admin')
  assert.equal(actorNameOf(entry), 'admin')
  assert.equal(actText(entry), 'Changed Ana Horvat')
  const [name, department] = ['Name', 'Department'].map((word) =>
    changesIn(entry).find(({ field }) => field === word),
  )
  assert.deepEqual(name, { field: 'Name', before: 'Ana', after: 'Ana Horvat' })
  assert.deepEqual(department, { field: 'Department', before: null, after: 'Research' })
  assert.ok(Math.abs(Date.parse(entry.at) - Date.now()) < 60_000)
})

test('an auditor reads which API key did something, and finds what it did', async () => {
  const key = await keyOf(scene, acme.admin, ['people:write'], { name: 'Payroll' })
  const { employee } = await key.api.employees.add({
    full_name: 'Keyed',
    email: `keyed@${acme.domain}`,
    department: 'Sales',
  })
  const { api } = await withRights(scene, acme, 'auditor')
  const [named] = await api.audit.actors({ search: 'payr' })
  assert.deepEqual(named, { id: key.id, name: 'Payroll', note: 'API key' })
  const { entries } = await api.audit.list({ actor_id: key.id, table: 'profiles', act: 'insert' })
  assert.deepEqual(
    entries.map((entry) => [entry.row_id, actorNameOf(entry)]),
    [[employee.id, 'Payroll']],
  )
  const secrets = await api.audit.list({ table: 'api_key_secrets' })
  assert.equal(secrets.names[key.id], 'Payroll')
})

test('a company reads its own record, the provider the platform’s, an employee none', async () => {
  await provider.api.companies.suspend({ id: other.id })
  await provider.api.companies.activate({ id: other.id })
  const of_acme = await acme.admin.api.audit.list({ limit: 200 })
  assert.ok(of_acme.entries.length > 0)
  assert.ok(of_acme.entries.every(({ company_name }) => company_name === 'Acme'))
  const of_platform = await provider.api.audit.list({ limit: 200 })
  const suspended = of_platform.entries.find(({ after }) => after?.['status'] === 'suspended')!
  assert.equal(suspended.company_name, 'Other Works')
  assert.equal(suspended.actor_id, provider.id)
  assert.equal(suspended.subject, 'Other Works')
  const inside = of_platform.entries.filter(
    ({ actor_role, table_name, company_name }) =>
      company_name && actor_role !== 'super_admin' && table_name !== 'companies',
  )
  assert.deepEqual(inside, [], 'what companies do among themselves is theirs')
  await refuses('forbidden', ana.api.audit.list({}))
  await refuses('not_signed_in', scene.visitor.audit.list({}))
})

test('what the provider does to a company stands in the company’s record, without the name', async () => {
  const again = await scene.company({ name: 'Third' })
  await provider.api.companies.suspend({ id: again.id })
  await provider.api.companies.activate({ id: again.id })
  const back = await scene.signIn(again.admin.email)
  const { entries } = await back.api.audit.list({ table: 'companies', act: 'update' })
  const activated = entries.find(({ after }) => after?.['status'] === 'active')!
  assert.equal(actorNameOf(activated), 'Healthfund')
  assert.equal(activated.actor_name, null)
})

test('it is found by word, day, kind, act and person, and read a page at a time', async () => {
  const { audit } = acme.admin.api
  const found = async (filter: Parameters<typeof audit.list>[0]) =>
    (await audit.list({ limit: 200, ...filter })).entries
  const horvat = await found({ search: 'ana HORVAT' })
  assert.ok(horvat.length > 0)
  assert.ok(horvat.every(({ subject }) => subject === 'Ana Horvat'))
  assert.deepEqual(await found({ search: 'xyzzy%' }), [])
  assert.ok((await found({ search: 'plan year' })).every((e) => e.table_name === 'plan_years'))
  const today = await todayOf(scene, acme)
  const all = await found({})
  assert.equal((await found({ from: today, to: today })).length, all.length)
  assert.deepEqual(await found({ from: '2020-01-01', to: '2020-12-31' }), [])
  assert.deepEqual(await found({ from: '2199-01-01' }), [])
  assert.ok((await found({ act: 'insert' })).every(({ act }) => act === 'insert'))
  assert.ok((await found({ actor_id: acme.admin.id })).length > 0)
  assert.deepEqual(await found({ actor_id: other.admin.id }), [])
  const walked: number[] = []
  let after: string | undefined
  do {
    const page = await audit.list({ limit: 2, ...(after ? { after } : {}) })
    walked.push(...page.entries.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after)
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  )
  await refuses('invalid_input', audit.list({ after: 'nonsense' }))
  await refuses('invalid_input', audit.list({ table: 'x; drop' }))
  await refuses('invalid_input', audit.list({ from: 'yesterday' }))
})

test('people to choose from are the reader’s own', async () => {
  const of_acme = await acme.admin.api.audit.actors({ search: 'a' })
  assert.ok(of_acme.some(({ id }) => id === acme.admin.id))
  assert.ok(!of_acme.some(({ id }) => id === other.admin.id || id === provider.id))
  assert.deepEqual(await acme.admin.api.audit.actors({ actor_id: other.admin.id }), [])
  const of_platform = await provider.api.audit.actors({})
  assert.deepEqual(
    of_platform.map(({ id }) => id),
    [provider.id],
  )
})

test('it is exported as a table that no spreadsheet takes for a formula', async () => {
  const { employees } = await acme.admin.api.employees.list({})
  const { version, joined_on } = employees.find(({ id }) => id === ana.id)!
  await acme.admin.api.employees.edit({
    id: ana.id,
    version,
    full_name: '=HYPERLINK("x")',
    department: 'Research',
    joined_on,
  })
  const text = await (await acme.admin.api.audit.export({ act: 'update' })).text()
  const lines = text.trim().split('\r\n')
  assert.match(lines[0]!, /^entry,at,who,role,from address,company,act,what,name,changes$/)
  assert.ok(lines[1]!.includes(`"'=HYPERLINK(""x"")"`), lines[1])
  assert.ok(lines[1]!.includes('Name: Ana Horvat → =HYPERLINK'))
})

describe('the chain', () => {
  test('all is good, for the company and for the platform', async () => {
    await scene.seal()
    const of_acme = await acme.admin.api.audit.verify({})
    assert.match(of_acme.sentence, /^[\d,]+ entries, all good$/)
    const of_platform = await provider.api.audit.verify({})
    assert.ok(of_platform.good)
    assert.ok(of_platform.entries > of_acme.entries)
    await refuses('forbidden', ana.api.audit.verify({}))
  })

  test('an entry changed, taken out or put in is named', async () => {
    const { verify } = acme.admin.api.audit
    const [entry] = await scene.sql<[{ id: number; before: object; company_id: string }]>`
      select id, before, company_id from audit_log where company_id = ${acme.id} and act = 'update'
      order by id limit 1`
    await scene.sql`update audit_log set before = '{"full_name": "Nobody"}' where id = ${entry.id}`
    assert.equal((await verify({})).sentence, `Entry ${entry.id} was changed after it was sealed`)
    assert.equal((await provider.api.audit.verify({})).audit_id, entry.id)
    assert.ok((await other.admin.api.audit.verify({}).catch(() => ({ good: true }))).good)
    await scene.sql`
      update audit_log set before = ${scene.sql.json(entry.before)} where id = ${entry.id}`
    assert.ok((await verify({})).good)

    await scene.sql`create table kept as select id, company_id, at, actor_id, actor_role, address,
      request_id, act, table_name, row_id, before, after from audit_log where id = ${entry.id}`
    await scene.sql`delete from audit_log where id = ${entry.id}`
    assert.equal((await verify({})).sentence, `Entry ${entry.id} was deleted`)
    await scene.sql`insert into audit_log (id, company_id, at, actor_id, actor_role, address,
      request_id, act, table_name, row_id, before, after) overriding system value select * from kept`
    assert.ok((await verify({})).good)

    const [forged] = await scene.sql<[{ id: number }]>`
      insert into audit_log (id, company_id, actor_role, act, table_name, row_id)
      overriding system value values (-1, ${acme.id}, 'employee', 'insert', 'claims', '1')
      returning id`
    assert.equal((await verify({})).sentence, `Entry ${forged.id} was inserted from outside`)
    await scene.sql`delete from audit_log where id = ${forged.id}`

    await scene.sql`delete from audit_seals where company_id = ${acme.id}
      and number = (select max(number) from audit_seals where company_id = ${acme.id})`
    assert.ok(!(await verify({})).good)
  })

  test('an act that ends late is sealed as well, in the order of its entries', async () => {
    const third = await scene.company({ name: 'Late Works' })
    await scene.seal()
    const [late_begins, late_ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = scene.sql.begin(async (tx) => {
      await tx`update companies set name = 'Late' where id = ${third.id}`
      late_begins.resolve()
      await late_ends.promise
    })
    await late_begins.promise
    const checked = async () => {
      const [found] = await scene.sql<[{ waiting: number; fault: string | null }]>`
        select * from verify_audit(${third.id})`
      return [found.waiting, found.fault]
    }
    try {
      await scene.sql`update companies set name = 'Early' where id = ${acme.id}`
      await scene.sql`update profiles set department = 'Early' where id = ${third.admin.id}`
      await scene.seal()
      assert.deepEqual(await checked(), [1, null], 'what came after it waits for it')
    } finally {
      late_ends.resolve()
      await late
    }
    await scene.seal()
    assert.deepEqual(await checked(), [0, null])
  })

  test('who was forgotten is gone from the record, and the chain holds', async () => {
    const boss = await scene.company({ name: 'Forgetful' })
    const bo = await boss.hire('Bo')
    await scene.seal()
    await scene.sql`with granted as (insert into erasures (person_id, status)
        values (${bo.id}, 'done') returning id)
      select private.erase_entries(array(select private.entries_about(${bo.id})), id, true) from granted`
    await scene.seal() // the erasure is an entry itself
    const found = await boss.admin.api.audit.verify({})
    assert.match(found.sentence, /all good; \d+ erased at a person’s request$/)
    const { entries } = await boss.admin.api.audit.list({ table: 'profiles' })
    const erased = entries.filter(({ erased }) => erased)
    assert.ok(erased.length > 0)
    assert.ok(erased.every(({ before, after, address }) => !before && !after && !address))
  })
})
