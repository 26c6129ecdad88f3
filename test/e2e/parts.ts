// The page of all parts of src/ui in every state, which the product does not have: drawn from the sources.
import path from 'node:path'
import { createServer } from 'vite'
import { openBrowser } from '../browser.ts'
import { opened } from '../world/opened.ts'
import { opener } from './stage.ts'

export const openedParts = () => opened(openParts)

async function openParts() {
  const root = path.resolve(import.meta.dirname, '../..')
  const server = { host: '127.0.0.1', hmr: false, watch: null }
  const vite = await createServer({ root, logLevel: 'error', server })
  await vite.listen()
  const browser = await openBrowser()
  const faults: string[] = []
  const url = `${vite.resolvedUrls!.local[0]}test/parts/index.html`
  return {
    url,
    /** The browser's complaints. */
    faults,
    open: opener(browser, url, faults),
    close: () => Promise.all([browser.close(), vite.close()]),
  }
}
