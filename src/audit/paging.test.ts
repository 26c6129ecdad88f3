// An act stands on one page, however small the page, and no entry is lost or told twice.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { actsOf } from './story.ts'

const scene = openedScene()
let hr: Person
let released: string
let company_id: string
before(async () => {
  const paying = await payingCompany(scene)
  hr = paying.hr
  company_id = paying.acme.id
  const ana = await payee(paying.acme, 'Ana')
  for (const amount_cents of [4000, 3000, 2000]) await paying.acme.agreeing(ana, { amount_cents })
  const made = await paying.make()
  await paying.second.api.payouts.release({ id: made.id, version: made.version })
  released = `Second released payout ${made.id} (3 claims)`
  await paying.acme.claim(ana, { amount_cents: 9000 })
})

type AuditFilter = Parameters<Person['api']['audit']['list']>[0]
async function pagesOf(filter: AuditFilter) {
  const pages = []
  let after: string | undefined
  do {
    const page = await hr.api.audit.list({ ...filter, ...(after && { after }) })
    pages.push(page.entries)
    after = page.next ?? undefined
  } while (after)
  return pages
}
const textsOf = (pages: Awaited<ReturnType<typeof pagesOf>>) =>
  pages.flatMap((entries) => actsOf(entries).map(({ text }) => text))

test('an act is told as one wherever the page ends', async () => {
  const whole = await pagesOf({ limit: 200 })
  assert.ok(textsOf(whole).includes(released))
  const ids = whole.flat().map(({ id }) => id)
  for (const limit of [1, 2, 3, 4, 5, 7]) {
    const pages = await pagesOf({ limit })
    assert.deepEqual(textsOf(pages), textsOf(whole), `${limit} to a page`)
    const entry_ids = pages.flat().map(({ id }) => id)
    assert.deepEqual(entry_ids, ids, `${limit} to a page`)
  }
  const found = await pagesOf({ limit: 2, search: 'Second' })
  assert.ok(textsOf(found).includes(released))
})

test('acts that wrote in turns are each told as one', async () => {
  const [admin, second] = ['11111111', '22222222']
  await scene.sql`
    insert into audit_log (company_id, at, actor_id, actor_role, request_id, act, table_name, row_id)
    select ${company_id}, now() + (i % 2) * interval '1 ms', ${hr.id}, 'company_admin',
      case i % 2 when 0 then ${admin} else ${second} end, 'insert',
      case i % 2 when 0 then 'claims' else 'receipts' end, i::text
    from generate_series(1, 12) i`
  for (const limit of [1, 2, 3, 5, 200]) {
    const texts = textsOf(await pagesOf({ limit }))
    const lead_texts = ['admin uploaded 6 receipts', 'admin submitted 6 claims']
    assert.deepEqual(new Set(texts.slice(0, 2)), new Set(lead_texts), `${limit} to a page`)
    assert.ok(!texts.slice(2).some((text) => lead_texts.includes(text)))
  }
})
