// The weight of a first visit over the wire, compressed as browsers ask for it.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { openedStage, untilSettled } from './stage.ts'

const dist = path.resolve(import.meta.dirname, '../../dist')
const kilobyte = 1024

const stage = openedStage()

/** A file's own .br where there is one, else the file. */
async function sizeOf(url: string): Promise<number> {
  const file = path.join(dist, new URL(url).pathname)
  const found = await stat(`${file}.br`).catch(() => stat(file))
  return found.size
}

async function transferOf(address: string, email?: string) {
  const page = await stage.open({ viewport: { width: 1440, height: 900 } })
  if (email) await stage.signIn(page, email)
  // A second tab of the same person: signed in, with nothing of the screens kept.
  const session = await page.context().storageState()
  await page.context().close()
  const fresh = await stage.open({ viewport: { width: 1440, height: 900 }, storageState: session })
  const files = new Set<string>()
  fresh.on('requestfinished', (request) => {
    if (request.url().includes('/assets/')) files.add(request.url())
  })
  await fresh.goto(address)
  await fresh.locator('h1').first().waitFor()
  await untilSettled(fresh)
  const page_bytes = (await fresh.content()).length / 3 // markup shrinks at least so much
  const sizes = await Promise.all([...files].map(sizeOf))
  await fresh.context().close()
  return {
    kb: (sizes.reduce((sum, size) => sum + size, 0) + page_bytes) / kilobyte,
    files: [...files].map((url) => path.basename(url)),
  }
}

test('the landing page weighs at most 90 KB', async () => {
  const { kb, files } = await transferOf('/')
  assert.ok(kb <= 90, `${kb.toFixed(1)} KB: ${files.join(' ')}`)
})

test('each dashboard weighs at most 250 KB, and no chart library is in it', async () => {
  const acme = await stage.scene.company()
  const people = {
    '/dashboard/super-admin': await stage.scene.superAdmin(),
    '/dashboard/company-admin': acme.admin,
    '/dashboard/employee': await acme.hire('Ana'),
  }
  for (const [address, { email }] of Object.entries(people)) {
    const { kb, files } = await transferOf(address, email)
    if (process.env['SHOW_WEIGHT']) console.log(address, kb.toFixed(1), files.join(' '))
    assert.ok(kb <= 250, `${address}: ${kb.toFixed(1)} KB: ${files.join(' ')}`)
    assert.deepEqual(
      files.filter((file) => /tesseract|chart/i.test(file)),
      [],
    )
  }
})
