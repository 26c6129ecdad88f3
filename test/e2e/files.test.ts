// Promises of the part that takes files: by choosing, dropping and pasting, each with its fate beside it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { before, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openedParts } from './parts.ts'
import { openStage, picture } from './stage.ts'

describe('sending files', () => {
  const parts = openedParts()
  let page: Page
  before(async () => {
    page = await parts.open({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
  })
  beforeEach(() => page.goto(parts.url))

  const list = () => page.getByRole('list', { name: 'Receipts' })
  const names = () => list().locator('li p:first-child').allTextContents()
  const pdf = (name: string, size = 1000) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(size),
  })
  const chooser = () => page.getByLabel('Choose files')

  test('what is chosen is sent with its progress, and each refusal stands beside its file', async () => {
    await chooser().setInputFiles([
      pdf('one.pdf'),
      pdf('refused.svg'),
      pdf('unlucky.pdf'),
      pdf('huge.pdf', 11 * 2 ** 20),
    ])
    await page.getByRole('progressbar', { name: 'Sending one.pdf' }).waitFor()
    const huge = list().getByRole('listitem').filter({ hasText: 'huge.pdf' })
    await huge.getByText('This file is larger than 10 MB').waitFor()
    assert.equal(await huge.getByRole('button', { name: /again/ }).count(), 0)
    const refused = list().getByRole('listitem').filter({ hasText: 'refused.svg' })
    await refused.getByText('Only JPEG, PNG, WebP and PDF').waitFor()
    assert.equal(await refused.getByRole('button', { name: /again/ }).count(), 0)
    const unlucky = list().getByRole('listitem').filter({ hasText: 'unlucky.pdf' })
    await unlucky.getByText('is not responding right now').waitFor()
    await list().getByRole('listitem').filter({ hasText: 'one.pdf' }).getByText('Read').waitFor()
    for (const [name, width, colorScheme] of [
      ['files-1440-light', 1440, 'light'],
      ['files-1440-dark', 1440, 'dark'],
      ['files-360-light', 360, 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      const section = page.getByRole('region', { name: 'Files', exact: true })
      await picture(section, name)
    }
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Try unlucky.pdf again' }).click()
    await page.getByRole('progressbar', { name: 'Sending unlucky.pdf' }).waitFor()
    await unlucky.getByText('is not responding right now').waitFor()
    await page.getByRole('button', { name: 'Remove unlucky.pdf' }).click()
    await page.getByRole('button', { name: 'Remove refused.svg' }).click()
    await page.getByRole('button', { name: 'Remove huge.pdf' }).click()
    assert.deepEqual(await names(), ['pharmacy-2026-03-14.pdf', 'one.pdf'])
  })

  test('the sixth is refused until another is removed', async () => {
    await chooser().setInputFiles(['a', 'b', 'c', 'd', 'e'].map((name) => pdf(`${name}.pdf`)))
    const sixth = list().getByRole('listitem').filter({ hasText: 'e.pdf' })
    await sixth.getByText('Up to 5 files can be sent together').waitFor()
    await list().getByRole('listitem').filter({ hasText: 'd.pdf' }).getByText('Read').waitFor()
    await page.getByRole('button', { name: 'Remove a.pdf' }).click()
    await page.getByRole('button', { name: 'Try e.pdf again' }).click()
    await sixth.getByText('Read').waitFor()
  })

  test('a picture is pasted, files are let go anywhere, and taken back on their way', async () => {
    await page.evaluate(() => {
      const files = new DataTransfer()
      files.items.add(new File(['x'], 'dropped.pdf', { type: 'application/pdf' }))
      for (const type of ['dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true })
        document.body.dispatchEvent(event)
      }
      const data = new DataTransfer()
      data.items.add(new File(['x'], 'pasted.png', { type: 'image/png' }))
      const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true })
      document.body.dispatchEvent(paste)
    })
    // The latest moment: everything is sent, and only the answer is missing.
    await page.waitForFunction(() => {
      const remove = document.querySelector<HTMLElement>('[aria-label="Remove dropped.pdf"]')
      if (!remove?.closest('li')?.textContent.includes('Checking the file')) return false
      remove.click()
      return true
    })
    await list().getByRole('listitem').filter({ hasText: 'pasted.png' }).getByText('Read').waitFor()
    assert.ok(!(await names()).includes('dropped.pdf'))
  })

  test('a spreadsheet’s cell pasted into a field is its text, not its picture', async () => {
    /** Whether the field is left to take the text. */
    const pasted = (selector: string) =>
      page.evaluate((at) => {
        const cell = new DataTransfer()
        cell.setData('text/plain', '12.50')
        cell.items.add(new File(['x'], 'image.png', { type: 'image/png' }))
        const init = { clipboardData: cell, bubbles: true, cancelable: true }
        return document.querySelector(at)!.dispatchEvent(new ClipboardEvent('paste', init))
      }, selector)
    assert.ok(await pasted('input[type=text]'), 'a line')
    assert.ok(await pasted('textarea'), 'several lines')
    assert.deepEqual(await names(), ['pharmacy-2026-03-14.pdf'])
    assert.ok(!(await pasted('body')), 'where no text can go, the picture counts')
    await list().getByRole('listitem').filter({ hasText: 'image.png' }).getByText('Read').waitFor()
  })

  test('a picture for some eyes is shown, or says why not and is asked again', async () => {
    await page.getByRole('img', { name: 'A receipt with twelve lines' }).waitFor()
    const away = page.getByText('File storage is not responding right now')
    await away.first().waitFor()
  })

  test('what is sent tells how far it is, and brings back what a fetch would', async () => {
    const stage = await openStage()
    const ana = await (await stage.scene.company()).hire('Ana')
    const typed = await readFile(new URL('../../src/lib/send-file.ts', import.meta.url), 'utf8')
    const code = stripTypeScriptTypes(typed).replace('export function', 'function')
    const open_page = await stage.open()
    await open_page.addInitScript({ content: `${code}; window.sendFile = sendFile` })
    await open_page.goto('/terms')
    const sent = await open_page.evaluate(async (token) => {
      type Send = (r: Request, f: Blob, p: (share: number) => void) => Promise<Response>
      const { sendFile } = window as never as { sendFile: Send }
      const shares: number[] = []
      const post = async (headers: Record<string, string>, signal?: AbortSignal) => {
        const to = `${location.origin}/api/receipts?file_name=a`
        const request = new Request(to, {
          method: 'POST',
          headers,
          ...(signal ? { signal } : {}),
        })
        const file = new Blob([new Uint8Array(300_000)])
        const answer = await sendFile(request, file, (share) => shares.push(share))
        return { status: answer.status, code: ((await answer.json()) as { code: string }).code }
      }
      const refused = await post({ authorization: `Bearer ${token}` })
      const signed_out = await post({})
      const stop = new AbortController()
      const stopped = post({}, stop.signal).catch((error: Error) => error.name)
      stop.abort()
      return { refused, signed_out, stopped: await stopped, whole: shares.includes(1) }
    }, ana.token)
    assert.deepEqual(sent, {
      refused: { status: 422, code: 'receipt_kind' },
      signed_out: { status: 401, code: 'not_signed_in' },
      stopped: 'AbortError',
      whole: true,
    })
    await stage.close()
  })
})
