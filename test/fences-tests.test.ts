// The repository tests its tests: how they wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { files, read, sources } from './sources.ts'

/** Pauses that are what is measured, or a person who reads. */
const pauses = ['src/receipts/storage.test.ts', 'test/until.ts']

test('a test waits by until.ts, which says what never came', () => {
  const tests = [
    ...sources.filter((file) => file.endsWith('.test.ts')),
    ...files('test', /\.ts$/).filter((file) => !file.startsWith('test/cluster/')),
  ]
  const pause = /timers\/promises|setTimeout\((?:resolve|done)\b/
  assert.deepEqual(
    tests.filter((file) => pause.test(read(file))),
    pauses,
  )
})
