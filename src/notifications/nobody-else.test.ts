// A claim that nobody in the company may decide: an owner hears of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepClaims } from '#claims/jobs.server.ts'
import { in_mails } from '#lib/writing.ts'
import { fundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { needText } from './needs.contract.ts'
import { inWords } from './words.contract.ts'

const scene = openedScene()

const linesOf = async ({ api }: Person) => (await api.needs.list({})).lines
const titles = async (person: Person) => (await linesOf(person)).map((line) => needText(line).title)

describe('where nobody else reviews', () => {
  const noLongerReviews = ({ id }: Person) => scene.sql`
    update company_rights set ended_at = now() - interval '2 days', ended_by = ${id}
    where person_id = ${id} and kind = 'reviewer'`
  const missing = 'Claims need more approvals than you have reviewers'

  test('than its claimant, who approved is to find a second one', async () => {
    const lone = await fundedCompany(scene)
    const hr = lone.company.admin
    const rita = await lone.hire('Rita')
    await giveRights(scene, lone.company, rita, 'reviewer')
    const claim = await lone.claim(rita, { amount_cents: 60_000, category: 'treatment' })
    await hr.api.review.approve({ id: claim.id, version: claim.version })
    const [line] = await linesOf(hr)
    assert.equal(line?.kind, 'claim_needs_second_admin')
  })

  test('a reviewer who is no owner reads that an owner can give the right, and opens the claim', async () => {
    const lone = await fundedCompany(scene)
    const rita = await lone.hire('Rita')
    await giveRights(scene, lone.company, rita, 'reviewer')
    await noLongerReviews(lone.company.admin)
    const large = { amount_cents: 60_000, category: 'treatment' } as const
    const { id, version } = await lone.claim(await lone.hire('Mia'), large)
    await rita.api.review.approve({ id, version })
    const [line] = await linesOf(rita)
    assert.deepEqual(line && needText(line), {
      title: `Claim #${id} needs a second reviewer: an owner can give somebody the right`,
      does: 'View claim',
      to: `/dashboard/claims/${id}`,
    })
    await scene.notifyDecisions()
    const { notifications } = await rita.api.notifications.list({})
    assert.match(inWords(notifications[0]!, in_mails).sentence, / An owner can give /)
    assert.equal(notifications[0]?.path, `/dashboard/claims/${id}`)
  })

  test('an owner hears of the claim of the only reviewer, of the policy and of lateness', async () => {
    const lone = await fundedCompany(scene)
    const owner = lone.company.admin
    await scene.sql`update claim_policies set steps = '{}' where company_id = ${lone.id}`
    const rita = await lone.hire('Rita')
    await giveRights(scene, lone.company, rita, 'reviewer')
    await noLongerReviews(owner)
    assert.deepEqual(await titles(owner), [])
    const claim = await lone.claim(rita, { amount_cents: 6000 })
    assert.deepEqual(await titles(owner), [missing])
    await scene.sql`
      update claims set submitted_at = now() - interval '90 days', due_at = now() - interval '80 days'
      where id = ${claim.id}`
    await keepClaims({}, scene.tools)
    await scene.notifyDecisions()
    const notices = await scene.sql`select path from notifications
      where person_id = ${owner.id} and code = 'claims_twice_overdue'`
    assert.deepEqual([...notices], [{ path: '/dashboard/settings#rights' }])
    const { unread } = await owner.api.notifications.unread({})
    assert.ok(unread > 0)
    await giveRights(scene, lone.company, owner, 'reviewer')
    assert.deepEqual(await titles(owner), [`Claim #${claim.id} to review`])
  })
})
