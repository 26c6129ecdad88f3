// The page of all parts of src/ui in every state, which the product does not have: drawn from the sources.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createServer } from 'vite'
import { openBrowser } from '../browser.ts'
import { opened } from '../world/opened.ts'
import { opener } from './stage.ts'

export const openedParts = () => opened(openParts)

async function openParts() {
  const root = path.resolve(import.meta.dirname, '../..')
  const server = { host: '127.0.0.1', hmr: false, watch: null }
  // Packages are bundled into a folder of its own: two files of tests that shared one would take it from each other's pages.
  const cacheDir = await mkdtemp(path.join(tmpdir(), 'healthfund-parts-'))
  const optimizeDeps = { entries: ['test/parts/index.html'] }
  const vite = await createServer({ root, cacheDir, optimizeDeps, logLevel: 'error', server })
  await vite.listen()
  // The first page would wait for each of its modules to be compiled, on a busy machine longer than a browser does.
  await vite.warmupRequest('/test/parts/main.tsx')
  await vite.waitForRequestsIdle()
  const browser = await openBrowser()
  const faults: string[] = []
  const url = `${vite.resolvedUrls!.local[0]}test/parts/index.html`
  return {
    url,
    /** The browser's complaints. */
    faults,
    open: opener(browser, url, faults),
    close: async () => {
      await Promise.all([browser.close(), vite.close()])
      await rm(cacheDir, { recursive: true })
    },
  }
}
