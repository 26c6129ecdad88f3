// Promises of erasure: whatever happens afterwards to what stays, nobody is looked for or mailed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { poster } from '#lib/mail.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribing } from '#notifications/unsubscribe.server.ts'
import { banked, payingCompany } from '../../test/payouts-stage.ts'
import { openScene, type Scene } from '../../test/scene.ts'
import { searchDatabase } from '../../test/search-database.ts'
import { forgetEverywhere } from './jobs.server.ts'

let scene: Scene
before(async () => (scene = await openScene()))
after(() => scene.close())

const tools = () => ({ sql: scene.sql, log: scene.services.log })

test('a payment that the bank sends back after they were erased is told to nobody, nor why', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await banked(acme, 'Ana')
  await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make())
  await scene.confirm(ana)
  const { id } = await ana.api.privacy.ask_for_erasure({})
  await hr.api.privacy.approve_erasure({ id })
  await acme.provider.api.privacy.approve_erasure({ id })
  await forgetEverywhere(false)({ person_id: ana.id }, tools())
  const reason = 'Account of Ana Quark was closed'
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason })
  assert.deepEqual(await acme.faults(), [])
  const told = await scene.sql`select code from notifications where person_id = ${ana.id}`
  assert.deepEqual([...told], [])
  const links = unsubscribing(Buffer.alloc(32), 'http://127.0.0.1')
  await mailNotifications({ site_url: 'http://127.0.0.1', post: poster(false), links })({}, tools())
  assert.deepEqual([...(await scene.sql`select id from mails where recipient = ''`)], [])
  assert.deepEqual(await searchDatabase(scene.sql, ['Ana Quark']), [])
})

test('a new account at their address keeps its mails, though the old one is still being forgotten', async () => {
  const acme = await scene.company()
  const provider = await scene.superAdmin()
  const bea = await acme.hire('Bea')
  const { id } = await bea.api.privacy.ask_for_erasure({})
  await acme.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  const again = await scene.signUp(bea.email, 'employee', { full_name: 'Bea Again' })
  await scene.sql`delete from mails where recipient = ${bea.email}`
  await scene.sql`select post_mail(${bea.email}, 'Welcome', 'x', 'x', false)`
  await forgetEverywhere(false)({ person_id: bea.id }, tools())
  const left = await scene.sql<{ person_id: string }[]>`
    select person_id from mails where recipient = ${bea.email}`
  assert.deepEqual(
    left.map(({ person_id }) => person_id),
    [again.id],
  )
})
