// When a review is due: the days of the policy, less those that the reviewers had the claim.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../../../test/claims-stage.ts'
import { openScene, type Person, type Scene } from '../../../test/scene.ts'

let scene: Scene
let acme: ClaimsStage
let second: Person
before(async () => {
  scene = await openScene()
  acme = await fundedCompany(scene)
  second = await acme.admin('Second')
})
after(() => scene.close())

type Act = 'asked' | 'answered' | 'taken_back' | 'appealed' | 'weeks'

/** Sequences of what can happen to a claim, over and again from this number. */
function* sequences(seed: number): Generator<Act[]> {
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let at = 0; at < 12; at += 1) {
    yield Array.from({ length: 2 + Math.floor(random() * 3) }, (): Act[] => [
      ...(random() < 0.6 ? (['weeks'] as const) : []),
      ...(random() < 0.7
        ? (['asked', 'weeks', random() < 0.5 ? 'answered' : 'taken_back'] as const)
        : (['appealed'] as const)),
    ]).flat()
  }
}

test('whatever happens to a claim, early or late, its deadline is that of the calendar', async () => {
  for (const acts of sequences(20_281)) {
    const ana = await acme.hire()
    const { id } = await acme.claim(ana, { amount_cents: 6000 })
    const text = 'A sentence'
    let appealed = false
    const seen = async () => ({ id, version: (await second.api.review.find({ id })).version })
    const play: Record<Act, () => Promise<unknown>> = {
      asked: async () => second.api.review.ask({ ...(await seen()), text }),
      answered: () => ana.api.claims.answer({ id, text }),
      taken_back: async () => second.api.review.take_back_question(await seen()),
      weeks: () => scene.sql`update claims set submitted_at = submitted_at - interval '7 days',
          asked_at = asked_at - interval '7 days', due_at = due_at - interval '7 days'
        where id = ${id}`,
      async appealed() {
        if (appealed) return
        appealed = true
        const { company } = acme
        const no = { ...(await seen()), reason: 'other', text } as const
        await company.admin.api.review.reject(no)
        await ana.api.claims.appeal({ id, text })
      },
    }
    for (const act of acts) {
      await play[act]()
      const [found] = await scene.sql<[{ renewed: number }]>`
        select private.renew_deadlines(${acme.id}) as renewed`
      assert.equal(found.renewed, 0, `${act} of ${acts.join(', ')}`)
    }
  }
})
