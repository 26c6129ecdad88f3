// Any filter, path or patch is read or refused, at once, and touches nothing else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '#problems.ts'
import { readFilter, readPath } from './filter.ts'
import { canonicalBody, patched, readOperations } from './patch.ts'

const words =
  'userName emails name.givenName active members __proto__ constructor eq co pr and or not ( ) [ ] ' +
  '.value "x" " \\ true urn:ietf:params:scim:schemas:core:2.0:User:userName 1 - \u0000 🙂'
const word = fc.constantFrom(...words.split(' '))
const sentence = fc.array(word, { maxLength: 40 }).map((some) => some.join(' '))
const text = fc.oneof(sentence, fc.string({ maxLength: 200 }), fc.string({ unit: 'binary' }))

/** Read, or refused as a problem: anything else would be a fault. */
function onlyRefuses(read: () => unknown) {
  try {
    read()
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
  }
}

test('a filter and a path are read or refused', () => {
  fc.assert(
    fc.property(text, (text_value) => {
      onlyRefuses(() => readFilter(text_value))
      onlyRefuses(() => readPath(text_value))
    }),
    { numRuns: 3000 },
  )
})

test('a patch is done or refused, and changes neither what it was given nor any prototype', () => {
  const resource = {
    userName: 'x',
    name: { givenName: 'X' },
    emails: [{ value: 'x@x.test', type: 'work', primary: true }],
  }
  const before = JSON.stringify(resource)
  const operation = fc.record(
    {
      op: fc.constantFrom('add', 'Replace', 'REMOVE', 'move'),
      path: fc.option(text, { nil: undefined }),
      value: fc.oneof(fc.jsonValue(), fc.dictionary(word, fc.jsonValue())),
    },
    { requiredKeys: ['op'] },
  )
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
      onlyRefuses(() => patched(resource, readOperations({ Operations: operations })))
      assert.equal(JSON.stringify(resource), before)
      assert.deepEqual(Object.keys(Object.prototype), [])
    }),
    { numRuns: 3000 },
  )
})

test('a body of a hundred thousand levels is cut off, not followed', () => {
  const deep = JSON.parse(`${'{"name":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
  assert.ok(JSON.stringify(canonicalBody(deep)).length < 100)
  const operations = [
    { op: 'add', path: 'name', value: deep },
    { op: 'add', value: deep },
  ]
  onlyRefuses(() => patched({}, readOperations({ Operations: operations })))
  onlyRefuses(() => readFilter('('.repeat(1999)))
})
