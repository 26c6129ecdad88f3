// A chain cut off at its end, which the database alone cannot prove: a seal in the log shows it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { logSeals } from './jobs.server.ts'

const scene = openedScene()
const acme = opened(() => scene.company())

type LoggedSeal = { chain: string; of: string; number: number; hash: string }

test('the newest seals are told once each; a chain whose end was cut lacks the one that was told', async () => {
  const logged: LoggedSeal[] = []
  const log = { ...scene.services.log, info: (head: LoggedSeal) => logged.push(head) } as never
  const logAgain = logSeals()
  await scene.seal()
  await logAgain({}, { sql: scene.sql, log })
  const first = logged.length
  assert.ok(logged.some(({ chain, of }) => chain === acme.id && of === 'record'))
  await logAgain({}, { sql: scene.sql, log })
  assert.equal(logged.length, first, 'what has not grown is not told again')

  await acme.hire('Ana')
  await scene.seal()
  await logAgain({}, { sql: scene.sql, log })
  const newest = logged.findLast(({ chain, of }) => chain === acme.id && of === 'record')!
  const holds = async () => {
    const found = await scene.sql`select from audit_seals where company_id = ${newest.chain}
      and number = ${newest.number} and hash = decode(${newest.hash}, 'hex')`
    return found.length === 1
  }
  assert.equal(await holds(), true)
  // The owner of the database removes the last entry and its seal, and sets the head back.
  await scene.sql`with cut as (delete from audit_seals where company_id = ${acme.id}
      and number = ${newest.number} returning audit_id)
    delete from audit_log l using cut c where l.id = c.audit_id`
  await scene.sql`update audit_heads h set number = s.number, hash = s.hash from audit_seals s
    where h.company_id = ${acme.id} and s.company_id = h.company_id and s.number = ${newest.number - 1}`
  const [record] = await scene.sql<[{ fault: string | null }]>`
    select fault from verify_audit(${acme.id})`
  assert.equal(record.fault, null)
  assert.equal(await holds(), false)
})

test('an entry that is sealed a second time is found, however well its seal is made', async () => {
  const beta = await scene.company({ name: 'Beta' })
  await scene.seal()
  const fault = async () => {
    const [found] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_audit(${beta.id})`
    return found.fault
  }
  assert.equal(await fault(), null)
  await scene.sql`with again as (
      insert into audit_seals (company_id, number, audit_id, content, hash)
      select s.company_id, h.number + 1, s.audit_id, s.content, private.chained_hash(h.hash, s.content)
        from audit_heads h join audit_seals s on s.company_id = h.company_id and s.number = h.number
        where h.company_id = ${beta.id} returning *)
    update audit_heads h set number = a.number, hash = a.hash from again a
      where h.company_id = a.company_id`
  assert.equal(await fault(), 'seal_changed')
})
