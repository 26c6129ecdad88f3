// Promises of the Companies page, and of a company's domain.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actsOf } from '#audit/story.ts'
import { aKey, refuses } from '../../test/world/people.ts'
import { confirmRights, withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'

const scene = openedScene({ worker: true })
const boss = opened(() => scene.superAdmin())

const harbour = (more: object = {}) => ({
  name: 'Harbour',
  domain: 'harbour.test',
  currency: 'EUR',
  time_zone: 'Europe/Zagreb',
  admin_email: 'hr@harbour.test',
  ...more,
})

describe('adding a company', () => {
  test('makes it active and invites its first admin, once, however often it is sent', async () => {
    const idempotency_key = aKey()
    const send = () => boss.api.companies.add(harbour(), { idempotency_key })
    const [one, two] = [await send(), await send()]
    assert.equal(one.id, two.id)
    assert.deepEqual([one.status, one.admins, one.employees], ['active', 1, 0])
    const admins = await boss.api.rights.of_company({ id: one.id })
    assert.deepEqual(
      admins.map(({ email, status }) => [email, status]),
      [['hr@harbour.test', 'pending']],
    )
    const mail = await until(async () =>
      (await scene.mailbox()).find(({ to }) => to === 'hr@harbour.test'),
    )
    assert.match(mail.text, /Accept the invitation/)
  })

  test('takes its domain from the address of its pages, and asks for an admin’s', async () => {
    const domain = 'https://www.Pasted.example:443/about?us#top'
    const pasted = await boss.api.companies.add(
      harbour({ domain, admin_email: 'hr@pasted.example' }),
    )
    assert.equal(pasted.domain, 'pasted.example')
    await assert.rejects(boss.api.companies.add(harbour({ admin_email: '' })), {
      fields: { admin_email: ['Please fill in this field'] },
    })
  })

  test('refuses a known domain, a free-mail one, an admin with an account, and does nothing by halves', async () => {
    const total = async () => (await boss.api.companies.summary({})).total
    const before_it = await total()
    await refuses(
      'domain_taken',
      boss.api.companies.add(harbour({ admin_email: 'x@harbour.test' })),
    )
    await refuses(
      'free_mail_domain',
      boss.api.companies.add(harbour({ domain: 'gmail.com', admin_email: 'y@y.test' })),
    )
    await refuses('email_taken', boss.api.companies.add(harbour({ domain: 'new.test' })))
    await refuses('invalid_input', boss.api.companies.add(harbour({ currency: 'XXY' })))
    await refuses('invalid_input', boss.api.companies.add(harbour({ time_zone: 'Mars/Base' })))
    await refuses('invalid_input', boss.api.companies.add(harbour({ domain: 'no spaces' })))
    assert.equal(await total(), before_it)
  })
})

describe('an opening contribution', () => {
  test('comes with the company, or neither comes', async () => {
    const made = await boss.api.companies.add(
      harbour({
        domain: 'opened.test',
        admin_email: 'hr@opened.test',
        currency: 'JPY',
        contribution_cents: 30_000_000,
      }),
    )
    const fund = await boss.api.funds.of_company({ company_id: made.id })
    assert.deepEqual(
      [fund.currency, fund.total_cents, fund.unallocated_cents, fund.used_cents, fund.percent],
      ['JPY', 30_000_000, 30_000_000, 0, 0],
    )
    const { contributions } = await boss.api.funds.contributions({ company_id: made.id })
    assert.deepEqual(
      contributions.map(({ reference, amount_cents }) => [reference, amount_cents]),
      [['Opening contribution', 30_000_000]],
    )
    const { total } = await boss.api.companies.summary({})
    const held = async () =>
      (await boss.api.funds.managed({})).find(({ currency }) => currency === 'JPY')
    const held_before = await held()
    const refused = (more: object) =>
      boss.api.companies.add(
        harbour({ domain: 'other.test', admin_email: 'hr@other.test', currency: 'JPY', ...more }),
      )
    await refuses('invalid_input', refused({ contribution_cents: 0 }))
    await refuses('invalid_input', refused({ contribution_cents: -1 }))
    await refuses('invalid_input', refused({ contribution_cents: 0.5 }))
    await refuses('invalid_input', refused({ contribution_cents: 2 ** 53 }))
    const taken = { contribution_cents: 100, admin_email: 'hr@opened.test' }
    await refuses('email_taken', refused(taken))
    assert.equal((await boss.api.companies.summary({})).total, total)
    assert.deepEqual(await held(), held_before)
  })
})

describe('the list', () => {
  test('search, filter, sort, pages and sums are the server’s, and true', async () => {
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta']) {
      await boss.api.companies.add(
        harbour({ name: `List ${name}`, domain: undefined, admin_email: `hr@${name}.test` }),
      )
    }
    const first = await boss.api.companies.list({ search: 'list', sort: 'name', limit: 3 })
    assert.deepEqual(
      first.companies.map(({ name }) => name),
      ['List Alpha', 'List Beta', 'List Delta'],
    )
    assert.equal(first.total, 4)
    const after_it = first.next ?? ''
    const second = await boss.api.companies.list({
      search: 'list',
      sort: 'name',
      limit: 3,
      after: after_it,
    })
    assert.deepEqual(
      [second.companies.map(({ name }) => name), second.next],
      [['List Gamma'], null],
    )
    const by_size = await boss.api.companies.list({ sort: '-employees', limit: 1 })
    const next = await boss.api.companies.list({
      sort: '-employees',
      limit: 1,
      after: by_size.next ?? '',
    })
    assert.notEqual(by_size.companies[0]?.id, next.companies[0]?.id)
    const by_age = await boss.api.companies.list({ sort: '-joined', limit: 200 })
    assert.equal(by_age.companies.length, by_age.total)
    const summary = await boss.api.companies.summary({})
    assert.equal(summary.total, by_age.total)
    assert.equal(summary.total, summary.active + summary.pending + summary.suspended)
    await boss.api.companies.add(
      harbour({ name: 'Éclair Łódź', domain: undefined, admin_email: 'hr@eclair.test' }),
    )
    const plain = await boss.api.companies.list({ search: 'eclair lodz' })
    assert.deepEqual(
      plain.companies.map(({ name }) => name),
      ['Éclair Łódź'],
    )
    assert.equal((await boss.api.companies.names({ search: 'ÉCLÂIR' })).length, 1)
    const names = await boss.api.companies.names({ search: 'gam' })
    assert.equal(names.length, 1)
  })

  test('is for super admins alone', async () => {
    const acme = await scene.company()
    await refuses('forbidden', acme.admin.api.companies.list({}))
    await refuses('forbidden', (await acme.hire()).api.companies.list({}))
    await refuses('not_signed_in', scene.visitor.companies.list({}))
  })
})

describe('a company', () => {
  test('suspended, all its people are out at once; activated, they may come again', async () => {
    const acme = await scene.company({ name: 'Shutdown' })
    const ana = await acme.hire('Ana')
    await ana.api.users.me({})
    await boss.api.companies.suspend({ id: acme.id })
    await refuses('not_signed_in', ana.api.users.me({}))
    await refuses('not_signed_in', acme.admin.api.employees.list({}))
    await assert.rejects(scene.signIn(ana.email), /user_banned/)
    await refuses('company_suspended', boss.api.companies.suspend({ id: acme.id }))
    await boss.api.companies.activate({ id: acme.id })
    await refuses('company_active', boss.api.companies.activate({ id: acme.id }))
    await scene.signIn(ana.email)
  })

  test('its owners are told of their first day, and of their return', async () => {
    const acme = await scene.company({ name: 'Returning', status: 'pending' })
    const was = async () => {
      const { api } = await scene.signIn(acme.admin.email)
      const [notice] = (await api.notifications.list({})).notifications
      return notice?.facts['was']
    }
    await boss.api.companies.activate({ id: acme.id })
    assert.equal(await was(), 'pending')
    await boss.api.companies.suspend({ id: acme.id })
    await boss.api.companies.activate({ id: acme.id })
    assert.equal(await was(), 'suspended')
  })

  test('of two who change it the second is told', async () => {
    const acme = await scene.company({ name: 'Edited' })
    const { id, version, time_zone, domain } = await boss.api.companies.find({ id: acme.id })
    const change = { id, version, time_zone, domain }
    await boss.api.companies.change({ ...change, name: 'Edited once' })
    await refuses(
      'changed_meanwhile',
      boss.api.companies.change({ ...change, name: 'Edited twice' }),
    )
  })

  test('its founding is told by the founder’s name, to the provider and to itself', async () => {
    const { id, admin } = await scene.company({ name: 'Zephyr' })
    const { entries } = await boss.api.companies.activity({ id })
    const founding = entries.find(({ act }) => act === 'insert')
    assert.equal(founding?.actor_name, 'admin')
    for (const { audit } of [boss.api, admin.api]) {
      const { entries } = await audit.list({ table: 'companies', act: 'insert', limit: 1 })
      assert.equal(actsOf(entries)[0]?.text, 'admin founded company Zephyr')
    }
  })
})

describe('a domain', () => {
  test('is a company’s only when an admin’s confirmed address proves it', async () => {
    const acme = await scene.company({ name: 'Proof' })
    const { id, version, name, time_zone } = await boss.api.companies.find({ id: acme.id })
    const other = { id, version, name, time_zone, domain: 'unproven.test' }
    const changed = await boss.api.companies.change(other)
    assert.deepEqual([changed.domain_proven_at, changed.domain_auto_register], [null, false])
    const toggle = acme.admin.api.companies.set_auto_registration({ enabled: true })
    await refuses('domain_not_proven', toggle)
    await boss.api.companies.change({ ...other, version: changed.version, domain: acme.domain })
    const on = await acme.admin.api.companies.set_auto_registration({ enabled: true })
    assert.deepEqual([on.is_proven, on.domain_auto_register], [true, true])
    const off = await acme.admin.api.companies.set_auto_registration({ enabled: false })
    assert.equal(off.domain_auto_register, false)
  })

  test('is proven by the address of an employee, and not before a right of theirs counts', async () => {
    const acme = await scene.company({ name: 'Rights' })
    const second = await withRights(scene, acme, 'owner')
    const ana = await scene.signUp('ana@rights-group.test', 'employee')
    await scene.sql`update profiles set company_id = ${acme.id}, status = 'active' where id = ${ana.id}`
    const { version, name, time_zone } = await boss.api.companies.find({ id: acme.id })
    const group = { id: acme.id, version, name, time_zone, domain: 'rights-group.test' }
    await boss.api.companies.change(group)
    const { api } = acme.admin
    const toggle = () => api.companies.set_auto_registration({ enabled: true })
    await refuses('domain_not_proven', toggle())
    await scene.confirm(acme.admin)
    await api.rights.give({ person_id: ana.id, kind: 'owner' })
    await refuses('domain_not_proven', toggle())
    await confirmRights(scene, second, ana)
    assert.equal((await api.companies.domain({})).is_proven, true)
  })

  test('that a company never had is the address of the employee who takes it in as its owner', async () => {
    const gina = await scene.signUp('gina@gmail.com', 'company_admin', { company_name: 'Gina’s' })
    const { company } = await gina.api.users.me({})
    const { id } = company!
    const ana = await scene.signUp('ana@ginas.test', 'employee')
    await scene.sql`update companies set status = 'active' where id = ${id}`
    await scene.sql`update profiles set company_id = ${id}, status = 'active' where id = ${ana.id}`
    await scene.confirm(gina)
    await gina.api.rights.give({ person_id: ana.id, kind: 'owner' })
    const on = await ana.api.companies.set_auto_registration({ enabled: true })
    assert.deepEqual([on.domain, on.is_proven], ['ginas.test', true])
  })

  test('is never one that anybody can have an address at', async () => {
    const founder = await scene.signUp('kitchen@gmail.com', 'company_admin', {
      company_name: 'Kitchen',
    })
    const toggle = founder.api.companies.set_auto_registration({ enabled: true })
    await refuses('free_mail_domain', toggle)
    await refuses('forbidden', boss.api.companies.set_auto_registration({ enabled: true }))
  })
})
