// A figure that SQL keeps and a contract or a text repeats is the same one in both.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answer_days } from '#claims/words.contract.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
before(async () => (scene = await openScene()))
after(() => scene.close())

/** Of SQL: a private function without parameters, or an expression. */
async function kept(what: string): Promise<number> {
  const [{ figure }] = await scene.sql.unsafe<[{ figure: number }]>(
    `select (${what})::integer as figure`,
  )
  return figure
}

test('a question waits as long as people are told', async () => {
  assert.equal(await kept(`extract(day from private.time_to_answer())`), answer_days)
})
