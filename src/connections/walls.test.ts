// Limits of every key, whatever a handler forgets: straight SQL as the login of keys.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { Transactions } from '#lib/transactions.server.ts'
import { keyOf } from '../../test/world/keys.ts'
import { belongingsOf, type Belongings } from '../../test/world/one-of-each.ts'
import { callerOf } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openScene, type Scene } from '../../test/world/scene.ts'
import { hashOfKey } from './caller.server.ts'
import type { Right } from './connections.contract.ts'

let scene: Scene
let sql: Sql
let own: Belongings
let hash: Record<Right, Buffer>
before(async () => {
  scene = await openScene()
  own = await belongingsOf(scene, 'Ana')
  await scene.sql`insert into person_notes (company_id, person_id, text, written_by)
    values (${own.stage.id}, ${own.person.id}, 'Back in May', ${own.admin.id})`
  await scene.sql`insert into scim_people (company_id, person_id, user_name)
    values (${own.stage.id}, ${own.person.id}, 'ana')`
  await scene.sql`insert into scim_members (company_id, group_id, person_id)
    values (${own.stage.id}, ${own.ids.scim_group}, ${own.person.id})`
  await scene.sql`insert into scim_calls (company_id, key_id, method, path, dry_run, status)
    values (${own.stage.id}, ${own.person.id}, 'POST', '/Users', false, 201)`
  await scene.sql`insert into scim_settings (company_id) values (${own.stage.id})`
  await scene.sql`insert into answered_requests (person_id, key, question, answer)
    values (${own.admin.id}, 'sent', '', '{"provider": "Dr. Lee"}')`
  sql = connect(urlFor('healthfund_key', scene.database_url), { max: 2 })
  const made = async (right: Right) => hashOfKey((await keyOf(scene, own.admin, [right])).secret)
  hash = {
    'people:read': await made('people:read'),
    'people:write': await made('people:write'),
    'people:provision': await made('people:provision'),
    'funds:read': await made('funds:read'),
    'claims:read': await made('claims:read'),
  }
})
after(async () => {
  await sql.end()
  await scene.close()
})

const caller = (key: Buffer) => ({
  user_id: '',
  session_id: `key ${key.toString('hex')}`,
  address: '',
  request_id: '',
  key,
})
const as = <T>(key: Buffer, work: (tx: Tx) => Promise<T>) =>
  new Transactions({ sql, actorOf: (stamp) => stamp, visitor: '' })
    .run(caller(key), (tx) => work(tx))
    .then(({ answer }) => answer)
const within = <T>(right: Right, work: (tx: Tx) => Promise<T>) =>
  as(hash[right], async (tx) => {
    await tx`select act_with(${right})`
    return work(tx)
  })

/** Every table that the login may read at all. */
const readable = async () =>
  (
    await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace
        and has_any_column_privilege(c.oid, 'select') order by 1`
  ).map(({ name }) => name)

const seenBy = async (tx: Tx, table: string) =>
  (await tx.unsafe(`select count(*)::int as seen from ${table}`))[0]!['seen'] as number

describe('a key’s transaction', () => {
  test('sees nothing before it takes up a right, and changes nothing', async () => {
    for (const table of await readable()) {
      assert.equal(await as(hash['people:write'], (tx) => seenBy(tx, table)), 0, table)
    }
    const changing = as(hash['people:write'], (tx) => tx`select suspend_person(${own.person.id})`)
    await assert.rejects(changing, { message: 'not_found' })
  })

  /** Sums by day of the whole company, which say nothing of anybody. */
  const of_all = ['category_funds', 'companies', 'fund_changes', 'fund_totals', 'plan_years']
  const counted = ['headcount_days', 'headcounts']
  const of_people = ['employee_groups', 'import_rows', 'imports', 'profiles']
  const sees: Record<Right, string[]> = {
    'people:read': of_people,
    'people:write': of_people,
    'people:provision': ['profiles', 'scim_groups', 'scim_members', 'scim_people', 'scim_users'],
    'funds:read': ['accounts', 'profiles', 'regrants', 'transfers', 'waiting_totals'],
    'claims:read': [],
  }

  test('sees by each right what that right is for: no health, family, bank accounts, record or keys', async () => {
    for (const [right, tables] of Object.entries(sees) as [Right, string[]][]) {
      const rows_read: string[] = []
      for (const table of await readable())
        if ((await within(right, (tx) => seenBy(tx, table))) > 0) rows_read.push(table)
      assert.deepEqual(rows_read.toSorted(), [...of_all, ...counted, ...tables].toSorted(), right)
    }
  })

  test('sees what an identity provider calls people by its right alone, and never its calls', async () => {
    for (const right of Object.keys(hash) as Right[]) {
      const rows_read = (table: string) => within(right, (tx) => seenBy(tx, table))
      const its_own = right === 'people:provision' ? 1 : 0
      for (const table of ['scim_people', 'scim_groups', 'scim_members'])
        assert.equal(await rows_read(table), its_own, `${right}: ${table}`)
      for (const table of ['scim_calls', 'scim_settings'])
        await assert.rejects(rows_read(table), { code: '42501' }, `${right}: ${table}`)
      const [found] = await within(
        right,
        (tx) => tx<[{ people: string[] }]>`select scim_people_named('ana') as people`,
      )
      assert.deepEqual(found.people, its_own ? [own.person.id] : [], right)
    }
  })

  test('that writes people does nothing of SCIM, and one of SCIM sets nothing of it', async () => {
    const id = own.person.id
    const writes = [
      `select scim_add_person('{}')`,
      `select scim_lock('${id}')`,
      `select scim_name_person('${id}', '{}')`,
      `select scim_move_address('${id}', 'x@y.test')`,
      `select scim_forget_person('${id}')`,
      `select scim_deleted_person('x', 'x')`,
      `select scim_add_group('x', null)`,
      `select scim_lock_group('${id}')`,
      `select scim_change_group('${id}', 'x', null)`,
      `select * from scim_move_members('${id}', '{}', '{}', true)`,
      `select scim_remove_group('${id}')`,
    ]
    for (const statement of writes) {
      const result = within('people:write', (tx) => tx.unsafe(statement))
      await assert.rejects(result, { message: 'forbidden' }, statement)
    }
    for (const statement of [
      `select set_scim(true, false)`,
      `select map_scim_group('${own.ids.scim_group}', 'Sales')`,
    ]) {
      const result = within('people:provision', (tx) => tx.unsafe(statement))
      await assert.rejects(result, { code: '42501' }, statement)
    }
  })

  test('of SCIM writes nobody who has rights, though they are an employee', async () => {
    const hr = await own.stage.hire('Both')
    await giveRights(scene, own.stage.company, hr, 'people')
    const both = [hr.id, own.person.id]
    const written = await within(
      'people:provision',
      (tx) => tx<{ id: string }[]>`
        update profiles set full_name = full_name where id = any (${both}) returning id`,
    )
    assert.deepEqual(
      written.map(({ id }) => id),
      [own.person.id],
    )
  })

  test('its secret’s hash is read by nobody who asks, and a made-up one makes nobody', async () => {
    await assert.rejects(
      within('people:read', (tx) => tx`select hash from api_key_secrets`),
      { code: '42501' },
    )
    await assert.rejects(sql`select hash from api_key_secrets`, { code: '42501' })
    await assert.rejects(sql`select sealed from webhook_secrets`, { code: '42501' })
    await assert.rejects(sql`select become_key(${hashOfKey('hfk_made up')})`, { code: 'HF401' })
  })

  test('is no transaction of people’s login, and people are none of the login of keys', async () => {
    const { request } = scene.services.sql
    await assert.rejects(request`select become_key(${hash['people:read']})`, { code: '42501' })
    const { user_id, session_id } = callerOf(own.admin)
    await assert.rejects(sql`select become(${user_id}, ${session_id})`, { code: '42501' })
  })

  test('takes up no right that it does not have, nor a second one, nor becomes its maker', async () => {
    const taking = as(hash['people:read'], (tx) => tx`select act_with('people:write')`)
    await assert.rejects(taking, { message: 'forbidden' })
    const twice = within('people:read', (tx) => tx`select act_with('people:read')`)
    await assert.rejects(twice, { message: 'forbidden' })
    await scene.sql`update profiles set has_own = true where id = ${own.admin.id}`
    const hers = within('people:write', (tx) => tx`select act_as_employee()`)
    await assert.rejects(hers, { code: '42501' })
    const forged = as(hash['people:read'], async (tx) => {
      await tx`select set_config('app.actor', ${`company_admin ${own.admin.id} ${own.stage.id}`}, true)`
      return tx`select id from profiles`
    })
    await assert.rejects(forged, { code: '42501' })
    await assert.rejects(
      as(hash['people:read'], (tx) => tx`select private.set_actor('super_admin', null, null)`),
      { code: '42501' },
    )
  })

  test('that reads writes nothing, not even by straight SQL, and cannot switch that off', async () => {
    for (const right of ['people:read', 'funds:read', 'claims:read'] as const) {
      const suspending = within(right, (tx) => tx`select suspend_person(${own.person.id})`)
      await assert.rejects(suspending, { code: '25006' })
      const switching = within(right, async (tx) => {
        await tx`select set_config('transaction_read_only', 'off', true)`
        return tx`select suspend_person(${own.person.id})`
      })
      await assert.rejects(switching, { code: '25001' })
    }
  })

  test('that writes people changes their names, and nothing of whoever made it', async () => {
    const writable = await sql<{ name: string }[]>`
      select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
        and (has_any_column_privilege(c.oid, 'insert') or has_any_column_privilege(c.oid, 'update')
          or has_table_privilege(c.oid, 'delete'))`
    assert.deepEqual(
      writable.map(({ name }) => name),
      ['profiles'],
    )
    const renamed = await within(
      'people:write',
      (tx) => tx<{ id: string }[]>`update profiles set full_name = full_name returning id`,
    )
    const ids = renamed.map(({ id }) => id)
    assert.ok(ids.includes(own.person.id) && !ids.includes(own.admin.id))
  })

  test('that writes people decides no claim, moves no money and makes no key', async () => {
    const { version } = await own.admin.api.review.find({ id: Number(own.ids.claim) })
    const statements = [
      `select approve_claim(${own.ids.claim}, ${version}, null, null, null)`,
      `select set_auto_registration(false)`,
      `select make_api_key('Another', array['people:write'], current_date, '\\x00', 'abcd')`,
      `select revoke_api_key('${own.ids.key}')`,
    ]
    for (const statement of statements) {
      await assert.rejects(
        within('people:write', (tx) => tx.unsafe(statement)),
        (error: { code?: string; message: string }) =>
          error.code === '42501' ||
          ['forbidden', 'password_needed', 'not_found'].includes(error.message),
        statement,
      )
    }
    const { status } = await own.admin.api.review.find({ id: Number(own.ids.claim) })
    assert.equal(status, 'pending')
  })
})
