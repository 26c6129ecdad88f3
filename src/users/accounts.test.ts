// The outcome of each sign-up: the role asked for is a request, never a grant.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { actsOf } from '#audit/story.ts'
import { lost, password, refuses, type Person } from '../../test/world/people.ts'
import { openScene, openedScene } from '../../test/world/scene.ts'

describe('signing up', () => {
  const scene = openedScene()

  test('an employee of a company that takes in its domain is active at once', async () => {
    const acme = await scene.company()
    const me = await (await acme.hire('Ana')).api.users.me({})
    assert.equal(me.status, 'active')
    assert.equal(me.role, 'employee')
    assert.equal(me.company?.id, acme.id)
    assert.equal(me.waiting_for, null)
  })

  test('a second address of somebody who is there already is for HR to let in', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    const [name] = ana.email.split('@')
    const again = await scene.signUp(`${name}+2@${acme.domain}`, 'employee')
    const waits = async () => (await again.api.users.me({})).waiting_for
    assert.equal(await waits(), 'company_approval')
    const { companies, employees } = acme.admin.api
    await companies.set_auto_registration({ enabled: false })
    await companies.set_auto_registration({ enabled: true })
    assert.equal(await waits(), 'company_approval')
    await employees.approve({ id: again.id })
    assert.equal(await waits(), null)
    const first = await scene.signUp(`ben+health@${acme.domain}`, 'employee')
    assert.equal((await first.api.users.me({})).waiting_for, null)
    const other = await scene.signUp(`ben@${acme.domain}`, 'employee')
    assert.equal((await other.api.users.me({})).waiting_for, 'company_approval')
  })

  test('where the domain is not taken in, HR decides', async () => {
    const acme = await scene.company()
    await scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
    const me = await (await acme.hire('Ben')).api.users.me({})
    assert.deepEqual([me.status, me.waiting_for], ['pending', 'company_approval'])
  })

  test('an employee of an unknown company has an account and is told whom to ask', async () => {
    const lost = await scene.signUp('someone@nowhere.test', 'employee')
    const me = await lost.api.users.me({})
    assert.deepEqual([me.status, me.waiting_for, me.company], ['pending', 'unknown_company', null])
  })

  test('a first admin gets a company of their own, pending, and can begin', async () => {
    const founder = await scene.signUp('hr@brightsea.test', 'company_admin', {
      company_name: 'Bright Sea',
    })
    const me = await founder.api.users.me({})
    assert.deepEqual([me.role, me.status], ['company_admin', 'active'])
    assert.deepEqual([me.company?.name, me.company?.status], ['Bright Sea', 'pending'])
  })

  test('of two first admins of one domain at the same moment one waits for the other', async () => {
    const company_name = 'Twins'
    const both = await Promise.all(
      ['ann', 'bo'].map((who) =>
        scene.signUp(`${who}@twins.test`, 'company_admin', { company_name }),
      ),
    )
    const statuses = await Promise.all(both.map(async (one) => (await one.api.users.me({})).status))
    assert.deepEqual(statuses.sort(), ['active', 'pending'])
    const companies = await scene.sql`select from companies where domain = 'twins.test'`
    assert.equal(companies.length, 1)
  })

  test('a second admin of a known domain waits for that company', async () => {
    const acme = await scene.company()
    const second = await scene.signUp(`second@${acme.domain}`, 'company_admin', {
      company_name: 'Mine',
    })
    const me = await second.api.users.me({})
    assert.deepEqual([me.status, me.waiting_for], ['pending', 'company_approval'])
  })

  test('a free mail address founds a company without a domain', async () => {
    const founder = await scene.signUp('founder@gmail.com', 'company_admin', {
      company_name: 'Kitchen Table',
    })
    const me = await founder.api.users.me({})
    assert.equal(me.status, 'active')
    const [company] = await scene.sql`select domain from companies where id = ${me.company!.id}`
    assert.equal(company?.domain, null)
    const other = await scene.signUp('other@gmail.com', 'employee')
    assert.equal((await other.api.users.me({})).waiting_for, 'unknown_company')
  })

  test('whoever asks to be super admin waits for one, and so does an invented role', async () => {
    const profile = await (await scene.signUp('boss@nowhere.test', 'super_admin')).api.users.me({})
    assert.deepEqual([profile.status, profile.waiting_for], ['pending', 'super_admin_approval'])
    const invented = await (await scene.signUp('root@nowhere.test', 'root')).api.users.me({})
    assert.deepEqual([invented.role, invented.status], ['employee', 'pending'])
  })

  describe('whoever waits for approval asks for something else', () => {
    const waits = async ({ api }: Person) => {
      const me = await api.users.me({})
      return [me.role, me.status, me.waiting_for, me.company?.name, me.requested_company]
    }

    test('for their own company, having asked to be a super admin by mistake', async () => {
      const ines = await scene.signUp('ines@mistaken.test', 'super_admin')
      await ines.api.users.change_request({
        role: 'company_admin',
        company_name: 'Mistaken Bakeries',
      })
      const me = await ines.api.users.me({})
      assert.deepEqual(
        [me.role, me.status, me.company?.name, me.company?.status],
        ['company_admin', 'active', 'Mistaken Bakeries', 'pending'],
      )
      await refuses('not_requested', ines.api.users.change_request({ role: 'employee' }))
    })

    test('for a company without a domain, where their domain’s company is not theirs', async () => {
      const acme = await scene.company()
      const email = `baker@${acme.domain}`
      const names = { company_name: 'Brightwater Bakeries' }
      const baker = await scene.signUp(email, 'company_admin', names)
      const waiting = ['company_admin', 'pending', 'company_approval', 'Acme']
      assert.deepEqual(await waits(baker), [...waiting, 'Brightwater Bakeries'])
      const again = { role: 'company_admin', company_name: 'Bakers' } as const
      await baker.api.users.change_request(again)
      assert.deepEqual(await waits(baker), [...waiting, 'Bakers'], 'their domain is still Acme’s')
      await baker.api.users.change_request({ ...again, elsewhere: true })
      const { company } = await baker.api.users.me({})
      const [made] = await scene.sql`select name, domain from companies where id = ${company!.id}`
      assert.deepEqual({ ...made }, { name: 'Bakers', domain: null })
      const { people } = await acme.admin.api.employees.requests({})
      assert.deepEqual(people, [], 'Acme is not asked any more')
    })

    test('as an employee, and never into a company that is not theirs', async () => {
      const acme = await scene.company()
      const ana = await scene.signUp(`ana@${acme.domain}`, 'company_admin')
      await ana.api.users.change_request({ role: 'employee', elsewhere: true })
      assert.equal((await ana.api.users.me({})).waiting_for, 'unknown_company')
      const ben = await scene.signUp(`ben@${acme.domain}`, 'super_admin')
      await ben.api.users.change_request({ role: 'employee' })
      assert.equal((await ben.api.users.me({})).status, 'active', 'Acme takes in its domain')
      const cem = await scene.signUp(`cem@${acme.domain}`, 'company_admin')
      await cem.api.users.change_request({ role: 'super_admin' })
      assert.equal((await cem.api.users.me({})).waiting_for, 'super_admin_approval')
      await cem.api.users.change_request({ role: 'employee', elsewhere: true })
      assert.equal((await cem.api.users.me({})).waiting_for, 'unknown_company', 'unasked before')
    })

    test('and back, where they do belong to the company that they said is not theirs', async () => {
      const acme = await scene.company()
      const gil = await scene.signUp(`gil@${acme.domain}`, 'company_admin')
      const stands = async () => (await gil.api.users.me({})).company_of_address
      assert.deepEqual(await stands(), { name: 'Acme', passed_over: null })
      const employee = { role: 'employee', company_name: 'Fjord' } as const
      await gil.api.users.change_request({ ...employee, elsewhere: true })
      await gil.api.users.change_request({
        ...employee,
        company_name: 'Fjord Two',
        elsewhere: true,
      })
      assert.deepEqual(await stands(), { name: 'Acme', passed_over: 'elsewhere' })
      await gil.api.users.change_request({ role: 'company_admin' })
      assert.equal((await gil.api.users.me({})).waiting_for, 'company_approval')
      await acme.admin.api.employees.decline({ id: gil.id })
      assert.deepEqual(await stands(), { name: 'Acme', passed_over: 'declined' })
      await gil.api.users.change_request(employee)
      assert.deepEqual(await stands(), { name: 'Acme', passed_over: 'declined' }, 'not asked again')
      await gil.api.users.change_request({ ...employee, elsewhere: true })
      assert.deepEqual(
        await stands(),
        { name: 'Acme', passed_over: 'declined' },
        'nor in two steps',
      )
    })

    test('and the record says what they asked for, not that anybody was given it', async () => {
      const acme = await scene.company()
      await scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
      const ida = await scene.signUp(`ida@${acme.domain}`, 'employee', { full_name: 'Ida' })
      await ida.api.users.change_request({ role: 'company_admin' })
      await ida.api.users.change_request({ role: 'super_admin' })
      await ida.api.users.change_request({ role: 'employee' })
      const noticesOf = async () => {
        const { entries } = await acme.admin.api.audit.list({ table: 'profiles', limit: 50 })
        return actsOf(entries)
          .filter(({ lead }) => lead.row_id === ida.id)
          .map(({ text }) => text)
      }
      const named = [
        'Ida asked to join Acme',
        'Ida asked to be a Super Admin',
        'Ida asked to be a Company Admin of Acme',
        'Ida asked to join Acme',
      ]
      assert.deepEqual(await noticesOf(), named)
      await ida.api.users.change_request({ role: 'employee', elsewhere: true })
      assert.deepEqual(await noticesOf(), [
        'Somebody who asked to join said they don’t belong to Acme',
        'Somebody asked to join Acme',
        'Somebody asked to be a Super Admin',
        'Somebody asked to be a Company Admin of Acme',
        'Somebody asked to join Acme',
      ])
    })
  })

  test('an account of another audience is nobody here', async () => {
    const acme = await scene.company()
    const answer = await scene.services.app.request('/auth/v1/signup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-jwt-aud': 'elsewhere' },
      body: JSON.stringify({ email: `twin@${acme.domain}`, password, data: { role: 'employee' } }),
    })
    assert.equal(answer.status, 400)
    // One from before it was refused, or made by another service on the same accounts.
    const email = `twin@${acme.domain}`
    await scene.sql`insert into auth.users (aud, email, email_confirmed_at)
      values ('elsewhere', ${email}, now())`
    assert.equal((await scene.sql`select from profiles where email = ${email}`).length, 0)
  })

  test('suspending a person or a company ends their sessions at once', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    await scene.sql`update profiles set status = 'suspended' where id = ${ana.id}`
    await refuses('not_signed_in', ana.api.users.me({}))
    await assert.rejects(scene.signIn(ana.email), /user_banned/)
    await acme.admin.api.users.me({})
    await scene.sql`update companies set status = 'suspended' where id = ${acme.id}`
    await refuses('not_signed_in', acme.admin.api.users.me({}))
  })

  test('a role that changes counts from the next request on', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    await ana.api.users.me({})
    await scene.sql`update profiles set role = 'company_admin' where id = ${ana.id}`
    assert.equal((await ana.api.users.me({})).role, 'company_admin')
  })
})

describe('the first super admin', () => {
  test('is made once, by the printed link, however many try at the same moment', async () => {
    const scene = await openScene()
    try {
      const token = new URL((await scene.services.setupLink())!).searchParams.get('token')!
      const person = { full_name: 'Priya Raman', password }
      const open = async (link: string) =>
        (await scene.visitor.users.setup_open({ token: link })).open
      assert.deepEqual([await open(token), await open('x')], [true, false])
      await refuses(
        'invalid_input',
        scene.visitor.users.setup({
          ...person,
          token,
          email: 'weak@p.test',
          password: 'password1',
        }),
      )
      await refuses(
        'not_found',
        scene.visitor.users.setup({ ...person, token: 'x', email: 'x@p.test' }),
      )
      const presses = await Promise.allSettled(
        [1, 2, 3].map((n) =>
          scene.visitor.users.setup({ ...person, token, email: `p${n}@p.test` }),
        ),
      )
      assert.deepEqual(lost(presses), ['not_found', 'not_found'])
      const admins =
        await scene.sql`select from profiles where role = 'super_admin' and status = 'active'`
      assert.equal(admins.length, 1)
      assert.equal(await scene.services.setupLink(), undefined)
      assert.equal(await open(token), false, 'its page says so before anything is typed')
    } finally {
      await scene.close()
    }
  })
})
