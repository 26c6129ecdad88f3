// The repository tests its tests: how they wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { files, read, sources } from './sources.ts'

test('a test waits by until.ts, which says what never came', () => {
  const tests = [
    ...sources.filter((file) => file.endsWith('.test.ts')),
    ...files('test', /\.ts$/).filter((file) => !file.startsWith('test/cluster/')),
  ]
  const paused = /timers\/promises|setTimeout\((?:resolve|done)\b/
  // Asking again without a pause: until a moment, or with a request in between. A stream is read, not asked.
  const loops =
    /now\(\) [<>]=? (?:deadline|until)\b|while \([(!]*await (?!reader\.read)|while \(.*\) await /
  assert.deepEqual(
    tests.filter((file) => paused.test(read(file)) || loops.test(read(file))),
    ['test/until.ts'],
  )
})
