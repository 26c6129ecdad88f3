// Webhooks: who may make them, to which addresses, and who sees what of them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connect } from '#lib/db.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { payingCompany } from '../../../test/world/payouts.ts'
import { callerOf, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })

describe('who may', () => {
  const webhookInput = (more = {}) => ({
    url: 'https://hooks.example.com/fund',
    events: ['claim.paid' as const],
    in_order: true,
    ...more,
  })

  test('making, changing and renewing ask for the password; the other admins are told', async () => {
    const { hr, second } = await payingCompany(scene)
    const { make, change, rotate } = hr.api.webhooks
    await scene.stale(hr)
    await refuses('password_needed', make(webhookInput()))
    await scene.confirm(hr)
    const { webhook } = await make(webhookInput({ url: 'https://user.example.com/?key=secret' }))
    await scene.stale(hr)
    await refuses('password_needed', change({ ...webhookInput(), id: webhook.id }))
    await refuses('password_needed', rotate({ id: webhook.id, overlap_hours: 0 }))
    const notices = await scene.sql`select code, facts from notifications
      where person_id = ${second.id} and code like 'webhook%'`
    assert.deepEqual(
      notices.map((one) => ({ ...one })),
      [{ code: 'webhook_made', facts: { host: 'user.example.com' } }],
    )
  })

  test('a new address is tried at once, and does not answer for the days of the one before', async () => {
    const { admin } = await scene.company()
    await scene.confirm(admin)
    const { make, change } = admin.api.webhooks
    const { webhook } = await make(webhookInput())
    const failing = async () => {
      await scene.sql`update webhooks set failures = 9, failing_since = now() - interval '71 hours',
        rests_until = now() + interval '2 hours' where id = ${webhook.id}`
      await scene.sql`delete from webhook_deliveries where webhook_id = ${webhook.id}`
      await scene.sql`insert into webhook_deliveries
        (company_id, webhook_id, event, body, tries, next_at)
        select company_id, id, 'claim.paid', '{}', 9, now() + interval '20 hours'
        from webhooks where id = ${webhook.id}`
    }
    const next = async () => {
      const [row] = await scene.sql`select w.failing_since is null as fresh, d.tries,
          (private.next_delivery(w)).id is not null as due
        from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.id = ${webhook.id}`
      return { ...row }
    }
    await failing()
    await change({ ...webhookInput({ in_order: false }), id: webhook.id })
    assert.deepEqual(await next(), { fresh: false, tries: 9, due: false })
    await failing()
    await change({ ...webhookInput({ url: 'https://other.example.com/fund' }), id: webhook.id })
    assert.deepEqual(await next(), { fresh: true, tries: 0, due: true })
  })

  test('ten at most, in an active company, of events that there are', async () => {
    const { admin } = await scene.company()
    await scene.confirm(admin)
    const { make, remove } = admin.api.webhooks
    const made = []
    for (let at = 0; at < 10; at += 1) made.push(await make(webhookInput()))
    await refuses('too_many_webhooks', make(webhookInput()))
    await remove({ id: made[0]!.webhook.id })
    await make(webhookInput())
    await refuses('not_found', admin.api.webhooks.pause({ id: made[0]!.webhook.id }))
    for (const bad of [{ events: [] }, { events: ['claim.read'] }, { url: 'x'.repeat(1001) }]) {
      const fault = await make(webhookInput(bad) as never).catch((error) => error)
      assert.equal(fault.code, 'invalid_input', JSON.stringify(bad))
    }
    const pending = await scene.company({ status: 'pending' })
    await scene.confirm(pending.admin)
    await refuses('company_pending', pending.admin.api.webhooks.make(webhookInput()))
  })

  test('staff of the provider and employees see no webhook, secret or delivery', async () => {
    const company = await scene.company()
    await scene.confirm(company.admin)
    const { webhook } = await company.admin.api.webhooks.make(webhookInput())
    await company.admin.api.webhooks.test({ id: webhook.id })
    const sql = connect(urlFor('healthfund_request', scene.database_url), { max: 1 })
    const visibleTo = (who: Person) =>
      sql.begin(async (tx) => {
        const { user_id, session_id } = callerOf(who)
        await tx`select become(${user_id}, ${session_id})`
        const [counts] = await tx`select (select count(*)::int from webhooks) as webhooks,
          (select count(id)::int from webhook_secrets) as secrets,
          (select count(*)::int from webhook_deliveries) as deliveries`
        return Object.values(counts ?? {})
      })
    assert.deepEqual(await visibleTo(company.admin), [1, 1, 1])
    for (const who of [await scene.superAdmin(), await company.hire('Ana')])
      assert.deepEqual(await visibleTo(who), [0, 0, 0])
    await sql.end()
  })

  test('a secret is shown once: neither list, nor tables, nor the record have it', async () => {
    const { admin, id } = await scene.company()
    await scene.confirm(admin)
    const { webhook, secret } = await admin.api.webhooks.make(webhookInput())
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    const kept = await scene.sql`
      select (select json_agg(s) from webhook_secrets s)::text
        || (select json_agg(l) from audit_log l where company_id = ${id})::text as content`
    const json = JSON.stringify([kept, await admin.api.webhooks.list({})])
    assert.ok(!json.includes(secret.slice(6, 30)))
    const bytes = Buffer.from(secret.slice(6), 'base64').toString('hex')
    assert.ok(!json.includes(bytes.slice(0, 20)))
    assert.deepEqual(webhook.secrets, [{ ending: secret.slice(-4), ends_at: null }])
  })

  const refused: Record<string, string[]> = {
    webhook_needs_https: ['http://hooks.example.com/'],
    webhook_url_invalid: [
      'https:hooks.example.com',
      'https:\\\\hooks.example.com',
      'https://hooks.example.com\\@other.example',
      'https://hooks.exam\tple.com',
      'ftp://hooks.example.com',
      'https://user:word@hooks.example.com',
      'https://hooks.example.com/#part',
      'hooks.example.com',
    ],
    webhook_url_private: [
      'https://localhost/',
      'https://intranet/',
      'https://db.internal/',
      'https://10.1.2.3/',
      'https://0xa.1/',
      'https://167772161/',
      'https://169.254.169.254/latest',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[fd00:ec2::254]/',
    ],
  }
  for (const [code, urls] of Object.entries(refused)) {
    test(`${code}: ${urls.join(' ')}`, async () => {
      const { admin } = await scene.company()
      await scene.confirm(admin)
      for (const url of urls) {
        const fault = await admin.api.webhooks.make(webhookInput({ url })).catch((error) => error)
        assert.equal(fault.code, code, url)
        assert.ok(fault.fields.url, url)
      }
    })
  }
})
