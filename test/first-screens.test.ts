// A server that has just started: the first who come are waited for, though each statement is new to its connections.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect } from '#lib/db.server.ts'
import { testDatabase, type TestDatabase } from './database.ts'
import { killAndRestart, root, startServer, type Server } from './server-process.ts'
import { apiFor, peopleAt } from './world/people.ts'

let database: TestDatabase
let folder: string
let server: Server | undefined
before(async () => {
  await buildIfStale(root)
  database = await testDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'healthfund-first-'))
})
after(async () => {
  server?.process.kill('SIGKILL')
  await database.drop()
  await rm(folder, { recursive: true })
})

test('a fresh server answers all that five open screens ask at once', async () => {
  const place = { url: database.url, folder }
  const first = await startServer(place)
  const sql = connect(database.url, { max: 1 })
  const { signUp } = peopleAt(first, sql)
  const people = await Promise.all(
    [1, 2, 3, 4, 5].map((at) => {
      const names = { full_name: `Hana ${at}`, company_name: `First ${at}` }
      return signUp(`hr@first${at}.test`, 'company_admin', names)
    }),
  )
  await sql`update companies set status = 'active'`
  await sql.end()
  server = await killAndRestart(first, place)
  const fresh = server
  const requests = people.flatMap(({ token }) => {
    const api = apiFor(fresh, token)
    return [
      api.users.me({}),
      api.companies.first_day({}),
      api.notifications.unread({}),
      api.notifications.list({}),
      api.employees.summary({}),
      api.employees.list({}),
      api.employees.departments({}),
      api.funds.overview({}),
      api.funds.trend({}),
      api.review.waiting({}),
      api.review.queue({}),
      api.policies.types({}),
      api.policies.current({}),
      api.groups.list({}),
      api.rights.list({}),
    ]
  })
  const refused = (await Promise.allSettled(requests)).filter(({ status }) => status === 'rejected')
  assert.deepEqual(refused, [])
})
