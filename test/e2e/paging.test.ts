// A list that is a part of a page, a page at a time.
import { describe, test } from 'node:test'
import { crowdOf } from '../world/people.ts'
import { openedParts } from './parts.ts'
import { openedStage, wide } from './stage.ts'

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

describe('a list that grows by a button', () => {
  const stage = openedStage()

  test('keeps the keyboard on it until the next rows are there', async () => {
    const company = await stage.scene.company()
    const { groups } = company.admin.api
    const { id } = await groups.add({ name: 'Crew', departments: null })
    for (const person of await crowdOf(company, 51))
      await groups.put_person({ id, person_id: person.id })
    const page = await stage.enter(company.admin, '/dashboard/employees/groups')
    await page.getByRole('button', { name: 'People' }).click()
    const people = page.getByRole('list', { name: 'People of Crew' }).getByRole('listitem')
    const more = page.getByRole('button', { name: 'Show more' })
    await more.waitFor()
    const answers = Promise.withResolvers<void>()
    await page.route(/after/, async (route) => {
      await answers.promise
      await route.continue()
    })
    await more.press('Enter')
    await page.locator('[aria-busy=true]:focus', { hasText: 'Show more' }).waitFor()
    answers.resolve()
    await people.nth(50).waitFor()
    await more.waitFor({ state: 'detached' })
  })
})
