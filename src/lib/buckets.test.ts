import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Buckets } from './limits.server.ts'

test('a bucket empties, and fills again with time', () => {
  const buckets = new Buckets({ burst: 3, per_second: 0.5 })
  const taken = (now: number) => buckets.take('somebody', { now })
  assert.deepEqual([0, 0, 0, 0].map(taken), [true, true, true, false])
  assert.equal(taken(1_999), false)
  assert.equal(taken(2_000), true)
  assert.equal(taken(2_000), false)
  assert.equal(buckets.take('somebody else', { now: 2_000 }), true)
})

test('a clock that goes back takes nothing away', () => {
  const buckets = new Buckets({ burst: 2, per_second: 1 })
  assert.deepEqual(
    [9_000, 0, 0].map((now) => buckets.take('somebody', { now })),
    [true, true, false],
  )
})

test('whoever keeps asking is not forgotten for the sake of those who ask once', () => {
  const buckets = new Buckets({ burst: 1, per_second: 0 })
  buckets.take('insistent', { now: 0 })
  for (let one = 0; one < 60_000; one += 1) {
    buckets.take(`stranger ${one}`, { now: 0 })
    if (one % 20_000 === 0) assert.equal(buckets.take('insistent', { now: 0 }), false)
  }
  assert.equal(buckets.take('insistent', { now: 0 }), false)
})
