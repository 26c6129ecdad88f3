import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

describe('settings', () => {
  const scene = openedScene()
  let acme: Company
  let ana: Person
  before(async () => {
    acme = await scene.company()
    ana = await acme.hire('Ana')
  })

  const fieldsOf = async (act: Promise<unknown>) => {
    const error = await act.then(
      () => assert.fail('it was not refused'),
      (refusal: { code: string; fields: Record<string, string[]> }) => refusal,
    )
    assert.equal(error.code, 'invalid_input')
    return error.fields
  }

  describe('the profile', () => {
    test('is one’s own to change, in the limits of the specification', async () => {
      const { api } = ana
      const { version, email } = await api.settings.profile({})
      assert.equal(email, ana.email)
      const mine = { full_name: 'Ana Horvat', phone: '+385 91 234 567', department: 'Research' }
      const changed = await api.settings.change_profile({ version, ...mine })
      const same = { version: 0, refusals: { department: null } }
      assert.deepEqual({ ...changed, version: 0 }, { ...mine, email, ...same })
      const again = { version: changed.version }
      const refused = (more: object) =>
        fieldsOf(api.settings.change_profile({ ...again, full_name: 'Ana Horvat', ...more }))
      assert.deepEqual(await refused({ full_name: 'A' }), {
        full_name: ['Name must be at least 2 characters'],
      })
      assert.deepEqual(await refused({ full_name: 'A'.repeat(101) }), {
        full_name: ['Name must be at most 100 characters'],
      })
      assert.deepEqual(await refused({ phone: '12345' }), {
        phone: ['Phone must be at least 10 characters'],
      })
      assert.deepEqual(await refused({ phone: 'ask at the desk' }), {
        phone: ['Enter a phone number'],
      })
      assert.deepEqual(await refused({ phone: '1'.repeat(21) }), {
        phone: ['Phone must be at most 20 characters'],
      })
      assert.deepEqual(await refused({ department: 'R' }), { department: ['Department required'] })
      const emptied = await api.settings.change_profile({ ...again, full_name: 'Ana Horvat' })
      assert.deepEqual([emptied.phone, emptied.department], [null, null])
    })

    test('email, role and company stay, whatever is sent with it', async () => {
      const { version } = await ana.api.settings.profile({})
      const more = { email: 'other@else.test', role: 'super_admin', company_id: null }
      const change = { version, full_name: 'Ana Horvat', ...more }
      const changed = await ana.api.settings.change_profile(change)
      assert.equal(changed.email, ana.email)
      assert.equal((await ana.api.users.me({})).role, 'employee')
    })

    test('nobody overwrites what HR changed meanwhile', async () => {
      const { version } = await ana.api.settings.profile({})
      const hr = { id: ana.id, version, full_name: 'Ana Horvat-Lind', department: 'Sales' }
      await acme.admin.api.employees.edit(hr)
      const mine = { version, full_name: 'Ana H.' }
      await refuses('changed_meanwhile', ana.api.settings.change_profile(mine))
      assert.equal((await ana.api.settings.profile({})).full_name, 'Ana Horvat-Lind')
    })
  })

  describe('the switches', () => {
    test('stand as the specification says until somebody presses one', async () => {
      const as_chosen = {
        email_notifications: true,
        claim_updates: true,
        fund_alerts: true,
        health_tips: false,
      }
      for (const person of [ana, acme.admin, await scene.superAdmin()]) {
        assert.deepEqual(await person.api.settings.switches({}), as_chosen)
      }
    })

    test('pressed at the same moment all count', async () => {
      const ben = await acme.hire('Ben')
      await Promise.all([
        ben.api.settings.change_switches({ claim_updates: false }),
        ben.api.settings.change_switches({ fund_alerts: false }),
        ben.api.settings.change_switches({ health_tips: true }),
      ])
      assert.deepEqual(await ben.api.settings.switches({}), {
        email_notifications: true,
        claim_updates: false,
        fund_alerts: false,
        health_tips: true,
      })
      assert.equal((await ana.api.settings.switches({})).claim_updates, true)
    })
  })

  describe('the company', () => {
    test('shows its admin name, domain, what is allocated and how many work there', async () => {
      const shown = await acme.admin.api.settings.company({})
      assert.equal(shown.domain, acme.domain)
      assert.equal(shown.name, 'Acme')
      const { total } = await acme.admin.api.employees.summary({})
      assert.equal(shown.employees, total)
      assert.equal(shown.allocated_cents, 0)
      assert.equal(shown.admins_two_step, 'optional')
      await refuses('forbidden', ana.api.settings.company({}))
    })

    test('shows what is allocated in the year that all screens show: to come, while no year has begun', async () => {
      const later = await scene.company({ name: 'Later' })
      const { funds, settings } = later.admin.api
      const provider = await scene.superAdmin()
      const plan = await funds.plan({})
      const { plan_year } = await funds.change_plan({
        ...plan,
        starts_on: daysAfter(plan.ends_on, 1),
      })
      await provider.api.funds.contribute({
        company_id: later.id,
        amount_cents: 60_000,
        occurred_on: await todayOf(scene, later),
        reference: 'INV-1',
      })
      const allocated = {
        prevention_cents: 10_000,
        treatment_cents: 20_000,
        solidarity_cents: 5000,
      }
      await funds.allocate({ plan_year, ...allocated })
      assert.equal((await settings.company({})).allocated_cents, 35_000)
    })

    test('that demands two-step of its admins leads them to it from their next request on', async () => {
      const other = await scene.company({ name: 'Careful' })
      const worker = await other.hire('Wim')
      const { api } = other.admin
      await api.settings.change_company({ admins_two_step: 'required' })
      await refuses('two_step_needed', api.employees.summary({}))
      assert.equal((await api.users.me({})).waiting_for, 'two_step')
      assert.equal((await worker.api.users.me({})).waiting_for, null)
      assert.equal((await acme.admin.api.users.me({})).waiting_for, null)
    })
  })

  describe('sessions', () => {
    test('are listed with this one marked, ended one by one, and gone at once', async () => {
      const eva = await acme.hire('Eva')
      const elsewhere = await scene.signIn(eva.email)
      const sessions = await eva.api.settings.sessions({})
      assert.equal(sessions.length, 2)
      assert.deepEqual(
        sessions.map(({ here }) => here),
        [true, false],
      )
      const other = sessions.find(({ here }) => !here)!
      assert.deepEqual(await eva.api.settings.end_session({ id: other.id }), { ended: 1 })
      await refuses('not_signed_in', elsewhere.api.users.me({}))
      await refuses('not_found', eva.api.settings.end_session({ id: other.id }))
      assert.equal((await eva.api.users.me({})).id, eva.id)
    })

    test('of others are nobody’s to end, and all but this one end together', async () => {
      const eve = await acme.hire('Eve')
      const [first, second] = [await scene.signIn(eve.email), await scene.signIn(eve.email)]
      const [mine] = await ana.api.settings.sessions({})
      await refuses('not_found', eve.api.settings.end_session({ id: mine!.id }))
      assert.deepEqual(await first.api.settings.end_other_sessions({}), { ended: 2 })
      await refuses('not_signed_in', second.api.users.me({}))
      await refuses('not_signed_in', eve.api.users.me({}))
      assert.equal((await first.api.settings.sessions({})).length, 1)
      assert.equal((await ana.api.users.me({})).id, ana.id)
    })
  })
})
