// A request with a key is answered once, however often it is sent.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import type { Tx } from './db.server.ts'
import { start, type Later } from './transactions.server.ts'

type Transaction = { tx: Tx; actor: Actor; later: Later }
type Once = { key: string; act: string; input: Record<string, unknown> }

/** The record that the earlier act made, for a client that lost the answer. */
const Made = z.object({ id: z.union([z.string(), z.number()]) })

/** Thrown if the request was answered before: what the act did now is rolled back, and the earlier answer is sent again. */
export class AnsweredBefore extends Error {
  readonly answer: unknown

  constructor(answer: unknown) {
    super('answered before')
    this.answer = answer
  }
}

/**
 * Gives a retry with the same key the first answer; the same key for another question is refused. The act begins while the key is
 * still being looked up: nearly always it is new, and the act's first statement travels along.
 */
export async function performOnce(
  { tx, actor, later }: Transaction,
  { key, act, input }: Once,
  perform: () => Promise<unknown>,
): Promise<unknown> {
  if (key.length < 1 || key.length > 200) {
    throw new Problem('invalid_input', {
      fields: { 'Idempotency-Key': ['From 1 to 200 characters'] },
    })
  }
  const question = createHash('sha256').update(act).update(JSON.stringify(input)).digest()
  const before = start(tx<{ question: Buffer; answer: unknown }[]>`
    select question, answer from answer_before(${key})`)
  const [performed, found] = await Promise.allSettled([perform(), before])
  if (found.status === 'rejected') throw found.reason
  const [earlier] = found.value
  if (earlier && !question.equals(earlier.question))
    throw new Problem('idempotency_key_reused', { facts: Made.safeParse(earlier.answer).data })
  if (earlier) throw new AnsweredBefore(earlier.answer)
  if (performed.status === 'rejected') throw performed.reason
  const answer = performed.value
  later(tx`
    insert into answered_requests (person_id, key, question, answer)
    values (${actor.id}, ${key}, ${question}, ${tx.json(answer)})`)
  return answer
}
