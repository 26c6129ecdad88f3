// Toasts stay few, and never hide one that says what went wrong or that can be undone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownToasts, toast } from '#ui/toast.ts'

const texts = () => shownToasts.read().map(({ text }) => text)

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
