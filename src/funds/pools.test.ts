import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { categories, type Category } from '#categories.ts'
import { movesBetween, pull, sumOfPools, type Pools } from './pools.ts'

const cents = fc.integer({ min: 0, max: 1e12 })
const pools = fc.record({ prevention: cents, treatment: cents, solidarity: cents })

test('pulling one pool keeps the sum, and none goes below zero', () => {
  fc.assert(
    fc.property(pools, fc.constantFrom(...categories), fc.integer(), (now, pulled, to) => {
      const then = pull(now, pulled, to)
      assert.equal(sumOfPools(then), sumOfPools(now))
      for (const category of categories) assert.ok(then[category] >= 0)
    }),
  )
})

test('a pool that is kept stays to the cent, and the sum with it', () => {
  const two = fc
    .shuffledSubarray([...categories], { minLength: 2, maxLength: 2 })
    .map(([pulled, kept]) => [pulled, kept] as [Category, Category])
  fc.assert(
    fc.property(pools, two, fc.integer(), (now, [pulled, kept], to) => {
      const then = pull(now, pulled, to, kept)
      assert.equal(then[kept], now[kept])
      assert.equal(sumOfPools(then), sumOfPools(now))
      for (const category of categories) assert.ok(then[category] >= 0)
    }),
  )
})

test('the moves that are shown lead to what is wanted, in two at most', () => {
  fc.assert(
    fc.property(pools, fc.constantFrom(...categories), cents, (now, pulled, to) => {
      const targets = pull(now, pulled, to)
      const moves = movesBetween(now, targets)
      const then: Pools = { ...now }
      for (const move of moves) {
        then[move.from] -= move.cents
        then[move.to] += move.cents
      }
      assert.deepEqual(then, targets)
      assert.ok(moves.length <= 2)
    }),
  )
})
