// Promises of forms: no fault is kept from whoever has to correct it.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openedParts } from './parts.ts'
import { wide } from './stage.ts'

describe('a fault of a field that is not on screen stands at the top of its form', () => {
  const parts = openedParts()
  let page: Page
  beforeEach(async () => {
    page = await parts.open(wide)
    await page.goto(parts.url)
  })

  const form = () => page.getByRole('region', { name: 'A field that goes' })
  const top = () => form().locator('form > :first-child')

  test('where the form itself found it', async () => {
    await form().getByLabel('Claims').fill('200')
    await form().getByLabel('Limit').selectOption('amount')
    await form().getByRole('button').click()
    await form().getByText('At most 99 claims').waitFor()
    assert.equal(await top().innerText(), 'At most 99 claims')
    await form().getByLabel('Limit').selectOption('number')
    await form().getByRole('button').click()
    await form().getByLabel('Claims').and(page.locator('[aria-invalid=true]')).waitFor()
    assert.equal(await form().getByText('At most 99 claims').count(), 1)
  })

  test('where the server found it', async () => {
    await form().getByLabel('Claims').fill('13')
    await form().getByRole('button').click()
    await form().getByLabel('Claims').and(page.locator('[aria-invalid=true]')).waitFor()
    assert.equal(await form().getByText('13 is not allowed').count(), 1)
    await form().getByLabel('Limit').selectOption('amount')
    await form().getByText('13 is not allowed').waitFor({ state: 'detached' })
    await form().getByRole('button').click()
    await form().getByText('13 is not allowed').waitFor()
    assert.equal(await top().innerText(), '13 is not allowed')
  })
})
