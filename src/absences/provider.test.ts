// An only admin who is ill can't enter their absence, nor can anybody in their company: the provider does.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { inWords } from '#notifications/words.contract.ts'
import { in_mails } from '#lib/writing.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let helena: Person
let boss: Person
before(async () => {
  acme = await fundedCompany(scene)
  helena = acme.company.admin
  boss = acme.provider
})

const week = () => ({ from_on: acme.today, to_on: daysAfter(acme.today, 7) })
const ill = () => ({ company_id: acme.id, person_id: helena.id, ...week() })

test('the provider enters it for a company’s one admin, who is told and ends it', async () => {
  const made = await boss.api.absences.enter(ill())
  assert.deepEqual([made.person_id, made.has_it, made.may_end], [helena.id, null, true])
  assert.deepEqual(
    (await boss.api.absences.of_company({ company_id: acme.id })).map(({ id }) => id),
    [made.id],
  )
  const { notifications } = await helena.api.notifications.list({})
  const notice = notifications.find(({ code }) => code === 'absence_entered')
  assert.match(inWords(notice!, in_mails).sentence, /^The provider says you are away from /)
  await assert.rejects(
    boss.api.absences.enter(ill()),
    (error: { code: string; message: string }) => {
      assert.equal(error.code, 'already_away')
      assert.doesNotMatch(error.message, /\byou/i, 'it is not the provider who is away')
      return true
    },
  )
  await helena.api.absences.end({ id: made.id })
  await refuses('not_found', boss.api.absences.end({ id: made.id }))
})

test('with a deputy whom the provider made an admin, who has the work then', async () => {
  const ida = await acme.admin('Ida')
  const made = await boss.api.absences.enter({ ...ill(), deputy_id: ida.id })
  assert.equal(made.has_it, 'Ida')
  const claim = await acme.claim(await acme.hire('Ana'), { amount_cents: 6000 })
  const rings = async ({ api }: Person) =>
    (await api.notifications.list({})).notifications.some(({ code }) => code === 'claim_submitted')
  assert.deepEqual([await rings(ida), await rings(helena)], [true, false])
  const { assigned_to } = await ida.api.review.find({ id: claim.id })
  assert.deepEqual(
    assigned_to?.map(({ name, for_name }) => [name, for_name !== null]),
    [['Ida', true]],
  )
  await boss.api.absences.end({ id: made.id })
})

test('for admins whose rights have begun, with such a deputy, and of that company alone', async () => {
  const { company } = await fundedCompany(scene)
  const carla = await acme.admin('Carla')
  const later = await acme.admin('Later')
  await scene.sql`update company_rights set begins_at = now() + interval '2 days'
    where person_id = ${later.id}`
  const holders = await boss.api.rights.of_company({ id: acme.id })
  const at_work = holders.filter((one) => one.is_at_work).map(({ full_name }) => full_name)
  assert.deepEqual([at_work.includes('Carla'), at_work.includes('Later')], [true, false])
  await refuses('not_found', boss.api.absences.enter({ ...ill(), person_id: later.id }))
  const deputies = async (by: Person, person_id: string) =>
    (await by.api.absences.deputies({ person_id })).map(({ full_name }) => full_name)
  const offered = await deputies(boss, helena.id)
  assert.deepEqual([offered.includes('Carla'), offered.includes('Later')], [true, false])
  assert.ok(!(await deputies(boss, carla.id)).includes('Carla'), 'nobody is their own')
  await refuses('no_such_deputy', boss.api.absences.enter({ ...ill(), deputy_id: later.id }))
  assert.deepEqual(await deputies(helena, company.admin.id), [])
  assert.deepEqual(await deputies(company.admin, helena.id), [])
})

test('of nobody else, and by nobody else', async () => {
  const other = await fundedCompany(scene)
  const ana = await acme.hire('Berta')
  const { enter } = boss.api.absences
  await refuses('not_found', enter({ ...ill(), person_id: ana.id }))
  await refuses('not_found', enter({ ...ill(), company_id: other.id }))
  await assert.rejects(enter({ ...ill(), deputy_id: other.company.admin.id }), {
    code: 'no_such_deputy',
    message: 'Choose another active admin of the company',
  })
  await refuses('absence_is_over', enter({ ...ill(), from_on: '2020-01-01', to_on: '2020-01-02' }))
  for (const person of [helena, ana, other.company.admin]) {
    await refuses('forbidden', person.api.absences.enter(ill()))
    await refuses('forbidden', person.api.absences.of_company({ company_id: acme.id }))
  }
  assert.deepEqual(await boss.api.absences.list({}).catch(() => []), [])
  const made = await enter(ill())
  const colleague = await scene.superAdmin()
  await refuses('not_found', colleague.api.absences.end({ id: made.id }))
  await refuses('not_found', other.company.admin.api.absences.end({ id: made.id }))
  await boss.api.absences.end({ id: made.id })
  const done = await Promise.allSettled([enter(ill()), enter(ill())])
  assert.deepEqual(done.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})
