// The input of an act for somebody who asks about their own.
import type { Endpoint } from '#lib/contract.ts'
import { fields } from './act-ids.ts'
import type { Belongings } from './world/one-of-each.ts'
import type { Filled } from './own-values.ts'
import { sampleOf } from './samples.ts'

/** The sample of an act’s shape, the values for it, and of one’s own whatever id it wants beside. */
export function inputOf(
  { act, endpoint }: { act: string; endpoint: Endpoint },
  own: Belongings,
  all: Filled,
): Record<string, unknown> {
  const values = all[act] ?? {}
  const input: Record<string, unknown> = { ...sampleOf(endpoint.input), ...values }
  for (const { act: of, path, kind } of fields) {
    if (of !== act || path.includes('.') || !(path in input) || path in values) continue
    input[path] = inputValue(act, path, own.ids[kind!])
  }
  return input
}

/** Others called `ids` are a text of them, divided by commas. */
const ids_in_a_list = new Set(['receipts.reuse', 'rights.confirm'])

export function inputValue(act: string, name: string, id: string | number) {
  if (name.endsWith('_ids') || (name === 'ids' && ids_in_a_list.has(act))) return [id]
  return name === 'ids' ? String(id) : id
}
