// The provider makes admins, but runs no company: if the company has an owner, an owner confirms them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inWords } from '#notifications/words.contract.ts'
import { in_mails } from '#lib/writing.ts'
import { fundedCompany } from '../../test/world/company.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { confirmRights, ownRights, withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { codesOf } from '../../test/world/notices.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

let added = 0
/** The provider adds an address of its own to a company, and comes in by it. */
async function addedTo({ id: company_id }: { id: string }): Promise<Person> {
  const email = `alias${(added += 1)}@provider.test`
  const admin_input = { full_name: 'Alias', email, role: 'company_admin', company_id } as const
  const { id } = await boss.api.users.add(admin_input)
  await scene.sql`update auth.users set email_confirmed_at = now(), password_hash = (
    select password_hash from auth.users where id = ${boss.id}) where id = ${id}`
  return scene.signIn(email)
}
const waitingFor = async (person: Person) =>
  (await person.api.needs.list({})).lines
    .filter(({ kind }) => kind === 'right_waits')
    .reduce((sum, { items }) => sum + items, 0)
const all_four = ['finance', 'owner', 'people', 'reviewer']

describe('an admin whom the provider made', () => {
  test('reads nothing of a company with an owner before an owner confirms it, and all owners are told', async () => {
    const acme = await fundedCompany(scene)
    const first = acme.company.admin
    const second = await withRights(scene, acme.company, 'owner')
    const { id } = await acme.claim(await acme.hire('Ana'))
    const alias = await addedTo(acme)
    assert.deepEqual(await ownRights(alias), [])
    await refuses('forbidden', alias.api.review.find({ id }))
    await refuses('forbidden', alias.api.employees.list({}))
    for (const owner of [first, second]) {
      assert.ok((await codesOf(owner)).includes('admin_waits'))
      assert.equal(await waitingFor(owner), 4)
    }
    const [mail] = await scene.sql`select from notifications where person_id = ${first.id}
      and code = 'admin_waits' and mail_at <= now()`
    assert.ok(mail, 'mailed at once')
    await confirmRights(scene, second, alias)
    assert.deepEqual(await ownRights(alias), all_four)
    assert.ok((await alias.api.review.find({ id })).id)
    assert.equal(await waitingFor(first), 0)
  })

  test('waits as well where a role is changed, and where a request is approved', async () => {
    const acme = await scene.company()
    const ana = await acme.hire('Ana')
    const change = { id: ana.id, role: 'company_admin', company_id: acme.id } as const
    await boss.api.users.change_role(change)
    assert.deepEqual(await ownRights(ana), [])
    assert.equal((await ana.api.users.me({})).role, 'employee')
    const asks = await scene.signUp(`asks@${acme.domain}`, 'company_admin')
    await boss.api.users.approve({ id: asks.id })
    assert.deepEqual(await ownRights(asks), [])
    await refuses('forbidden', asks.api.review.queue({}))
    await confirmRights(scene, acme.admin, asks)
    assert.deepEqual(await ownRights(asks), all_four)
  })

  test('is made by a fresh sign-in alone, whichever way', async () => {
    const { id: company_id, domain } = await scene.company()
    const asks = await scene.signUp(`asks@${domain}`, 'company_admin')
    await scene.sql`update companies set domain_auto_register = false where id = ${company_id}`
    const works = await scene.signUp(`works@${domain}`, 'employee')
    const old = await scene.superAdmin()
    await scene.stale(old)
    const { users, companies } = old.api
    const named = { full_name: 'Alias', email: 'old@provider.test' }
    const add = () => users.add({ ...named, role: 'company_admin', company_id })
    const place = { currency: 'EUR', time_zone: 'Europe/Vienna', admin_email: 'hr@new.test' }
    await refuses('password_needed', add())
    await refuses('password_needed', users.approve({ id: asks.id }))
    await refuses('password_needed', companies.add({ name: 'New', ...place }))
    assert.equal((await users.approve({ id: works.id })).status, 'active', 'who gets no right')
    await scene.confirm(old)
    assert.equal((await users.approve({ id: asks.id })).status, 'active')
    assert.equal((await add()).role, 'company_admin')
  })

  test('is removed by an owner who wants none of it', async () => {
    const acme = await scene.company()
    const alias = await addedTo(acme)
    await scene.confirm(acme.admin)
    await acme.admin.api.companies.remove_admin({ id: alias.id, knowingly: true })
    assert.deepEqual(await acme.admin.api.rights.list({}).then(({ holders }) => holders.length), 1)
    await refuses('forbidden', alias.api.audit.list({}))
  })

  test('confirms no other one of the provider for a day', async () => {
    const acme = await scene.company()
    const [one, two] = [await addedTo(acme), await addedTo(acme)]
    await confirmRights(scene, acme.admin, one)
    await refuses('admin_too_new', confirmRights(scene, one, two))
    assert.equal(await waitingFor(one), 0)
    await scene.sql`update company_rights set confirmed_at = now() - interval '25 hours'
      where person_id = ${one.id}`
    await confirmRights(scene, one, two)
    assert.deepEqual(await ownRights(two), all_four)
  })
})

describe('where no owner is left', () => {
  const lost = async (company: Company) =>
    boss.api.users.change_role({ id: company.admin.id, role: 'employee', company_id: company.id })

  const noticeOf = async ({ api }: Person) => {
    const { notifications } = await api.notifications.list({})
    const notice = notifications.find(({ code }) => code === 'admin_by_provider')
    assert.ok(notice)
    return inWords(notice, in_mails).sentence
  }

  test('the admin whom the provider makes counts at once, and whoever has rights is told', async () => {
    const acme = await scene.company()
    const reviewer = await withRights(scene, acme, 'reviewer')
    await lost(acme)
    await scene.sql`update company_rights set ended_at = ended_at - interval '25 hours'
      where person_id = ${acme.admin.id}`
    const alias = await addedTo(acme)
    assert.deepEqual(await ownRights(alias), all_four)
    assert.match(await noticeOf(reviewer), /at once/)
  })

  test('by the provider itself, whom it makes then waits a day, and all who had rights are told', async () => {
    for (const how of ['ended', 'suspended']) {
      const acme = await scene.company()
      const reviewer = await withRights(scene, acme, 'reviewer')
      if (how === 'ended') await lost(acme)
      else await boss.api.users.suspend({ id: acme.admin.id })
      const aliases = [await addedTo(acme), await addedTo(acme)]
      for (const alias of aliases) {
        assert.deepEqual(await ownRights(alias), [], how)
        await refuses('forbidden', alias.api.review.queue({}))
        assert.equal((await alias.api.users.me({})).rights_wait, true)
        const { kinds, begins_at } = await alias.api.rights.waiting({})
        assert.deepEqual(kinds.toSorted(), all_four)
        assert.ok(begins_at)
      }
      assert.match(await noticeOf(reviewer), /in a day/)
      if (how === 'ended') assert.match(await noticeOf(acme.admin), /in a day/)
      await scene.sql`update company_rights set begins_at = begins_at - interval '1 day'
        where company_id = ${acme.id} and given_by is null`
      for (const alias of aliases) assert.deepEqual(await ownRights(alias), all_four)
    }
  })

  test('the same owner has their rights again at once', async () => {
    const acme = await scene.company()
    await lost(acme)
    const { id } = acme.admin
    await boss.api.users.change_role({ id, role: 'company_admin', company_id: acme.id })
    assert.deepEqual(await ownRights(acme.admin), all_four)
  })

  test('a new company begins as it always did', async () => {
    const { id } = await boss.api.companies.add({
      name: 'Fresh',
      currency: 'EUR',
      time_zone: 'Europe/Vienna',
      admin_email: 'lead@fresh.test',
    })
    const [{ waiting }] = await scene.sql<[{ waiting: number }]>`
      select count(*)::int as waiting from company_rights
        where company_id = ${id} and confirmed_at is null`
    assert.equal(waiting, 0)
  })
})
