// Toasts stay few, and never hide one that says what went wrong or that can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dismissAll, shownToasts, toast } from '#ui/toast.ts'

const texts = () => shownToasts.read().map(({ text }) => text)

test('what is said of a payout or claim takes the place of what was said of it before', () => {
  dismissAll()
  toast('Payout 2 is ready for release')
  toast('Payout 2 released')
  assert.deepEqual(texts(), ['Payout 2 released'])
  toast('Payout 21 released')
  assert.deepEqual(texts(), ['Payout 2 released', 'Payout 21 released'])
  toast('Claim #4 approved', 'success', { label: 'Undo', run() {} })
  toast('Approval of claim #4 reversed')
  assert.ok(texts().includes('Claim #4 approved'), 'it can still be undone')
  dismissAll()
})

test('of what was simply done the last two are shown; failures and what can be undone stay', () => {
  toast('One deleted')
  toast('Could not be saved', 'failure')
  toast('Two deleted')
  toast('Rejected', 'success', { label: 'Undo', run() {} })
  assert.deepEqual(texts(), ['Could not be saved', 'Two deleted', 'Rejected'])
  toast('Three deleted')
  assert.deepEqual(texts(), ['Could not be saved', 'Two deleted', 'Rejected', 'Three deleted'])
  toast('Three deleted')
  assert.deepEqual(texts(), ['Could not be saved', 'Two deleted', 'Rejected', 'Three deleted'])
})
