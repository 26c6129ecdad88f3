// Promises of the contact page, and of what the provider sees of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openScene, openedScene } from '../../test/world/scene.ts'
import { stampAt, tookTheirTime } from './inquiries.server.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

let senders = 0
const message = (more: object = {}) => ({
  full_name: 'Mara Lindqvist',
  email: `mara${(senders += 1)}@brightsea.test`,
  company: 'Bright Sea',
  people: 250,
  message: 'How long does a rollout for 250 people take?',
  ...more,
})

/** The key of a form that has been open for a while. */
const key = () => scene.services.form_key
const a_while_ago = () => stampAt(key(), Date.now() - 60_000)
const notified = async () =>
  (
    await scene.sql`select facts ->> 'company' as company from notifications where person_id = ${boss.id}`
  ).map(({ company }) => String(company))

describe('a message from the contact page', () => {
  test('is stored, tells every active super admin, and is read by them alone', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    const inquiry = message({ company: 'Stored Ltd' })
    await scene.visitor.inquiries.send({ ...inquiry, stamp: a_while_ago() })
    const { inquiries, open } = await boss.api.inquiries.list({})
    const found = inquiries.find(({ email }) => email === inquiry.email)
    assert.deepEqual(
      [found?.company, found?.people, found?.message, found?.suspect, found?.answered_at],
      ['Stored Ltd', 250, inquiry.message, false, null],
    )
    assert.ok(open >= 1)
    assert.ok((await notified()).includes('Stored Ltd'))
    const { id } = found!
    await refuses('not_signed_in', scene.visitor.inquiries.list({}))
    await refuses('not_signed_in', scene.visitor.inquiries.find({ id }))
    for (const { inquiries: theirs } of [ana.api, acme.admin.api]) {
      await refuses('forbidden', theirs.list({}))
      await refuses('forbidden', theirs.find({ id }))
    }
  })

  test('sent twice, also at the same moment, is one', async () => {
    const inquiry = { ...message({ company: 'Twice Ltd' }), stamp: a_while_ago() }
    await Promise.all([1, 2, 3, 4].map(() => scene.visitor.inquiries.send(inquiry)))
    const { inquiries } = await boss.api.inquiries.list({ limit: 200 })
    assert.equal(inquiries.filter(({ company }) => company === 'Twice Ltd').length, 1)
  })

  test('each field that is wrong has its own sentence', async () => {
    const wrong = { full_name: 'M', email: 'mara@', company: '', people: 0, message: 'Hello' }
    const sent = scene.visitor.inquiries.send({ ...wrong, stamp: a_while_ago() })
    await assert.rejects(sent, ({ fields }: { fields: Record<string, string[]> }) => {
      assert.deepEqual(Object.keys(fields).sort(), [
        'company',
        'email',
        'full_name',
        'message',
        'people',
      ])
      assert.deepEqual(fields['email'], ['Invalid email address'])
      return true
    })
  })

  test('is limited to three of one address of mail in a day, whatever its letters’ case', async () => {
    const inquiry = (n: number, email = 'eager@brightsea.test') =>
      scene.visitor.inquiries.send({
        ...message({ email, message: `Question number ${n}, if I may.` }),
        stamp: a_while_ago(),
      })
    for (const n of [1, 2, 3]) await inquiry(n)
    await refuses('too_many_messages', inquiry(4))
    await refuses('too_many_messages', inquiry(5, 'EAGER@brightsea.test'))
  })

  test('is limited per address of the network; another address is not', async () => {
    const behind = await openScene({ env: { CLIENT_ADDRESS_HEADER: 'x-test-address' } })
    const from = async (address: string) => {
      const answer = await behind.services.app.request('/api/inquiries', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-test-address': address },
        body: JSON.stringify(message()),
      })
      return answer.status
    }
    const codes = await Promise.all(Array.from({ length: 7 }, () => from('203.0.113.7')))
    assert.equal(codes.filter((code) => code === 200).length, 5)
    assert.equal(codes.filter((code) => code === 429).length, 2)
    assert.equal(await from('203.0.113.8'), 200)
    await behind.close()
  })

  test('of a machine is thanked like any other, kept apart, and rings no bell', async () => {
    const machines = [
      { ...message({ company: 'Filled All' }), stamp: a_while_ago(), website: 'https://x.test' },
      { ...message({ company: 'At Once' }), stamp: stampAt(key(), Date.now()) },
      { ...message({ company: 'No Stamp' }) },
      { ...message({ company: 'Forged' }), stamp: stampAt(Buffer.from('not it'), 1) },
    ]
    for (const inquiry of machines)
      assert.deepEqual(await scene.visitor.inquiries.send(inquiry), { received: true })
    const { inquiries } = await boss.api.inquiries.list({ state: 'suspect' })
    assert.deepEqual(inquiries.map(({ company }) => company).sort(), [
      'At Once',
      'Filled All',
      'Forged',
      'No Stamp',
    ])
    const shown = await boss.api.inquiries.list({ limit: 200 })
    assert.ok(shown.inquiries.every(({ suspect }) => !suspect))
    assert.ok(
      (await notified()).every((title) => !/Filled All|At Once|No Stamp|Forged/.test(title)),
    )
  })

  test('in a flood is stored, but the bell rings twenty times in an hour at most', async () => {
    await scene.sql`delete from inquiries`
    await scene.sql`delete from notifications`
    for (let n = 0; n < 25; n += 1) {
      const inquiry = message({ company: 'Flood Ltd', message: `Wave number ${n} of the flood.` })
      await scene.visitor.inquiries.send({ ...inquiry, stamp: a_while_ago() })
    }
    const { inquiries } = await boss.api.inquiries.list({ limit: 200 })
    assert.equal(inquiries.length, 25)
    assert.equal((await notified()).length, 20)
  })
})

describe('a stamp', () => {
  test('says when a form was opened: neither at once nor last month', () => {
    const secret = Buffer.from('secret')
    const now = Date.now()
    const after_ms = (ms: number) => tookTheirTime(secret, stampAt(secret, now - ms), now)
    assert.deepEqual([0, 2_999, 3_000, 3_600_000, 6 * 86_400_000, 31 * 86_400_000].map(after_ms), [
      false,
      false,
      true,
      true,
      true,
      false,
    ])
    assert.equal(tookTheirTime(secret, `${stampAt(secret, now - 60_000)}x`, now), false)
    assert.equal(tookTheirTime(secret, 'nonsense', now), false)
  })
})

describe('the provider', () => {
  test('answers, opens again and deletes; the list follows', async () => {
    const inquiry = message({ company: 'Answered Ltd' })
    await scene.visitor.inquiries.send({ ...inquiry, stamp: a_while_ago() })
    const { inquiries } = await boss.api.inquiries.list({})
    const { id } = inquiries.find(({ company }) => company === 'Answered Ltd')!
    const done = await boss.api.inquiries.answer({ id, answered: true })
    assert.ok(done.answered_at)
    assert.equal(done.answered_by_name, 'provider1')
    const in_list = async (state: 'open' | 'answered') =>
      (await boss.api.inquiries.list({ state, limit: 200 })).inquiries.some((one) => one.id === id)
    assert.deepEqual([await in_list('open'), await in_list('answered')], [false, true])
    await boss.api.inquiries.answer({ id, answered: false })
    assert.deepEqual([await in_list('open'), await in_list('answered')], [true, false])
    await boss.api.inquiries.remove({ id })
    await refuses('not_found', boss.api.inquiries.find({ id }))
    await refuses('not_found', boss.api.inquiries.remove({ id }))
    await refuses('not_found', boss.api.inquiries.answer({ id, answered: true }))
    const audited = await scene.sql`
      select before from audit_log where table_name = 'inquiries' and act = 'delete' and row_id = ${id}`
    assert.equal(audited.length, 1)
    assert.ok(!JSON.stringify(audited).includes(inquiry.email))
  })

  test('reads them a page at a time, newest first', async () => {
    const first = await boss.api.inquiries.list({ limit: 3 })
    assert.equal(first.inquiries.length, 3)
    const second = await boss.api.inquiries.list({ limit: 3, after: first.next! })
    const at = [...first.inquiries, ...second.inquiries].map(({ received_at }) => received_at)
    assert.deepEqual(at, [...at].toSorted().toReversed())
    assert.equal(new Set([...first.inquiries, ...second.inquiries].map(({ id }) => id)).size, 6)
  })
})

describe('what the site says of itself', () => {
  test('the operator as set, and no demo where none was made', async () => {
    const { operator, demo } = await scene.visitor.site.about({})
    assert.deepEqual(operator, { name: null, address: null, email: null, country: null })
    assert.equal(demo, null)
  })
})
