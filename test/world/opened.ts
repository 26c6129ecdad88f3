// Opens the scene of a file's tests, or of one `describe`, before the first of them, and closes it after the last.
import { after, before } from 'node:test'

/** Empty until then: it is asked in hooks and tests, not where they are written down. */
export function opened<World extends { close: () => Promise<unknown> }>(
  open: () => Promise<World>,
): World {
  const world = {} as World
  before(async () => void Object.assign(world, await open()))
  after(() => world.close?.())
  return world
}
