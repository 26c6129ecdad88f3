// A list that is a part of a page, a page at a time.
import { describe, test } from 'node:test'
import { openedParts } from './parts.ts'
import { wide } from './stage.ts'

describe('a list in pages', () => {
  const parts = openedParts()

  test('begins again where it is of something else', async () => {
    const page = await parts.open(wide)
    await page.goto(parts.url)
    const list = page.getByRole('region', { name: 'People of a year' })
    const press = (name: string) => list.getByRole('button', { name }).click()
    await press('Next')
    await press('Next')
    await press('Previous')
    await list.getByText('2027: people 11 to 20').waitFor()
    await press('2026')
    await list.getByText('2026: people 1 to 10').waitFor()
    await press('2027')
    await list.getByText('2027: people 1 to 10').waitFor()
    await page.context().close()
  })
})
