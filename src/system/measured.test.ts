import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const rules = new URL('../../ops/prometheus/rules.yaml', import.meta.url)
const scene = openedScene({ env: { METRICS_TOKEN: 'secret', AUTH_AUTOCONFIRM: 'off' } })

async function measured() {
  const headers = { authorization: 'Bearer secret' }
  const answer = await scene.services.app.request('/metrics', { headers })
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

test('mails that a used-up share refuses are counted by whose share it was', async () => {
  await scene.sql`insert into auth.buckets (name, level, at) values ('mails', 0, now())
    on conflict (name) do update set level = 0, at = now()`
  const { app } = scene.services
  const response = await app.request('/auth/v1/recover', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@quiet.test' }),
  })
  assert.equal(response.status, 429)
  assert.match(await measured(), /^account_mails_refused_total\{share="all"\} 1$/m)
  await scene.sql`delete from auth.buckets`
})

test('answers are counted by the routes there are, whatever addresses are asked', async () => {
  const boss = await scene.superAdmin()
  const series = async () =>
    new Set((await measured()).match(/^http_request_seconds_count\{[^}]*\}/gm))
  const ask = async (word: string) => {
    const paths = [
      `/${word}`,
      `/api/${word}`,
      `/api/companies/${word}`,
      `/api/claims/1/${word}/${word}`,
      `/api/${encodeURIComponent(`:${word}/*`)}`,
      `/api/v1/${word}`,
      `/api/together?questions=${word}`,
      `/auth/v1/${word}`,
      `/auth/v1/admin/users/${word}`,
      `/scim/v2/Users/${word}`,
      `/scim/v2/${word}`,
      `/dev/${word}`,
      `/assets/${word}`,
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'PUT', 'PROPFIND']) {
        const headers = { authorization: `Bearer ${boss.token}` }
        await scene.services.app.request(path, { method, headers })
      }
    }
  }
  await ask('first')
  const before_it = await series()
  for (const word of ['other', 'third', 'fourth']) await ask(word)
  const added = [...(await series())].filter((one) => !before_it.has(one))
  assert.deepEqual(added, [])
  assert.ok(![...before_it].some((one) => one.includes('first')))
})

test('sign-ins, refused requests, connections and the disk are measured', async () => {
  const boss = await scene.superAdmin()
  const company = await scene.company()
  const count = async (line: RegExp) => Number(line.exec(await measured())?.[1] ?? 0)
  const [good, bad] = ['in', 'refused'].map(
    (outcome) =>
      new RegExp(`^healthfund_sign_ins_total\\{by="password",outcome="${outcome}"\\} (\\d+)`, 'm'),
  ) as [RegExp, RegExp]
  const forbidden = /^http_refusals_total\{code="forbidden"\} (\d+)/m
  const before_it = [await count(good), await count(bad), await count(forbidden)]
  await scene.signIn(boss.email)
  await assert.rejects(scene.signIn('nobody@healthfund.test'), /invalid_credentials/)
  await refuses('forbidden', company.admin.api.system.health({}))
  const after_it = [await count(good), await count(bad), await count(forbidden)]
  assert.deepEqual(
    after_it.map((number, at) => number - before_it[at]!),
    [1, 1, 1],
  )
  const text = await measured()
  assert.match(text, /^healthfund_pool_open\{pool="request"\} [1-9]/m)
  assert.match(text, /^healthfund_pool_waiting\{pool="owner"\} \d/m)
  assert.match(text, /^healthfund_disk_free_bytes [1-9]/m)
  assert.match(text, /^healthfund_database_bytes [1-9]/m)
  assert.doesNotMatch(text, /healthfund\.test|nobody/)
})

const board = new URL('../../ops/grafana/healthfund.json', import.meta.url)

test('every figure that an alert, the board or the docs name is there', async () => {
  const text = await measured()
  const there = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const named = async (file: URL) =>
    [
      ...(await readFile(file, 'utf8')).matchAll(
        /\b(?:http|healthfund|live|process|nodejs)_[a-z0-9_]+\b/g,
      ),
    ].map(([name]) => name.replace(/_(bucket|count)$/, ''))
  const names = await named(rules)
  assert.ok(names.length >= 10)
  const docs = new URL('../../docs/running.md', import.meta.url)
  const shown = await named(board)
  assert.ok(shown.length >= 20)
  for (const name of [...names, ...shown, ...(await named(docs))]) assert.ok(there.has(name), name)
})

type Panel = { id: number; gridPos: { x: number; y: number; w: number; h: number } }

test('the board’s panels have their own places', async () => {
  const { panels } = JSON.parse(await readFile(board, 'utf8')) as { panels: Panel[] }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { gridPos } of panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        assert.ok(x < 24 && !taken.has(`${x} ${y}`), `${x} ${y}`)
        taken.add(`${x} ${y}`)
      }
})

test('Prometheus reads the alerts, and they are called out, where its tool is installed', (t) => {
  const promtool = (...words: string[]) => execFileSync('promtool', words, { stdio: 'pipe' })
  try {
    promtool('check', 'rules', rules.pathname)
    promtool('test', 'rules', new URL('rules.test.yaml', rules).pathname)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.skip('promtool is not installed here (Debian: prometheus)')
  }
})
