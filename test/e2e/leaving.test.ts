// Signing out leaves nothing behind at a screen that others use, too.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fundedCompany } from '../world/company.ts'
import { openedStage } from './stage.ts'

describe('signing out', () => {
  const stage = openedStage()

  test('takes along what was typed, the session, and what the Back button would show', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    const page = await stage.open({ viewport: { width: 1440, height: 900 } })
    await stage.signIn(page, ana.email)
    await page.goto('/dashboard/my-claims?new')
    await page.getByLabel('Provider').fill('Clinic for Oncology')
    const kept = () =>
      page.evaluate(() =>
        JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
      )
    await page.waitForFunction(() =>
      Object.values(sessionStorage).some((value) => String(value).includes('Oncology')),
    )
    assert.match(await kept(), /access_token/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/auth/login')
    assert.doesNotMatch(await kept(), /Oncology|access_token|refresh_token/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign In' }).waitFor()
    assert.doesNotMatch(await page.content(), /Oncology/)
  })

  test('ends this session and no other', async () => {
    const company = await fundedCompany(stage.scene)
    const ben = await company.hire('Ben')
    const [here, there] = [await stage.open(), await stage.open()]
    for (const page of [here, there]) await stage.signIn(page, ben.email)
    await here.getByRole('button', { name: 'Logout' }).click()
    await here.waitForURL('**/auth/login')
    await there.goto('/dashboard/my-claims')
    await there.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
    const { length } = await ben.api.settings.sessions({})
    assert.equal(length, 2, 'the browser that stayed, and the one that asks')
  })
})
