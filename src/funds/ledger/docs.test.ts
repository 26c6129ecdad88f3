// docs/ledger.md says what is so: its examples are run, in their order, and print what stands under them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openedScene } from '../../../test/world/scene.ts'
import { verifyAll } from './verify.server.ts'

const scene = openedScene()

const text = readFileSync(new URL('../../../docs/ledger.md', import.meta.url), 'utf8')
const examples = [...text.matchAll(/```sql\n([^`]+)```\n```\n([^`]*)```/g)].map(
  ([, words, prints]) => ({
    words: words!,
    prints: prints!.trim(),
  }),
)

async function run(words: string): Promise<string> {
  try {
    const last = await scene.sql.unsafe(words)
    return last
      .map((row) => Object.values(row).join(' | '))
      .join('\n')
      .trim()
  } catch (error) {
    const { constraint, message } = error as { constraint?: string; message: string }
    return `refused: ${constraint ?? message}`
  }
}

test('the examples of docs/ledger.md', async () => {
  const company = await scene.company()
  const ana = await company.hire('Ana')
  const { plan_year } = await company.admin.api.funds.overview({})
  const names: Record<string, string> = { company: company.id, year: plan_year, ana: ana.id }
  assert.ok(examples.length >= 8)
  for (const { words, prints } of examples) {
    const named = words.replace(/:(company|year|ana)\b/g, (_, name: string) => `'${names[name]}'`)
    assert.equal(await run(named), prints, words)
  }
})

test('npm run ledger:verify says so for all companies, or names the bad entry', async () => {
  assert.match((await verifyAll(scene.sql)).sentence, /^\d+ transfers, \d+ accounts, all good$/)
  await scene.sql`update accounts set balance_cents = balance_cents + 1 where kind = 'paid'`
  const found = await verifyAll(scene.sql)
  assert.equal(found.good, false)
  assert.match(
    found.sentence,
    /^Acme \(.+\): Account \d+ does not hold what its entries add up to$/,
  )
})
