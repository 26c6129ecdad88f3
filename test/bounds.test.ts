import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { boundsOf } from '#ui/bounds.ts'
import { numberOrNull, numberText } from '#ui/whole-number.ts'

test('a field has the bounds of its shape, typed as text or left empty', () => {
  const days = z.int().min(1).max(60)
  const note = z.string().trim().max(500)
  for (const shape of [
    days,
    z.coerce.number().min(1).max(60),
    numberText(days),
    numberOrNull(days),
  ])
    assert.partialDeepStrictEqual(boundsOf(shape), { min: 1, max: 60 })
  for (const shape of [note, note.nullish(), z.literal('').or(note), note.pipe(z.email())])
    assert.equal(boundsOf(shape).most, 500)
})

test('a shape without bounds has none', () => {
  for (const shape of [undefined, z.string(), z.iso.date(), z.boolean()])
    assert.deepEqual(Object.values(boundsOf(shape)).filter(Boolean), [])
})
