// What nobody can do, whatever a handler forgets: straight SQL as the login that requests use.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Transactions } from '#lib/transactions.server.ts'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { callerOf, openScene, type Person, type Scene } from './scene.ts'

describe('the wall', () => {
  let scene: Scene
  let sql: Sql
  let ana: Person
  let stranger: Person
  before(async () => {
    scene = await openScene()
    ana = await (await scene.company()).hire('Ana')
    stranger = await (await scene.company({ name: 'Other' })).hire('Stranger')
    sql = connect(urlFor('healthfund_request', scene.database_url), { max: 2 })
  })
  after(async () => {
    await sql.end()
    await scene.close()
  })

  const asAna = <T>(work: (tx: Tx) => Promise<T>) =>
    new Transactions({ sql, actorOf: (stamp) => stamp, visitor: '' })
      .run(callerOf(ana), (tx) => work(tx))
      .then(({ answer }) => answer)
  const denied = (statement: string) =>
    assert.rejects(
      asAna((tx) => tx.unsafe(statement)),
      { code: '42501' },
      statement,
    )

  test('a person sees themselves and nobody of another company', async () => {
    const seen = await asAna((tx) => tx<{ id: string }[]>`select id from profiles`)
    assert.deepEqual(
      seen.map(({ id }) => id),
      [ana.id],
    )
    const companies = await asAna((tx) => tx`select id from companies`)
    assert.equal(companies.length, 1)
  })

  test('without a person nothing is seen at all', async () => {
    assert.equal((await sql`select from profiles`).length, 0)
    assert.equal((await sql`select from companies`).length, 0)
    assert.equal((await sql`select from audit_log`).length, 0)
  })

  test('nobody becomes somebody by setting a variable', async () => {
    const forged = `company_admin ${stranger.id} `
    const forging = asAna(async (tx) => {
      await tx`select set_config('app.actor', ${forged}, true)`
      return tx`select id from profiles`
    })
    await assert.rejects(forging, { code: '42501' })
    const sealing = asAna(async (tx) => {
      await tx`select set_config('app.actor', ${forged}, true), private.seal(${forged})`
    })
    await assert.rejects(sealing, { code: '42501' })
  })

  test('a session that is not theirs makes nobody of them', async () => {
    const { session_id } = callerOf(stranger)
    await assert.rejects(sql`select become(${ana.id}, ${session_id})`, { code: 'HF401' })
  })

  test('roles, history, mails, accounts and secrets cannot be written or read', async () => {
    await denied(`update profiles set role = 'super_admin' where id = '${ana.id}'`)
    await denied(
      `insert into audit_log (actor_role, act, table_name, row_id) values ('x', 'insert', 'x', 'x')`,
    )
    await denied('update audit_log set actor_role = null')
    await denied('delete from audit_log')
    await denied('select * from audit_seals')
    await denied('select private.erase_entries(array[]::bigint[], null, true)')
    await denied('select * from private.processes')
    await denied(
      `insert into reports (kind, from_on, to_on, title) values ('claims_activity', now(), now(), 'x')`,
    )
    await denied('delete from report_files')
    await denied('select * from mails')
    await denied('select * from auth.users')
    await denied('select * from private.secret')
    await denied('select * from graphile_worker.jobs')
    await denied(`select private.settle('${ana.id}')`)
    await denied('select * from auth.recovery_codes')
    await denied('select * from mail_paces')
    await denied(`update notifications set title = 'x'`)
    await denied(`insert into notifications (person_id, kind, title, sentence, path)
      values ('${ana.id}', 'account', 'x', 'x', '/')`)
    await denied(`insert into preferences (person_id) values ('${stranger.id}')`)
    await denied(`select private.silence('${stranger.id}', 'claim_updates')`)
    await denied(`select private.post_mail('a@b.test', 'x', 'x', 'x', true, '{}'::jsonb)`)
    await denied(`update companies set admins_need_two_step = true`)
  })

  test('signing out ends the token at once, in the database too', async () => {
    const gone = await scene.signIn(stranger.email)
    await scene.house.app.request('/auth/v1/logout?scope=local', {
      method: 'POST',
      headers: { authorization: `Bearer ${gone.token}` },
    })
    await assert.rejects(gone.api.users.me({}), { code: 'not_signed_in' })
    assert.equal((await stranger.api.users.me({})).id, stranger.id)
  })
})
