// Promises of the Users page: everybody of every company, and somebody who runs the platform, always.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { todayOf } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import { lost, password, refuses, type Company, type Person } from '../../test/world/people.ts'
import { confirmRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ worker: true })
let boss: Person
let acme: Company
before(async () => {
  boss = await scene.superAdmin()
  acme = await scene.company()
})

const someone = (email: string, more: object) => ({ full_name: 'Some One', email, ...more })

describe('adding somebody', () => {
  test('of any role sends an invitation; a company where one is needed', async () => {
    const { add } = boss.api.users
    const colleague = await add(
      someone('colleague@provider.test', { role: 'super_admin' }) as never,
    )
    assert.deepEqual([colleague.role, colleague.status], ['super_admin', 'pending'])
    await refuses(
      'company_needed',
      add(someone('hr@acme.test', { role: 'company_admin' }) as never),
    )
    const hr = await add(
      someone('hr@acme.test', { role: 'company_admin', company_id: acme.id }) as never,
    )
    assert.equal(hr.company_name, 'Acme')
    await refuses('email_taken', add(someone('hr@acme.test', { role: 'super_admin' }) as never))
    await refuses('mailed_just_now', boss.api.users.resend({ id: hr.id }))
  })

  test('who follows the invitation becomes what they were invited as', async () => {
    const { id } = await boss.api.users.add(
      someone('next@provider.test', { role: 'super_admin' }) as never,
    )
    await scene.sql`update auth.users set email_confirmed_at = now() where id = ${id}`
    assert.equal((await boss.api.users.find({ id })).status, 'active')
  })
})

describe('the list', () => {
  test('nobody erased is among the suspended, admins and super admins included', async () => {
    const boss = await scene.superAdmin()
    const { admin } = await scene.company()
    const gone = [await scene.superAdmin(), admin]
    const counts = async () => {
      const { suspended, total } = await boss.api.users.summary({})
      const listed = await boss.api.users.list({ status: 'suspended', limit: 200 })
      const all = await boss.api.users.list({})
      return [suspended, total, listed.total, listed.users.length, all.total]
    }
    const before = await counts()
    for (const { id } of gone) await scene.sql`select private.erase_person(${id}, null)`
    assert.deepEqual(await counts(), before)
    const admins = await boss.api.users.list({ role: 'super_admin', limit: 200 })
    assert.equal(admins.total, (await boss.api.users.summary({})).super_admins)
  })

  test('the active ones whose company is suspended are told apart, since they cannot sign in', async () => {
    const shut = await scene.company({ name: 'Shut' })
    await shut.hire('Cora')
    const before_it = await boss.api.users.summary({})
    await boss.api.companies.suspend({ id: shut.id })
    const after_it = await boss.api.users.summary({})
    assert.equal(after_it.active, before_it.active)
    assert.equal(after_it.shut_out, before_it.shut_out + 2)
  })

  test('filters by role, status and company, searches, pages, and its sums are true', async () => {
    await acme.hire('Ana Horvat')
    await acme.hire('Bruno')
    await scene.signUp('asks@provider.test', 'super_admin')
    const { list, summary } = boss.api.users
    const sums = await summary({})
    const all = await list({ limit: 200 })
    assert.equal(all.total, all.users.length)
    assert.equal(sums.total, all.users.length)
    const counted = (test_of: (user: (typeof all.users)[number]) => boolean) =>
      all.users.filter(test_of).length
    assert.equal(
      sums.pending,
      counted(({ status }) => status === 'pending'),
    )
    assert.equal(
      (await list({ role: 'super_admin' })).total,
      counted((u) => u.role === 'super_admin' && !u.erased_at),
    )
    assert.equal((await list({ status: 'pending' })).total, sums.pending)
    assert.equal(
      (await list({ company: acme.id })).total,
      counted((u) => u.company_id === acme.id),
    )
    assert.equal((await list({ search: 'ana hor' })).users[0]?.full_name, 'Ana Horvat')
    const emails: string[] = []
    for (const sort of ['name', '-joined'] as const) {
      let next: string | null = ''
      while (next !== null) {
        const page: Awaited<ReturnType<typeof list>> = await list({
          sort,
          limit: 2,
          ...(next ? { after: next } : {}),
        })
        emails.push(...page.users.map(({ id }) => id))
        next = page.next
      }
    }
    assert.equal(emails.length, 2 * all.users.length)
    assert.equal(new Set(emails).size, all.users.length)
  })

  test('is for super admins alone', async () => {
    await refuses('forbidden', acme.admin.api.users.list({}))
    await refuses('not_signed_in', scene.visitor.users.list({}))
  })
})

describe('approval', () => {
  test('makes who asked a super admin, or a person of the company', async () => {
    const asks = await scene.signUp('wants@provider.test', 'super_admin')
    await boss.api.users.approve({ id: asks.id })
    assert.equal((await asks.api.users.summary({})).super_admins > 0, true)
    await refuses('not_requested', boss.api.users.approve({ id: asks.id }))
    const second = await scene.signUp(`second@${acme.domain}`, 'company_admin')
    await boss.api.users.approve({ id: second.id })
    assert.equal((await second.api.users.me({})).company?.id, acme.id)
  })

  test('waits for a confirmed address, and a declined one becomes nothing', async () => {
    const asks = await scene.signUp('declined@provider.test', 'super_admin')
    await scene.sql`update profiles set confirmed_at = null where id = ${asks.id}`
    await refuses('email_not_confirmed', boss.api.users.approve({ id: asks.id }))
    const declined = await boss.api.users.decline({ id: asks.id })
    assert.deepEqual([declined.role, declined.status], ['employee', 'pending'])
  })

  test('who was declined by mistake asks again by a change of role, and is decided on', async () => {
    const asks = await scene.signUp('mistaken@provider.test', 'super_admin')
    const { users } = boss.api
    await users.decline({ id: asks.id })
    const [notice] = await scene.sql<[{ facts: object }]>`
      select facts from notifications where person_id = ${asks.id}`
    assert.deepEqual(notice.facts, { role: 'super_admin' })
    await users.change_role({ id: asks.id, role: 'super_admin' })
    const found = await users.find({ id: asks.id })
    assert.deepEqual([found.account_state, found.refusals.approve], ['requested', null])
    await users.approve({ id: asks.id })
    assert.equal((await asks.api.users.me({})).role, 'super_admin')
  })
})

describe('the last active super admin', () => {
  test('stays, even when all try to remove each other at the same moment', async () => {
    const others = await Promise.all([scene.superAdmin(), scene.superAdmin(), scene.superAdmin()])
    const all = [boss, ...others]
    const acts = all.flatMap((actor) =>
      all
        .filter((person) => person !== actor)
        .flatMap(({ id }) => [
          actor.api.users.suspend({ id }),
          actor.api.users.change_role({ id, role: 'employee', company_id: acme.id }),
        ]),
    )
    const too_late = ['forbidden', 'last_super_admin', 'not_active', 'not_signed_in']
    const refused = lost(await Promise.allSettled(acts))
    assert.deepEqual(
      refused.filter((code) => !too_late.includes(code)),
      [],
    )
    const left = await scene.sql`
      select email from profiles where role = 'super_admin' and status = 'active'`
    assert.ok(left.length >= 1)
    // Whichever of the two is left, a new super admin goes on: an employee with a fund can't become one again.
    boss = await scene.superAdmin()
    await scene.sql`update profiles set status = 'suspended'
      where role = 'super_admin' and status = 'active' and id <> ${boss.id}`
    const last = scene.sql`update profiles set status = 'suspended' where id = ${boss.id}`
    await assert.rejects(last, { message: 'last_super_admin' })
    await assert.rejects(scene.sql`delete from auth.users where id = ${boss.id}`, {
      message: 'last_super_admin',
    })
  })

  test('nobody suspends, demotes or resets themselves', async () => {
    const { id } = boss
    await refuses('yourself', boss.api.users.suspend({ id }))
    await refuses(
      'yourself',
      boss.api.users.change_role({ id, role: 'employee', company_id: acme.id }),
    )
    await refuses('yourself', boss.api.users.reset_two_step({ id }))
  })
})

describe('acting on somebody', () => {
  test('suspends, re-activates, changes the role, resets two-step', async () => {
    const ana = await acme.hire('Iva')
    await boss.api.users.suspend({ id: ana.id })
    await refuses('not_signed_in', ana.api.users.me({}))
    await boss.api.users.reactivate({ id: ana.id })
    const again = await scene.signIn(ana.email)
    await scene.sql`insert into auth.factors (user_id, factor_type, status)
      values (${ana.id}, 'totp', 'verified')`
    assert.equal((await boss.api.users.find({ id: ana.id })).two_step, true)
    assert.equal((await again.api.users.me({})).waiting_for, 'two_step')
    await boss.api.users.reset_two_step({ id: ana.id })
    assert.equal((await boss.api.users.find({ id: ana.id })).two_step, false)
    const fresh = await scene.signIn(ana.email)
    await boss.api.users.change_role({ id: ana.id, role: 'company_admin', company_id: acme.id })
    await confirmRights(scene, acme.admin, ana)
    assert.equal((await fresh.api.users.me({})).role, 'company_admin')
    assert.ok(await fresh.api.employees.list({}))
    await refuses('account_in_use', boss.api.users.remove({ id: ana.id }))
    assert.ok(password)
  })

  test('what the provider suspended neither HR nor a key of its company re-activates', async () => {
    const { id, email } = await acme.hire('Tim')
    const hr = acme.admin.api.employees
    const key = await keyOf(scene, acme.admin, ['people:write'])
    await boss.api.users.suspend({ id })
    assert.equal((await hr.find({ id })).refusals.reactivate, 'suspended_by_provider')
    await refuses('suspended_by_provider', hr.reactivate({ id }))
    await refuses('suspended_by_provider', key.api.employees.reactivate({ id }))
    await boss.api.users.reactivate({ id })
    assert.equal((await scene.signIn(email)).id, id)
    await hr.suspend({ id })
    await hr.reactivate({ id })
    await hr.suspend({ id })
    await boss.api.users.suspend({ id })
    await refuses('not_active', boss.api.users.suspend({ id }))
    await refuses('suspended_by_provider', hr.reactivate({ id }))
    await boss.api.users.reactivate({ id })
  })

  test('tells by whom they were suspended; whom a company suspended it leaves to the provider with them', async () => {
    const { admin, hire } = await scene.company({ name: 'Left' })
    const { id } = await hire('Rob')
    const hr = admin.api.employees
    const by = async () => (await boss.api.users.find({ id })).suspended_by
    assert.equal(await by(), null)
    await hr.suspend({ id })
    assert.equal(await by(), 'company')
    await boss.api.users.suspend({ id })
    assert.equal(await by(), 'provider')
    await boss.api.users.reactivate({ id })
    assert.equal(await by(), null)
    await hr.suspend({ id })
    await scene.sql`delete from grants where person_id = ${id}`
    await scene.sql`delete from accounts where person_id = ${id}`
    await boss.api.users.change_role({ id, role: 'super_admin' })
    assert.equal(await by(), 'provider')
  })

  test('is told of where nobody else owns the company', async () => {
    const { admin, hire, id: company_id } = await scene.company({ name: 'Lone' })
    const bea = await hire('Bea')
    const alone = async ({ id }: { id: string }) => (await boss.api.users.find({ id })).runs_alone
    assert.deepEqual(
      [await alone(admin), await alone(bea), await alone(boss)],
      [true, false, false],
    )
    await boss.api.users.change_role({ id: bea.id, role: 'company_admin', company_id })
    assert.equal(await alone(admin), true)
    await confirmRights(scene, admin, bea)
    assert.equal(await alone(admin), false)
    // an owner with a last day is no permanent one
    await scene.sql`update company_rights set ends_at = now() + interval '3 days'
      where person_id = ${bea.id} and kind = 'owner'`
    assert.equal(await alone(admin), true)
  })

  test('an employee without a fund joins another company on the day they move', async () => {
    const early = await scene.company({ name: 'Early' })
    const other = await scene.company({ name: 'Later' })
    const bo = await early.hire('Bo')
    await scene.sql`update profiles set joined_on = joined_on - 100, left_on = joined_on - 50
      where id = ${bo.id}`
    await scene.sql`delete from grants where person_id = ${bo.id}`
    await scene.sql`delete from accounts where person_id = ${bo.id}`
    await boss.api.users.change_role({ id: bo.id, role: 'employee', company_id: other.id })
    const found = await other.admin.api.employees.find({ id: bo.id })
    const today = await todayOf(scene, other)
    assert.deepEqual([found.joined_on, found.left_on], [today, null])
  })

  test('an employee with a fund does not move to another company', async () => {
    const bo = await acme.hire('Bo')
    const other = await scene.company({ name: 'Other' })
    const move = boss.api.users.change_role({ id: bo.id, role: 'employee', company_id: other.id })
    await refuses('has_a_fund', move)
  })
})
