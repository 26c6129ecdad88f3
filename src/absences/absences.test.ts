// People who are away have deputies: work reaches somebody who is there, and nobody may do more than before.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keepPeople } from '#employees/jobs.server.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { unreadInWords, titlesOf } from '../../test/world/notices.ts'

const scene = openedScene()

/** A company with three admins, and somebody who claims. */
async function office() {
  const acme = await fundedCompany(scene)
  const helena = acme.company.admin
  await scene.sql`update profiles set full_name = 'Helena' where id = ${helena.id}`
  return {
    acme,
    helena,
    matthias: await acme.admin('Matthias'),
    ida: await acme.admin('Ida'),
    ana: await acme.hire('Ana'),
  }
}
type Office = Awaited<ReturnType<typeof office>>

const away = (acme: FundedCompany, person: Person, deputy?: Person, from = 0, days = 7) =>
  person.api.absences.add({
    from_on: daysAfter(acme.today, from),
    to_on: daysAfter(acme.today, from + days),
    ...(deputy ? { deputy_id: deputy.id } : {}),
  })

const assignees = async (person: Person, id: number) => {
  const { assigned_to } = await person.api.review.find({ id })
  return assigned_to?.map(({ name, for_name }) => (for_name ? `${name} for ${for_name}` : name))
}
const large = { category: 'treatment', amount_cents: 60_000 } as const

describe('an absence', () => {
  let o: Office
  before(async () => (o = await office()))

  test('has its days and its deputy, and each refusal its reason', async () => {
    const { acme, helena, matthias, ida, ana } = o
    await refuses('absence_ends_before_it_begins', away(acme, helena, ida, 3, -1))
    await refuses('absence_too_long', away(acme, helena, ida, 0, 366))
    await refuses('absence_is_over', away(acme, helena, ida, -9, 2))
    await refuses('no_such_deputy', away(acme, helena, helena))
    await refuses('no_such_deputy', away(acme, helena, ana))
    const stranger = await scene.company()
    await refuses('no_such_deputy', away(acme, helena, stranger.admin))
    await away(acme, helena, ida, 5, 5)
    await refuses('already_away', away(acme, helena, matthias, 10, 3))
    await refuses('deputy_is_away', away(acme, ida, helena, 2, 3))
    await refuses('forbidden', away(acme, ana, ida))
    assert.deepEqual(await stranger.admin.api.absences.list({}), [])
    const [absence] = await matthias.api.absences.list({})
    assert.deepEqual(
      [absence?.person_name, absence?.deputy_name, absence?.is_now, absence?.has_it],
      ['Helena', 'Ida', false, null],
    )
  })

  test('is ended by whose it is alone, and stays in the record', async () => {
    const { helena, matthias } = o
    const [mine] = await helena.api.absences.list({})
    await refuses('not_found', matthias.api.absences.end({ id: mine!.id }))
    await helena.api.absences.end({ id: mine!.id })
    assert.deepEqual(await helena.api.absences.list({}), [])
    const noted = await scene.sql`
      select act, actor_id from audit_log where table_name = 'absences' and row_id = ${mine!.id}
      order by id`
    assert.deepEqual(
      noted.map((entry) => [entry['act'], entry['actor_id']]),
      [
        ['insert', helena.id],
        ['delete', helena.id],
      ],
    )
  })

  test('of who fell ill is entered by another admin: both are told, either ends it', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    const stranger = await scene.company()
    const ill = { person_id: matthias.id, from_on: acme.today, to_on: daysAfter(acme.today, 7) }
    await refuses('not_found', helena.api.absences.add({ ...ill, person_id: ana.id }))
    await refuses('not_found', helena.api.absences.add({ ...ill, person_id: stranger.admin.id }))
    await refuses('no_such_deputy', helena.api.absences.add({ ...ill, deputy_id: matthias.id }))
    const made = await helena.api.absences.add({ ...ill, deputy_id: ida.id })
    assert.deepEqual([made.person_name, made.has_it, made.may_end], ['Matthias', 'Ida', true])
    for (const person of [matthias, ida]) await unreadInWords(person)
    await refuses('not_found', ida.api.absences.end({ id: made.id }))
    await helena.api.absences.end({ id: made.id })
    await refuses('no_such_deputy', helena.api.absences.add({ ...ill, deputy_id: helena.id }))
    const again = await helena.api.absences.add({ ...ill, deputy_id: ida.id })
    const [notice] = await unreadInWords(matthias)
    assert.equal(notice?.title, 'Your absence was entered for you')
    assert.match(notice.sentence, /^Helena says you are away from .+ to .+ End it in your settings/)
    await keepPeople({}, scene.tools)
    assert.ok((await titlesOf(ida)).includes('You are standing in for a colleague'))
    const noted = await scene.sql`
      select by_id, person_id from absences where id = ${again.id}`
    assert.deepEqual({ ...noted[0] }, { by_id: helena.id, person_id: matthias.id })
    await matthias.api.absences.end({ id: again.id })
    assert.deepEqual(await helena.api.absences.list({}), [])
  })

  test('may have any colleague with a right as its deputy, an employee or not, and nobody else', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    await giveRights(scene, acme.company, ana, 'reviewer')
    await scene.sql`update company_rights set ended_at = now() where person_id = ${matthias.id}`
    const offered = await helena.api.absences.deputies({})
    assert.deepEqual(
      offered.map(({ full_name }) => full_name),
      ['Ana', 'Ida'],
    )
    const made = await away(acme, ida, ana)
    assert.equal(made.has_it, 'Ana')
  })

  test('of two who name each other at the same moment one is refused', async () => {
    const { acme, helena, ida } = o
    const done = await Promise.allSettled([away(acme, helena, ida), away(acme, ida, helena)])
    assert.deepEqual(done.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })
})

describe('while an admin is away', () => {
  test('the deputy is told in their place, hears of what waits already, and it comes back', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    await acme.claim(ana, { amount_cents: 4000 })
    const { id } = await away(acme, matthias, ida)
    for (const person of [helena, matthias, ida]) await unreadInWords(person)
    for (let again = 0; again < 2; again += 1) await keepPeople({}, scene.tools)
    const [notice, ...more] = await unreadInWords(ida)
    assert.equal(notice?.title, 'You are standing in for a colleague')
    assert.match(notice.sentence, /^Matthias is away until .+ 1 claim is waiting\.$/)
    assert.deepEqual(more, [])
    const [kept] = await scene.sql`
      select facts::text as facts from notifications where code = 'standing_in'`
    assert.doesNotMatch(kept!['facts'], /Matthias/)

    await acme.claim(ana, { amount_cents: 4100 })
    assert.deepEqual(await titlesOf(matthias), [])
    assert.deepEqual(await titlesOf(ida), ['New claims to review'])
    assert.deepEqual(await titlesOf(helena), ['New claims to review'])

    await scene.sql`update absences set from_on = ${daysAfter(acme.today, -5)},
      to_on = ${daysAfter(acme.today, -1)} where id = ${id}`
    for (let again = 0; again < 2; again += 1) await keepPeople({}, scene.tools)
    assert.deepEqual(await unreadInWords(matthias), [
      {
        title: 'Your work is back with you',
        sentence: 'Your absence is over. 2 claims are waiting.',
      },
    ])
    await acme.claim(ana, { amount_cents: 4200 })
    assert.deepEqual(await titlesOf(matthias), ['New claims to review'])
  })

  test('nothing comes back to somebody whose rights ended meanwhile', async () => {
    const { acme, matthias, ida, ana } = await office()
    await acme.claim(ana, { amount_cents: 4000 })
    const { id } = await away(acme, matthias, ida)
    await keepPeople({}, scene.tools)
    await unreadInWords(matthias)
    await scene.sql`update company_rights set ended_at = now() where person_id = ${matthias.id}`
    await scene.sql`update absences set from_on = ${daysAfter(acme.today, -5)},
      to_on = ${daysAfter(acme.today, -1)} where id = ${id}`
    await keepPeople({}, scene.tools)
    const [{ count }] = await scene.sql<[{ count: number }]>`select count(*)::int as count
      from notifications where person_id = ${matthias.id} and code = 'back_again'`
    assert.equal(count, 0)
  })

  test('a claim says who has it: the one who may, and the deputy of one who might', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    const claim = await acme.claim(ana, large)
    assert.deepEqual(await assignees(helena, claim.id), ['Helena', 'Ida', 'Matthias'])
    await away(acme, matthias, ida)
    await helena.api.review.approve({ id: claim.id, version: claim.version })
    assert.deepEqual(await assignees(helena, claim.id), ['Ida for Matthias'])
    const { claims } = await ida.api.review.queue({ status: 'pending' })
    assert.deepEqual(claims[0]?.assigned_to, [{ name: 'Ida', for_name: 'Matthias' }])
    const [absence] = await helena.api.absences.list({})
    assert.deepEqual([absence?.is_now, absence?.has_it], [true, 'Ida'])
  })

  test('the work of deputies who are away in turn goes on to theirs', async () => {
    const { acme, helena, matthias, ida } = await office()
    await away(acme, matthias, ida)
    await away(acme, ida, helena)
    const { 0: of_matthias } = await helena.api.absences.list({})
    assert.equal(of_matthias?.has_it, 'Helena')
  })

  test('nobody found: it stays, says so, and all are told', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    await scene.sql`update profiles set status = 'suspended' where id = ${ida.id}`
    const claim = await acme.claim(ana, large)
    await away(acme, matthias, helena)
    for (const person of [helena, matthias]) await unreadInWords(person)
    await helena.api.review.approve({ id: claim.id, version: claim.version })
    await scene.notifyDecisions()
    assert.deepEqual(await assignees(helena, claim.id), [])
    assert.equal((await helena.api.review.find({ id: claim.id })).status, 'pending')
    // The deputy gave the first approval and cannot give the second, so the admin who is away is notified.
    assert.deepEqual(await titlesOf(matthias), [`Claim #${claim.id} needs another approval`])
    await away(acme, helena)
    await acme.claim(ana, { amount_cents: 4000 })
    assert.deepEqual(await titlesOf(matthias), ['New claims to review'])
  })
})

describe('a deputy decides as themselves', () => {
  test('never on their own or their family’s claims', async () => {
    const { acme, helena, ida, ana } = await office()
    const own = await acme.claim(ana, { amount_cents: 4000 })
    await scene.sql`update profiles set role = 'company_admin', has_own = true where id = ${ana.id}`
    const ana_as_admin = await scene.signIn(ana.email)
    await away(acme, helena, ana_as_admin)
    await refuses(
      'own_claim',
      ana_as_admin.api.review.approve({ id: own.id, version: own.version }),
    )
    assert.ok(!(await assignees(ida, own.id))?.some((name) => name.startsWith('Ana')))
    assert.deepEqual(await assignees(ida, own.id), ['Ida', 'Matthias'])
  })

  test('two approvals are two people’s, also where one stands in for the other', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    const claim = await acme.claim(ana, large)
    await away(acme, matthias, helena)
    const first = await helena.api.review.approve({ id: claim.id, version: claim.version })
    await refuses(
      'decided_by_you',
      helena.api.review.approve({ id: claim.id, version: first.version }),
    )
    assert.deepEqual(await assignees(helena, claim.id), ['Ida'])
    const second = await ida.api.review.approve({ id: claim.id, version: first.version })
    assert.equal(second.status, 'approved')
    assert.deepEqual(await acme.faults(), [])
  })

  test('an appeal still needs another than who rejected, though the other is away', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    await scene.sql`update profiles set status = 'suspended' where id = ${ida.id}`
    const claim = await acme.claim(ana, { amount_cents: 4000 })
    const why = { reason: 'not_covered', text: 'A sauna' } as const
    await helena.api.review.reject({ id: claim.id, version: claim.version, ...why })
    await away(acme, matthias, helena)
    await ana.api.claims.appeal({ id: claim.id, text: 'Prescribed', receipt_ids: [] })
    const { version } = await helena.api.review.find({ id: claim.id })
    await refuses('appeal_needs_another', helena.api.review.approve({ id: claim.id, version }))
    assert.deepEqual(await assignees(helena, claim.id), [])
  })

  test('where a step names who is away, in turn for a deputy who is away as well', async () => {
    const { acme, helena, matthias, ida, ana } = await office()
    const { version, ...policy } = await helena.api.policies.current({})
    const by_matthias = { ...plain_step, who: 'people' as const, person_ids: [matthias.id] }
    const terms = { ...PolicyTerms.parse(policy), steps: [by_matthias] }
    await helena.api.policies.change({ version, ...terms })
    const claim = await acme.claim(ana, { amount_cents: 4000 })
    await away(acme, matthias, helena)
    await away(acme, helena, ida)
    assert.deepEqual(await assignees(ida, claim.id), ['Ida for Matthias'])
    const { status } = await ida.api.review.approve({ id: claim.id, version: claim.version })
    assert.equal(status, 'approved')
  })
})
