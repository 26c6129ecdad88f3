// Exports stay as long as the installation is set to keep them, and say so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { keepPrivacy } from './jobs.server.ts'

const scene = openedScene({ env: { KEEP_EXPORTS_DAYS: '30' }, worker: true })

test('an export is there for the days that are set', async () => {
  const ana = await (await scene.company()).hire('Ana')
  await ana.api.privacy.request_export({})
  const ready = await until(async () => {
    const [newest] = await ana.api.privacy.exports({})
    return newest?.status === 'ready' && newest
  }, 'the export is ready')
  const kept_ms = Date.parse(ready.expires_at!) - Date.parse(ready.made_at!)
  assert.equal(kept_ms / 86_400_000, 30)
  await scene.sql`update data_exports set status = 'failed', requested_at = now() - interval '29 days'`
  await keepPrivacy({}, scene.tools)
  assert.equal((await ana.api.privacy.exports({})).length, 1)
})
