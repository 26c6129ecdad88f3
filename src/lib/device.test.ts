import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit}`
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15'
const chrome = `${windows} Chrome/131.0.0.0 Safari/537.36`

const known: [agent: string, name: string][] = [
  [chrome, 'Chrome on Windows'],
  [`${chrome} Edg/131.0.0.0`, 'Edge on Windows'],
  [`${chrome} OPR/116.0.0.0`, 'Opera on Windows'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.1 Safari/605.1.15`,
    'Safari on Mac',
  ],
  [`${iphone} (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iphone} (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/131.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  ['curl/8.5.0', 'curl'],
  ['Payroll-Sync/2.1', 'Payroll-Sync'],
]

test('a device is called as people call it, whatever its version', () => {
  for (const [agent, name] of known) assert.equal(deviceOf(agent), name)
  assert.equal(deviceOf(chrome.replaceAll('131', '139')), 'Chrome on Windows')
})

test('what says nothing is nothing, and what is long stays short', () => {
  for (const agent of [null, undefined, '', '(((']) assert.equal(deviceOf(agent), null)
  assert.equal(deviceOf('x'.repeat(500))?.length, 40)
})
