// A figure that SQL keeps and a contract or a text repeats is the same one in both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answer_days } from '#claims/words.contract.ts'
import { import_limits } from '#employees/imports/imports.contract.ts'
import { receipt_limits } from '#receipts/limits.contract.ts'
import { problems } from '#problems.ts'
import { count } from '#ui/figures.ts'
import { openedScene } from './world/scene.ts'

const scene = openedScene()

/** A figure by SQL: a private function without parameters, or an expression. */
async function kept(what: string): Promise<number> {
  const [{ figure }] = await scene.sql.unsafe<[{ figure: number }]>(
    `select (${what})::integer as figure`,
  )
  return figure
}

test('a question waits as long as people are told', async () => {
  assert.equal(await kept(`extract(day from private.time_to_answer())`), answer_days)
})

test('receipts are as many to a claim, and wait for one, as the form takes', async () => {
  const { each_claim, unattached } = receipt_limits
  assert.equal(await kept('private.claim_receipts_max()'), each_claim)
  assert.ok(problems.too_many_receipts[1].includes(` ${each_claim} receipts`))
  assert.equal(await kept('private.unattached_receipts_max()'), unattached)
  assert.ok(problems.receipts_already_waiting[1].startsWith(`${unattached} receipts`))
})

test('the largest file can be added in a day, and its refusal names its rows', async () => {
  assert.ok((await kept(`private.people_added_max('active')`)) >= import_limits.rows)
  assert.match(problems.csv_too_many_rows[1], new RegExp(` ${count(import_limits.rows)} rows$`))
})
