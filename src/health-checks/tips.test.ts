import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf, retention_rules } from '#lib/retention.ts'
import { housekeeping } from '#system/housekeeping.server.ts'
import { open } from '../../test/world/health-checks.ts'
import { openedScene } from '../../test/world/scene.ts'
import { remindOfDue } from './jobs.server.ts'

const scene = openedScene()

test('whoever wants tips is reminded of the yearly check once, while none is booked and one can be', async () => {
  const acme = await scene.company()
  const cem = await acme.hire('Cem')
  const dora = await acme.hire('Dora')
  const eve = await acme.hire('Eve')
  await scene.sql`update profiles set role = 'company_admin', has_own = true where id = ${eve.id}`
  const tips = async () => {
    await remindOfDue({}, scene.tools)
    const notices = await scene.sql<{ person_id: string }[]>`
      select person_id from notifications where code = 'check_due'
        and person_id in (${cem.id}, ${dora.id}, ${eve.id}) order by id`
    const names = new Map([
      [cem.id, 'Cem'],
      [dora.id, 'Dora'],
      [eve.id, 'Eve'],
    ])
    return notices.map(({ person_id }) => names.get(person_id))
  }
  const { ids } = await open(acme.admin)
  assert.deepEqual(await tips(), [], 'nobody asked for them')
  await dora.api.settings.change_switches({ health_tips: true })
  await dora.api.health_checks.book({ slot_id: ids[0]! })
  await cem.api.settings.change_switches({ health_tips: true })
  await scene.sql`update profiles set left_on = company_today(${acme.id}) + 2 where id = ${cem.id}`
  assert.deepEqual(await tips(), [], 'nor who will have left by then')
  await scene.sql`update profiles set left_on = company_today(${acme.id}) + 9 where id = ${cem.id}`
  assert.deepEqual(await tips(), ['Cem'])
  assert.deepEqual(await tips(), ['Cem'])
  await eve.api.settings.change_switches({ health_tips: true })
  assert.deepEqual(await tips(), ['Cem', 'Eve'], 'an admin with benefits of their own, too')
  await scene.sql`update check_bookings set starts_at = now() - interval '1 year' + interval '1 hour',
    day = company_today(${acme.id}) - interval '1 year' where person_id = ${dora.id}`
  assert.equal((await dora.api.health_checks.reminder({})).due, true)
  const all = ['Cem', 'Eve', 'Dora']
  assert.deepEqual(await tips(), all, 'on the day, whatever the time of it')
  await scene.sql`update notifications set at = now() - interval '1 year' + interval '1 hour',
    mailed_at = now() where code = 'check_due'`
  const days = { ...daysOf(scene.config), notifications: retention_rules.notifications.least }
  await housekeeping(days)({}, scene.tools)
  assert.deepEqual(await tips(), all, 'also where notifications go as early as the settings allow')
})
