// Approvals as a table that the company writes: who is asked, in which order, and within what.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../../test/world/company.ts'
import { lost, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { PolicyTerms } from './policies.contract.ts'
import { plain_step, type ApprovalStep } from './steps.contract.ts'

const scene = openedScene()
let acme: FundedCompany
let owner: Person
let ben: Person
let cleo: Person
let dana: Person
before(async () => {
  acme = await fundedCompany(scene)
  owner = acme.company.admin
  ben = await acme.admin('Ben')
  cleo = await acme.admin('Cleo')
  dana = await acme.admin('Dana')
})

const people = (...who: Person[]): Partial<ApprovalStep> => ({
  who: 'people',
  person_ids: who.map(({ id }) => id),
})

const now = async ({ api }: Person) => {
  const { version, ...found } = await api.policies.current({})
  return { version, terms: PolicyTerms.parse(found) }
}
const stepsOf = (steps: Partial<ApprovalStep>[]) => steps.map((one) => ({ ...plain_step, ...one }))

async function policy(...steps: Partial<ApprovalStep>[]) {
  const { version, terms } = await now(owner)
  return owner.api.policies.change({ ...terms, version, steps: stepsOf(steps) })
}

type ClaimVersion = { id: number; version: number }
const approve = (by: Person, { id, version }: ClaimVersion, more = {}) =>
  by.api.review.approve({ id, version, ...more })
const refusalsFor = async (by: Person, { id }: ClaimVersion) =>
  (await by.api.review.find({ id })).refusals.approve

describe('steps of approval', () => {
  test('each that applies is passed in its order, by another person each time', async () => {
    await policy(
      {},
      { above_cents: 10_000, ...people(cleo, ben) },
      { above_cents: 50_000, ...people(dana) },
    )
    const ana = await acme.hire('Ana')
    const small = await acme.claim(ana, { amount_cents: 10_000 })
    assert.equal((await approve(ben, small)).status, 'approved')

    const large = await acme.claim(ana, { amount_cents: 60_000 })
    assert.equal(await refusalsFor(dana, large), 'asked_later')
    await refuses('asked_later', approve(dana, large))
    let next = await approve(owner, large)
    assert.deepEqual([next.stage, next.assigned_to?.length], ['further_review', 2])
    assert.equal(await refusalsFor(dana, next), 'step_of_others')
    await refuses('step_of_others', approve(dana, next))
    await refuses(
      'step_of_others',
      dana.api.review.reject({ ...next, reason: 'other', text: 'Not I' }),
    )
    await refuses('step_of_others', dana.api.review.ask({ ...next, text: 'Not my step?' }))
    await refuses('decided_by_you', approve(owner, next))
    next = await approve(cleo, next, { amount_cents: 55_000, text: 'Without the fee' })
    await refuses('approved_more_than_before', approve(dana, next, { amount_cents: 56_000 }))
    const done = await approve(dana, next)
    assert.deepEqual([done.status, done.approved_cents], ['approved', 55_000])
    const { approvals, trace } = await owner.api.review.find(large)
    assert.deepEqual(
      approvals.map(({ by_name }) => by_name),
      ['admin', 'Cleo', 'Dana'],
    )
    assert.deepEqual(
      trace.filter(({ rule }) => rule === 'approval_step').map(({ facts }) => facts['above_cents']),
      [null, 10_000, 50_000],
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('several approve together, each once and in any order; any of them may lower or reject', async () => {
    await policy({ ...people(ben, cleo), together: true })
    const ana = await acme.hire()
    const claim = await acme.claim(ana)
    const opened = await dana.api.review.find(claim)
    assert.deepEqual([opened.approvals_needed, opened.steps[0]!.names], [2, ['Ben', 'Cleo']])
    const first = await approve(cleo, claim)
    await refuses('decided_by_you', approve(cleo, first))
    assert.equal((await approve(ben, first)).status, 'approved')
    const other = await acme.claim(ana)
    const pressed = await Promise.allSettled([approve(ben, other), approve(ben, other)])
    assert.deepEqual(lost(pressed), ['decided_by_you'])
    await policy({}, { ...people(ben, cleo), together: true })
    assert.equal(await refusalsFor(ben, await acme.claim(ana)), 'asked_later')
  })

  test('by category, type, department, group and a provider’s first claim', async () => {
    const dental = await owner.api.policies.add_type({ category: 'prevention', name: 'Braces' })
    await policy(
      { categories: ['treatment'], ...people(ben) },
      { type_ids: [dental.id], ...people(cleo) },
      { departments: ['Crew'], ...people(dana) },
      { new_provider: true, ...people(owner) },
    )
    const ana = await acme.hire()
    const reviewersOf = async (claim_input: Parameters<FundedCompany['claim']>[1]) => {
      const claim = await acme.claim(ana, claim_input)
      return (await owner.api.review.find(claim)).steps.flatMap(({ names }) => names)
    }
    const known = { provider: 'Harbour Clinic' }
    assert.deepEqual(await reviewersOf(known), [])
    assert.deepEqual(await reviewersOf({ ...known, category: 'treatment' }), ['Ben'])
    assert.deepEqual(await reviewersOf({ ...known, type_id: dental.id }), ['Cleo'])
    assert.deepEqual(await reviewersOf({ provider: 'Nobody Knows Ltd' }), ['admin'])
    assert.deepEqual(await reviewersOf({ provider: 'HÄRBOUR clinic' }), [], 'as people write it')
    await scene.sql`update profiles set department = 'Crew' where id = ${ana.id}`
    assert.deepEqual(await reviewersOf({ ...known, category: 'treatment' }), ['Ben', 'Dana'])
    const group = await owner.api.groups.add({ name: 'On call', departments: ['Crew'] })
    await policy({ group_ids: [group.id], ...people(cleo) })
    assert.deepEqual(await reviewersOf(known), ['Cleo'])
    await refuses('group_in_use', owner.api.groups.remove({ id: group.id }))
    const [used] = await owner.api.groups.list({})
    assert.deepEqual([used?.in_use.steps, used?.refusals.remove], [[1], 'group_in_use'])
    await policy()
    await owner.api.groups.remove({ id: group.id })
  })

  test('what is under way keeps its steps, and an undone approval is asked for again', async () => {
    await policy(people(ben), people(cleo))
    const ana = await acme.hire()
    const claim = await acme.claim(ana)
    await policy()
    const next = await approve(ben, claim)
    assert.equal(await refusalsFor(dana, next), 'step_of_others')
    const back = await ben.api.review.undo({ id: claim.id })
    assert.equal(back.stage, 'first_review')
    await refuses('step_of_others', approve(cleo, back))
    const rejected = await ben.api.review.reject({ ...back, reason: 'other', text: 'Not covered' })
    const appealed = await ana.api.claims.appeal({
      id: rejected.id,
      text: 'It is',
      receipt_ids: [],
    })
    assert.equal(await refusalsFor(ben, appealed), 'appeal_needs_another')
  })
})

describe('who takes the place of somebody', () => {
  const away = async (who: Person, deputy?: Person) => {
    await scene.sql`insert into absences (company_id, person_id, deputy_id, from_on, to_on)
      values (${acme.id}, ${who.id}, ${deputy?.id ?? null}, company_today(${acme.id}), company_today(${acme.id}))`
  }
  const back = () => scene.sql`delete from absences where company_id = ${acme.id}`

  test('who is away has their deputy, and the step its own; nothing is approved for want of a person', async () => {
    await policy({ ...people(ben), deputy_id: cleo.id })
    const ana = await acme.hire()
    const claim = await acme.claim(ana)
    assert.equal(await refusalsFor(cleo, claim), 'step_of_others')
    await away(ben, dana)
    assert.equal(await refusalsFor(dana, claim), null)
    assert.equal(await refusalsFor(cleo, claim), 'step_of_others')
    await back()
    await away(ben)
    assert.equal(await refusalsFor(cleo, claim), null)
    assert.equal(await refusalsFor(dana, claim), 'step_of_others')
    await back()
    assert.equal((await approve(ben, claim)).status, 'approved')
    await policy({}, { ...people(ben), deputy_id: cleo.id })
    const next = await approve(dana, await acme.claim(ana))
    await away(ben, dana)
    assert.equal(await refusalsFor(cleo, next), null, 'whose deputy approved already')
    await back()
  })

  test('when the step’s days are over its deputy may decide, too; the next step has its own', async () => {
    await policy({ ...people(ben), days: 1, deputy_id: cleo.id }, { ...people(dana), days: 5 })
    const ana = await acme.hire()
    const claim = await acme.claim(ana)
    const due = async () => {
      const [row] = await scene.sql<[{ due_at: string }]>`
        select due_at from claims where company_id = ${acme.id} and id = ${claim.id}`
      return Date.parse(row.due_at)
    }
    const first_due = await due()
    const { days_left, steps } = await owner.api.review.find(claim)
    assert.deepEqual([days_left, steps[0]!.deputy_name], [1, 'Cleo'])
    assert.equal(await refusalsFor(cleo, claim), 'step_of_others')
    await scene.sql`update claims set due_at = now() - interval '1 hour', overdue = true
      where company_id = ${acme.id} and id = ${claim.id}`
    assert.equal(await refusalsFor(cleo, claim), null)
    await approve(cleo, claim)
    assert.ok((await due()) > first_due, 'five days from now')
    assert.equal((await owner.api.review.queue({ overdue: 'true' })).claims.length, 0)
  })

  test('who reviews no more is replaced by any reviewer, never left out', async () => {
    const eve = await acme.admin('Eve')
    await policy({ ...people(eve, ben), together: true })
    const ana = await acme.hire()
    const claim = await acme.claim(ana)
    const next = await approve(ben, claim)
    assert.equal(await refusalsFor(dana, next), 'step_of_others')
    await scene.sql`update company_rights set ended_at = now(), ended_by = ${owner.id}
      where person_id = ${eve.id} and kind = 'reviewer'`
    await refuses('decided_by_you', approve(ben, next))
    assert.equal(await refusalsFor(dana, next), null)
    assert.equal((await approve(dana, next)).status, 'approved')
  })

  test('a manager is asked first, and nobody decides on a claim of their own manager', async () => {
    const hr = owner.api.employees
    const ana = await acme.hire()
    await hr.set_manager({ id: ana.id, manager_id: ben.id })
    await hr.set_manager({ id: ben.id, manager_id: dana.id })
    await refuses('manager_in_a_circle', hr.set_manager({ id: dana.id, manager_id: ana.id }))
    await refuses('not_found', hr.set_manager({ id: ana.id, manager_id: acme.provider.id }))
    const refusalsOf = async ({ id }: Person) => (await hr.manager({ id })).refusals
    assert.deepEqual(await refusalsOf(ana), { set_manager: null })
    assert.deepEqual(await refusalsOf(owner), { set_manager: 'own_manager' })
    await refuses('own_manager', hr.set_manager({ id: owner.id, manager_id: null }))
    await refuses('forbidden', ana.api.employees.set_manager({ id: ana.id, manager_id: null }))
    await policy({ who: 'manager', deputy_id: cleo.id })
    assert.equal((await hr.manager({ id: ana.id })).manager?.reviews, true)
    const claim = await acme.claim(ana)
    assert.equal(await refusalsFor(cleo, claim), 'step_of_others')
    assert.equal((await approve(ben, claim)).status, 'approved')
    const nobodys = await acme.claim(await acme.hire())
    assert.equal(await refusalsFor(dana, nobodys), 'step_of_others', 'without one: the deputy')
    assert.equal((await approve(cleo, nobodys)).status, 'approved')

    await policy({})
    const of_manager = await acme.claim(ana)
    await scene.sql`update profiles set manager_id = ${ana.id} where id = ${cleo.id}`
    assert.equal(await refusalsFor(cleo, of_manager), null, 'frozen as it was submitted')
    const later = await acme.claim(ana)
    assert.equal(await refusalsFor(cleo, later), 'claim_of_your_manager')
    await refuses('claim_of_your_manager', approve(cleo, later))
    assert.equal(await refusalsFor(ben, later), null)
    await scene.sql`update profiles set manager_id = null where company_id = ${acme.id}`
  })

  test('only whom the step asks is told and has it under what needs them', async () => {
    await policy(people(cleo))
    const ana = await acme.hire()
    await Promise.all([cleo, dana].map(({ api }) => api.notifications.read_all({})))
    const claim = await acme.claim(ana)
    const notices = await scene.sql<{ person_id: string }[]>`
      select person_id from notifications where code = 'claim_submitted' and read_at is null
        and at = (select submitted_at from claims where company_id = ${acme.id} and id = ${claim.id})`
    assert.deepEqual(
      notices.map(({ person_id }) => person_id),
      [cleo.id],
    )
    const needed = async (who: Person) =>
      (await who.api.needs.list({})).lines.some(({ number }) => number === claim.id)
    const listed = async (who: Person) =>
      (await who.api.review.queue({ search: `#${claim.id}` })).claims[0]!
    assert.equal((await listed(dana)).refusals.approve, 'step_of_others')
    assert.deepEqual((await listed(dana)).assigned_to, [{ name: 'Cleo', for_name: null }])
    assert.equal(await needed(dana), false)
    assert.equal((await listed(cleo)).refusals.approve, null)
  })
})

describe('the table itself', () => {
  test('is refused where it names who does not review, another company’s, or asks for too many', async () => {
    const ana = await acme.hire()
    const other = await scene.company()
    const foreign = await other.admin.api.policies.types({})
    await refuses('not_a_reviewer', policy(people(ana)))
    await refuses('not_a_reviewer', policy(people(other.admin)))
    await refuses('not_a_reviewer', policy({ ...people(ben), deputy_id: ana.id }))
    await refuses('not_found', policy({ type_ids: [foreign[0]!.id] }))
    await refuses('steps_need_reviewers', policy({}, {}, {}, {}, {}, {}))
    await refuses('invalid_input', policy({ who: 'people' }))
    await refuses('invalid_input', policy({ together: true }))
    await refuses('forbidden', ana.api.policies.step_choices({}))
    await refuses('forbidden', acme.provider.api.policies.step_choices({}))
    const { people: offered } = await owner.api.policies.step_choices({})
    assert.ok(offered.some(({ id }) => id === ben.id) && !offered.some(({ id }) => id === ana.id))
  })
})
