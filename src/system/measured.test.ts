import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { openScene, type Scene } from '../../test/scene.ts'

const rules = new URL('../../ops/prometheus/rules.yaml', import.meta.url)
let scene: Scene
before(async () => (scene = await openScene({ env: { METRICS_TOKEN: 'secret' } })))
after(() => scene.close())

async function measured() {
  const headers = { authorization: 'Bearer secret' }
  const answer = await scene.house.app.request('/metrics', { headers })
  assert.equal(answer.status, 200)
  return answer.text()
}

test('jobs, mails, workers, backups and connections are measured', async () => {
  const before_it = await measured()
  assert.match(before_it, /^healthfund_workers 0$/m)
  assert.match(before_it, /^healthfund_last_backup_timestamp_seconds 0$/m)
  assert.match(before_it, /^healthfund_database_connections_most [1-9]\d+$/m)
  await scene.sql`select add_job('no:such', run_at => now() - interval '1 hour')`
  await scene.sql`select add_job('mail:send', json_build_object('id', 0), run_at => now() + interval '1 day')`
  await scene.sql`update private.last_backup set at = now()`
  const text = await measured()
  assert.match(text, /^healthfund_jobs\{state="queued"\} [1-9]/m)
  assert.match(text, /^healthfund_mails_waiting [1-9]/m)
  assert.ok(Number(/^healthfund_oldest_job_seconds (\S+)$/m.exec(text)?.[1]) >= 3_600)
  assert.match(text, /^healthfund_last_backup_timestamp_seconds 1\.?\d+e?/m)
})

test('every figure that an alert or the docs name is there', async () => {
  const text = await measured()
  const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const named = async (file: URL) =>
    [...(await readFile(file, 'utf8')).matchAll(/\b(?:http|healthfund)_[a-z_]+\b/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    )
  const names = await named(rules)
  assert.ok(names.length >= 10)
  const docs = new URL('../../docs/operations.md', import.meta.url)
  for (const name of [...names, ...(await named(docs))]) assert.ok(there.has(name), name)
})

test('Prometheus reads the alerts, where its tool is installed', (t) => {
  try {
    execFileSync('promtool', ['check', 'rules', rules.pathname], { stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.diagnostic('promtool is not installed here (Debian: prometheus)')
  }
})
