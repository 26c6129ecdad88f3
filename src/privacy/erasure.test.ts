// Promises of erasure: who asks, who decides, and what stands against it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepPrivacy } from './jobs.server.ts'
import { refuses, won, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const yours_to_decide = { approve: null, refuse: null }
const acme = opened(() => scene.company({ name: 'Acme' }))
const other = opened(() => scene.company({ name: 'Other' }))
const provider = opened(() => scene.superAdmin())

/** The reason why a person's button is grey. */
const whyNot = async ({ api }: Person) => (await api.privacy.erasure({})).refusals.request

describe('asking for erasure', () => {
  test('needs the password again', async () => {
    const ana = await acme.hire('Ana')
    await scene.stale(ana)
    await refuses('password_needed', ana.api.privacy.request_erasure({}))
    assert.equal(await scene.confirm(ana, 'not the one'), false)
    await refuses('password_needed', ana.api.privacy.request_erasure({}))
    assert.ok(await scene.confirm(ana))
    assert.equal((await ana.api.privacy.request_erasure({})).status, 'requested')
  })

  test('is one request, however often it is pressed; it can be withdrawn and made again', async () => {
    const bea = await acme.hire('Bea')
    const { privacy } = bea.api
    await refuses('no_erasure_requested', privacy.withdraw_erasure({}))
    const pressed = await Promise.allSettled([1, 2, 3].map(() => privacy.request_erasure({})))
    assert.equal(won(pressed).length, 1)
    assert.equal(await whyNot(bea), 'erasure_already_requested')
    await refuses('erasure_already_requested', privacy.request_erasure({}))
    assert.equal((await privacy.withdraw_erasure({})).status, 'withdrawn')
    await refuses('no_erasure_requested', privacy.withdraw_erasure({}))
    assert.equal(await whyNot(bea), null)
    assert.equal((await privacy.request_erasure({})).status, 'requested')
  })

  test('is not offered to the only admin of a company, nor to the last super admin', async () => {
    const lone = await scene.company({ name: 'Lone' })
    assert.equal(await whyNot(lone.admin), 'erasure_only_admin')
    await refuses('erasure_only_admin', lone.admin.api.privacy.request_erasure({}))
    await lone.appoint('Second')
    assert.equal(await whyNot(lone.admin), null)
    assert.equal(await whyNot(provider), 'erasure_last_super_admin')
    await refuses('erasure_last_super_admin', provider.api.privacy.request_erasure({}))
  })
})

describe('deciding on erasure', () => {
  test('HR first, then the provider; nobody of another company, no employee, no visitor', async () => {
    const cara = await acme.hire('Cara')
    const { id } = await cara.api.privacy.request_erasure({})
    const refusal = 'You still owe us a laptop.'
    for (const { api } of [other.admin, provider]) {
      await refuses('not_found', api.privacy.approve_erasure({ id }))
      await refuses('not_found', api.privacy.refuse_erasure({ id, refusal }))
      const { erasures } = await api.privacy.erasures({})
      assert.ok(!erasures.some((erasure) => erasure.id === id))
    }
    await refuses('forbidden', cara.api.privacy.approve_erasure({ id }))
    await refuses('not_signed_in', scene.visitor.privacy.approve_erasure({ id }))

    const erasure = await acme.admin.api.privacy.approve_erasure({ id })
    assert.equal(erasure.status, 'with_provider')
    assert.deepEqual(erasure.refusals, { approve: 'erasure_decided', refuse: 'erasure_decided' })
    await refuses('erasure_decided', acme.admin.api.privacy.approve_erasure({ id }))
    await refuses('erasure_decided', acme.admin.api.privacy.refuse_erasure({ id, refusal }))
    const { erasures } = await provider.api.privacy.erasures({})
    assert.deepEqual(erasures.find((erasure) => erasure.id === id)?.refusals, yours_to_decide)
    assert.ok((await provider.api.privacy.erasures_waiting({})).person_name)
    assert.equal((await cara.api.privacy.withdraw_erasure({})).status, 'withdrawn')
    await refuses('erasure_decided', provider.api.privacy.approve_erasure({ id }))
  })

  test('a refusal needs a sentence, and is told', async () => {
    const dan = await acme.hire('Dan')
    const { id } = await dan.api.privacy.request_erasure({})
    await refuses('invalid_input', acme.admin.api.privacy.refuse_erasure({ id, refusal: ' ' }))
    const refusal = 'A lawsuit about your claim is under way.'
    await acme.admin.api.privacy.refuse_erasure({ id, refusal })
    const { erasure } = await dan.api.privacy.erasure({})
    assert.deepEqual([erasure?.status, erasure?.refusal], ['refused', refusal])
    const [notice] = await scene.sql`select code from notifications where person_id = ${dan.id}
      order by id desc limit 1`
    assert.equal(notice?.['code'], 'erasure_refused')
  })

  test('two who decide at the same moment: one counts, whichever they chose', async () => {
    const eve = await acme.hire('Eve')
    const { id } = await eve.api.privacy.request_erasure({})
    const { privacy } = acme.admin.api
    const refusal = 'Please wait until March.'
    const decided = await Promise.allSettled([
      privacy.approve_erasure({ id }),
      privacy.refuse_erasure({ id, refusal }),
      privacy.approve_erasure({ id }),
    ])
    assert.equal(won(decided).length, 1)
    for (const one of decided) {
      if (one.status === 'rejected') assert.equal(one.reason.code, 'erasure_decided')
    }
  })

  test('withdrawn and granted at the same moment: one of the two', async () => {
    const fay = await acme.hire('Fay')
    const { id } = await fay.api.privacy.request_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    const done = await Promise.allSettled([
      fay.api.privacy.withdraw_erasure({}),
      provider.api.privacy.approve_erasure({ id }),
    ])
    assert.equal(won(done).length, 1)
  })

  test('money that was paid too much stands against it until it is settled', async () => {
    const gil = await acme.hire('Gil')
    const { id } = await gil.api.privacy.request_erasure({})
    await scene.sql`insert into accounts (company_id, plan_year, kind, category, person_id, balance_cents)
      select company_id, starts_on, 'overpaid', 'treatment', ${gil.id}, 4200 from plan_years
      where company_id = ${acme.id} order by starts_on desc limit 1`
    const { erasures } = await acme.admin.api.privacy.erasures({})
    const blockers = erasures.find((erasure) => erasure.id === id)?.blockers
    const blocker_cents = blockers?.map(({ code, cents }) => [code, cents])
    assert.deepEqual(blocker_cents, [['erasure_overpaid', 4200]])
    await refuses('erasure_overpaid', acme.admin.api.privacy.approve_erasure({ id }))
    await scene.sql`update accounts set balance_cents = 0
      where person_id = ${gil.id} and kind = 'overpaid'`
    await acme.admin.api.privacy.approve_erasure({ id })
  })

  test('where nobody else of the company may decide, the provider is asked', async () => {
    const hal = await acme.hire('Hal')
    const ida = await acme.hire('Ida')
    const waiting = await hal.api.privacy.request_erasure({})
    const people = await scene.sql<{ id: string }[]>`
      update company_rights set ended_at = now(), ended_by = person_id
      where company_id = ${acme.id} and kind = 'people' and ended_at is null returning id`
    const request = await ida.api.privacy.request_erasure({})
    await keepPrivacy({}, scene.tools)
    for (const { id } of [waiting, request]) {
      const { erasures } = await provider.api.privacy.erasures({})
      const { status, refusals } = erasures.find((one) => one.id === id)!
      assert.deepEqual([status, refusals], ['with_provider', yours_to_decide])
      await provider.api.privacy.refuse_erasure({ id, refusal: 'Ask again next year' })
    }
    await scene.sql`update company_rights set ended_at = null, ended_by = null
      where id = any (${people.map(({ id }) => id)}::uuid[])`
  })

  test('of a company that was suspended meanwhile the provider is asked', async () => {
    const shut = await scene.company({ name: 'Shut' })
    const { id } = await (await shut.hire()).api.privacy.request_erasure({})
    await provider.api.companies.suspend({ id: shut.id })
    await keepPrivacy({}, scene.tools)
    const { erasures } = await provider.api.privacy.erasures({})
    assert.deepEqual(erasures.find((one) => one.id === id)?.refusals, yours_to_decide)
    const { status } = await provider.api.privacy.approve_erasure({ id })
    assert.equal(status, 'under_way')
  })

  test('two admins who are erased at the same moment: one stays', async () => {
    const duo = await scene.company({ name: 'Duo' })
    const back = await duo.appoint('Second')
    const request = [
      await duo.admin.api.privacy.request_erasure({}),
      await back.api.privacy.request_erasure({}),
    ]
    const { refusals } = await duo.admin.api.privacy.find_erasure({ id: request[0]!.id })
    assert.deepEqual(refusals, { approve: 'yourself', refuse: 'yourself' })
    await refuses('yourself', duo.admin.api.privacy.approve_erasure({ id: request[0]!.id }))
    await back.api.privacy.approve_erasure({ id: request[0]!.id })
    await duo.admin.api.privacy.approve_erasure({ id: request[1]!.id })
    const done = await Promise.allSettled(
      request.map(({ id }) => provider.api.privacy.approve_erasure({ id })),
    )
    assert.equal(won(done).length, 1)
    const failed = done.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    assert.equal(failed.reason.code, 'erasure_only_admin')
  })

  test('one’s own that was withdrawn has nothing to answer any more', async () => {
    const pair = await scene.company()
    await pair.appoint('Back')
    const { privacy } = pair.admin.api
    const { id } = await privacy.request_erasure({})
    await privacy.withdraw_erasure({})
    const { refusals } = await privacy.find_erasure({ id })
    assert.deepEqual(refusals, { approve: 'erasure_decided', refuse: 'erasure_decided' })
  })
})
