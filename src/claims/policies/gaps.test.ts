// Gaps of a policy that nobody made on purpose: a department that was renamed, a person who is away.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keepPeople } from '#employees/jobs.server.ts'
import { inWords } from '#notifications/words.contract.ts'
import { in_mails } from '#lib/writing.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import type { Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { gapSentence } from './gaps.contract.ts'
import { PolicyTerms } from './policies.contract.ts'
import { plain_step, type ApprovalStep } from './steps.contract.ts'

const scene = openedScene()
let acme: FundedCompany
let owner: Person
beforeEach(async () => {
  acme = await fundedCompany(scene)
  owner = acme.company.admin
})

async function decideBy(...steps: Partial<ApprovalStep>[]) {
  const { version, ...found } = await owner.api.policies.current({})
  const terms = PolicyTerms.parse(found)
  await owner.api.policies.change({
    ...terms,
    version,
    steps: steps.map((step) => ({ ...plain_step, ...step })),
  })
}
const gaps = async () =>
  (await owner.api.policies.gaps({})).steps.map((one) => gapSentence(one, `Step ${one.number}`))
const needed = async ({ api }: Person) =>
  (await api.needs.list({})).lines.map(({ kind }) => kind).filter((kind) => !/people_m/.test(kind))
const move = (department: string, ...people: Person[]) =>
  scene.sql`update profiles set department = ${department}
    where id = any (${people.map(({ id }) => id)}::uuid[])`

test('a department that was renamed is missed by the steps and the groups that name it', async () => {
  const [ana, ben, eva] = [await acme.hire('Ana'), await acme.hire('Ben'), await acme.hire('Eva')]
  await withRights(scene, acme.company, 'reviewer')
  await move('Sales', ana, ben)
  await move('Support', eva)
  const { groups } = owner.api
  const field = await groups.add({ name: 'Field', departments: ['Sales'] })
  await groups.add({ name: 'Everybody', departments: ['Sales', 'Support'] })
  await decideBy(
    { departments: ['Sales', 'Support'] },
    { group_ids: [field.id], above_cents: 50_000 },
  )
  assert.deepEqual([await gaps(), await needed(owner)], [[], []])

  // A leaver keeps the department's old name.
  await scene.sql`update profiles set left_on = ${daysAfter(acme.today, -1)}, has_left = true
    where id = ${ben.id}`
  await move('Sales and Field', ana)
  assert.deepEqual(await gaps(), [
    'Step 1 is for people in Sales, but there are none. If it was renamed, choose the new name.',
    'Step 2 is for the group Field, but nobody is in it.',
  ])
  const lines = ['group_empty', 'group_empty', 'step_empty', 'step_empty']
  assert.deepEqual((await needed(owner)).toSorted(), lines)
  const empty = (await groups.list({})).map((group) => [group.name, group.empty])
  assert.deepEqual(empty, [
    ['Everybody', ['Sales']],
    ['Field', ['Sales']],
  ])
  const people = await withRights(scene, acme.company, 'people')
  assert.deepEqual(await needed(people), ['group_empty', 'group_empty'])

  for (const { id, name, version, departments } of await groups.list({})) {
    const renamed = departments!.map((one) => (one === 'Sales' ? 'Sales and Field' : one))
    await groups.change({ id, version, name, departments: renamed })
  }
  await decideBy({ departments: ['Sales and Field'] }, { group_ids: [field.id] })
  assert.deepEqual([await gaps(), await needed(owner)], [[], []])
})

test('a group of picked people is missed once nobody is in it', async () => {
  const ana = await acme.hire('Ana')
  const { groups } = owner.api
  const { id } = await groups.add({ name: 'Drivers', departments: null })
  await groups.put_person({ id, person_id: ana.id })
  await decideBy({ group_ids: [id] })
  assert.deepEqual(await gaps(), [])
  await groups.take_person({ id, person_id: ana.id })
  assert.deepEqual(await gaps(), ['Step 1 is for the group Drivers, but nobody is in it.'])
})

test('an admin without benefits is nobody whom a step or a group is for', async () => {
  const admin = await withRights(scene, acme.company, 'finance')
  await move('Board', admin)
  const { groups } = owner.api
  const board = await groups.add({ name: 'Board', departments: ['Board'] })
  const picked = await groups.add({ name: 'Picked', departments: null })
  await scene.sql`insert into employee_group_people (company_id, group_id, person_id)
    values (${acme.id}, ${picked.id}, ${admin.id})`
  assert.deepEqual([board.people, board.empty], [0, ['Board']])
  await decideBy({ departments: ['Board'] }, { group_ids: [picked.id] })
  assert.deepEqual(await gaps(), [
    'Step 1 is for people in Board, but there are none. If it was renamed, choose the new name.',
    'Step 2 is for the group Picked, but nobody is in it.',
  ])
  await scene.sql`update profiles set has_own = true where id = ${admin.id}`
  assert.deepEqual(await gaps(), [])
})

test('owners hear that a step waits for somebody away in whose place nobody decides', async () => {
  const ida = await withRights(scene, acme.company, 'reviewer')
  const max = await withRights(scene, acme.company, 'reviewer')
  await scene.sql`update profiles set full_name = 'Ida' where id = ${ida.id}`
  const named = { who: 'people' as const, person_ids: [ida.id] }
  await decideBy(named)
  const away = { from_on: acme.today, to_on: daysAfter(acme.today, 7) }
  const notices = async () => {
    await keepPeople({}, scene.tools)
    const { notifications } = await owner.api.notifications.list({})
    return notifications
      .filter(({ code }) => code === 'step_away')
      .map((one) => inWords(one, in_mails).sentence)
  }
  assert.deepEqual([await gaps(), await needed(owner), await notices()], [[], [], []])
  const first = await ida.api.absences.add({ ...away, deputy_id: max.id })
  assert.deepEqual(
    [await gaps(), await needed(owner), await notices()],
    [[], [], []],
    'Max decides',
  )
  await ida.api.absences.end({ id: first.id })

  const { id } = await ida.api.absences.add(away)
  assert.deepEqual(await gaps(), [
    'Step 1 asks Ida, who is away with no deputy who can decide. Claims wait until they are back.',
  ])
  assert.deepEqual(await needed(owner), ['step_away'])
  const once = ['A step of your policy asks Ida, who is away with no deputy who can decide.']
  assert.deepEqual([await notices(), await notices()], [once, once])
  const claim = await acme.claim(await acme.hire('Ana'))
  const { refusals } = await max.api.review.find({ id: claim.id })
  assert.equal(refusals.approve, 'step_of_others', 'it does wait')

  for (const step of [
    { ...named, deputy_id: max.id },
    { ...named, person_ids: [ida.id, max.id] },
  ]) {
    await decideBy(step)
    assert.deepEqual([await gaps(), await needed(owner)], [[], []])
  }
  await decideBy({ ...named, person_ids: [ida.id, max.id], together: true })
  assert.equal((await gaps()).length, 1, 'both have to')
  await ida.api.absences.end({ id })
  assert.deepEqual([await gaps(), await needed(owner)], [[], []])
})
