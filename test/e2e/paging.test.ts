// A list that is a part of a page, a page at a time.
import { describe, test } from 'node:test'
import { contributedCompany } from '../world/money.ts'
import { crowdOf } from '../world/people.ts'
import { openedParts } from './parts.ts'
import { openedStage, untilSettled, wide } from './stage.ts'

describe('a list in pages', () => {
  const parts = openedParts()

  test('begins again where it is of something else', async () => {
    const page = await parts.open(wide)
    await page.goto(parts.url)
    const list = page.getByRole('region', { name: 'People of a year' })
    const press = (name: string) => list.getByRole('button', { name }).click()
    const steps = [
      ['Next', '2027: people 11 to 20'],
      ['Next', '2027: people 21 to 30'],
      ['Previous', '2027: people 11 to 20'],
      ['2026', '2026: people 1 to 10'],
      ['2027', '2027: people 1 to 10'],
    ] as const
    for (const [name, shown] of steps) {
      await press(name)
      await list.getByText(shown).waitFor()
    }
    await page.context().close()
  })
})

describe('a page of a list that is long in coming', () => {
  const stage = openedStage()

  test('is one step further, however often one presses meanwhile', async () => {
    const { provider, company } = await contributedCompany(stage.scene)
    await crowdOf(company, 11)
    await stage.scene.sql`
      insert into inquiries (full_name, email, company, people, message)
      select 'Visitor ' || n, 'visitor' || n || '@example.com', 'Bright Sea', 10, 'A question about prices'
      from generate_series(1, 120) n`
    const lists = { '/dashboard/funds': company.admin, '/dashboard/inquiries': provider }
    for (const [where, reader] of Object.entries(lists)) {
      const page = await stage.enter(reader, where)
      const requested = Promise.withResolvers<void>()
      const answers = Promise.withResolvers<void>()
      await page.route(/after/, async (route) => {
        requested.resolve()
        await answers.promise
        await route.continue()
      })
      if (reader === company.admin) await page.getByRole('button', { name: 'Show them' }).click()
      const [back, on] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name }))
      await on!.click()
      await requested.promise
      await on!.click()
      answers.resolve()
      await untilSettled(page)
      await back!.click()
      await page.getByRole('button', { name: 'Previous', disabled: true }).waitFor()
    }
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
