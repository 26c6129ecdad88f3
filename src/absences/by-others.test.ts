// An absence brings nothing to whoever entered it: the colleague may be sitting next door.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { plain_step, type ApprovalStep } from '#claims/policies/steps.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { aDayLater } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

let acme: FundedCompany
let otto: Person
let rita: Person
let ida: Person
before(async () => {
  acme = await fundedCompany(scene)
  otto = acme.company.admin
  rita = await acme.admin('Rita')
  ida = await acme.admin('Ida')
})

async function waitsForOtto(more: Partial<ApprovalStep> = {}) {
  const { version, ...found } = await otto.api.policies.current({})
  const step = { ...plain_step, who: 'people' as const, person_ids: [otto.id], ...more }
  await otto.api.policies.change({ ...PolicyTerms.parse(found), version, steps: [step] })
  return acme.claim(await acme.hire())
}
const ottoIsAway = (by: Person, deputy_id?: string) =>
  by.api.absences.add({
    person_id: otto.id,
    from_on: acme.today,
    to_on: daysAfter(acme.today, 7),
    ...(deputy_id && { deputy_id }),
  })

const deputiesOfOtto = async (by: Person) =>
  (await by.api.absences.deputies({ person_id: otto.id })).map(({ full_name }) => full_name)

test('they are not its deputy, nor whoever counts as them for a day', async () => {
  const { id, version } = await waitsForOtto()
  await refuses('no_such_deputy', ottoIsAway(rita, rita.id))
  await scene.sql`update company_rights set given_by = ${rita.id}, given_at = now()
    where person_id = ${ida.id}`
  await refuses('deputy_counts_as_you', ottoIsAway(rita, ida.id))
  assert.deepEqual(await deputiesOfOtto(rita), [])
  assert.deepEqual(await deputiesOfOtto(otto), ['Ida', 'Rita'], 'to whom both are others')
  await refuses('step_of_others', rita.api.review.approve({ id, version }))
  await aDayLater(scene, ida)
  assert.deepEqual(await deputiesOfOtto(rita), ['Ida'])
  const { id: absence } = await ottoIsAway(rita, ida.id)
  await refuses('step_of_others', rita.api.review.approve({ id, version }))
  assert.equal((await ida.api.review.approve({ id, version })).status, 'approved')
  await otto.api.absences.end({ id: absence })
})

test('as deputy of the step they wait for who is away, unless another says so', async () => {
  const { id, version } = await waitsForOtto({ deputy_id: rita.id })
  const by_rita = await ottoIsAway(rita)
  await refuses('step_of_others', rita.api.review.approve({ id, version }))
  await rita.api.absences.end({ id: by_rita.id })
  await scene.sql`update company_rights set given_by = ${rita.id}, given_at = now()
    where person_id = ${ida.id}`
  await ottoIsAway(ida)
  await refuses('step_of_others', rita.api.review.approve({ id, version }))
  await aDayLater(scene, ida)
  assert.equal((await rita.api.review.approve({ id, version })).status, 'approved')
})
