// Test files of one process, one after the other: what all of them load is loaded once.
import { AsyncResource } from 'node:async_hooks'
import path from 'node:path'
import { describe } from 'node:test'

const { RANDOM_SEED } = process.env
if (RANDOM_SEED) (await import('fast-check')).configureGlobal({ seed: Number(RANDOM_SEED) })

const root = path.resolve(import.meta.dirname, '..')

let loaded: Promise<unknown> = Promise.resolve()
for (const file of process.argv.slice(2)) {
  const before = loaded
  const { promise, resolve } = Promise.withResolvers<void>()
  loaded = promise
  describe(file, async () => {
    // Tests at a file's top level belong to the suite in which it is loaded.
    const load = AsyncResource.bind(() => import(path.join(root, file)))
    await before // where two wait for the same module, the tests of both would become one's
    await load().finally(resolve)
  })
}
