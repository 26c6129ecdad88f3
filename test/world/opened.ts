// Opens the scene of a file's tests, or of one `describe`, or a company in it, before the first of them, and closes
// after the last what can be closed.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'

/** Empty until then: it is asked in hooks and tests, not where they are written down. */
export function opened<World extends object>(open: () => Promise<World>): World {
  const world = {} as World & { close?: () => unknown }
  before(async () => {
    const made = await open()
    assert.equal(
      Object.getPrototypeOf(made),
      Object.prototype,
      'of a class its methods stay behind',
    )
    Object.assign(world, made)
  })
  after(() => world.close?.())
  return world
}
