// Rights that end without anybody ending them: owners learn which step of the policy has nobody any more.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { fundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

test('a right that ends by its date, by a last day or by a suspension leaves owners a step to mend', async () => {
  const provider = await scene.superAdmin()
  const ends = {
    date: ({ id }: Person) => scene.sql`
      update company_rights set ends_at = now() - interval '1 minute' where person_id = ${id}`,
    last_day: ({ id }: Person) => scene.sql`
      update profiles set joined_on = '2020-01-01', left_on = '2020-02-01' where id = ${id}`,
    suspension: ({ id }: Person) => provider.api.users.suspend({ id }),
  }
  for (const [by, end] of Object.entries(ends)) {
    const stage = await fundedCompany(scene)
    const { admin } = stage.company
    const named = await stage.hire('Nina')
    await giveRights(scene, stage.company, named, 'reviewer')
    const { policies, needs } = admin.api
    const { version, note: _, ...terms } = await policies.current({})
    const steps = [{ ...plain_step, who: 'people' as const, person_ids: [named.id] }]
    await policies.change({ version, ...terms, steps })
    const unfilledSteps = async () =>
      (await needs.list({})).lines.filter(({ kind }) => kind === 'step_unfilled').length
    assert.equal(await unfilledSteps(), 0, by)
    await end(named)
    assert.equal(await unfilledSteps(), 1, by)
    if (by !== 'suspension') await refuses('forbidden', named.api.review.queue({}))
  }
})
