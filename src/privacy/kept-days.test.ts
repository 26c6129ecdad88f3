// Exports stay as long as the installation is set to keep them, and say how long the rest is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { keepPrivacy } from './jobs.server.ts'

const env = {
  KEEP_EXPORTS_DAYS: '30',
  KEEP_SIGN_INS_DAYS: '31',
  KEEP_NOTIFICATIONS_DAYS: '366',
  KEEP_MAILS_DAYS: '1',
  KEEP_SCIM_CALLS_DAYS: '33',
  KEEP_RECEIPTS_DAYS: '500',
  KEEP_RECORD_DAYS: '730',
}
const scene = openedScene({ env, worker: true })

async function exported() {
  const ana = await (await scene.company()).hire('Ana')
  await ana.api.privacy.request_export({})
  const ready = await until(async () => {
    const [newest] = (await ana.api.privacy.exports({})).exports
    return newest?.status === 'ready' && newest
  }, 'the export is ready')
  return { ana, ready }
}

test('an export is there for the days that are set', async () => {
  const { ana, ready } = await exported()
  const kept_ms = Date.parse(ready.expires_at!) - Date.parse(ready.made_at!)
  assert.equal(kept_ms / 86_400_000, 30)
  await scene.sql`update data_exports set status = 'failed', requested_at = now() - interval '29 days'`
  await keepPrivacy({}, scene.tools)
  assert.equal((await ana.api.privacy.exports({})).exports.length, 1)
})

test('an export says how long each part is kept here, not what other installations are set to', async () => {
  const { ana, ready } = await exported()
  const blob = await ana.api.privacy.download_export({ id: ready.id })
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()))
  const parts = strFromU8(files['README.txt']!).split('\r\n')
  const kept = (title: string) =>
    parts.find((part) => part.startsWith(`${title}\n`))?.match(/Kept: (.*)\n/)?.[1]
  assert.equal(kept('What happened to the account'), '31 days.')
  assert.equal(kept('Notifications to you'), '366 days.')
  assert.equal(
    kept('Mails on their way to you'),
    'Until they are sent; one day where no mail server is set.',
  )
  assert.equal(
    kept('What your company’s identity provider calls you, and its groups you are in'),
    'As long as the account; what it asked to be changed, 33 days.',
  )
  assert.equal(
    kept('Receipts, with their files'),
    '500 days after the plan year; a day where no claim came of it.',
  )
  assert.equal(
    kept('The record of changes: what you changed'),
    '730 days; its entries are sealed into a chain.',
  )
  assert.equal(kept('Exports of your data'), '30 days.')
})
