// One's own data as people meet it: exported, erased, decided on; in a real browser, at its three widths.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { afterEach, before, describe, test } from 'node:test'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { password, type Company, type Person } from '../world/people.ts'
import { looksRight } from './axe.ts'
import { openedStage } from './stage.ts'

const stage = openedStage({ worker: true })
let company: Company
let provider: Person
before(async () => {
  company = await stage.scene.company({ name: 'Northwind Instruments' })
  provider = await stage.scene.superAdmin()
})
afterEach(() => stage.leave())

const pictures = (who: Person, path: string, name: string, first?: (page: Page) => Promise<void>) =>
  looksRight(stage, { who, path, name: `privacy-${name}`, ...(first ? { first } : {}) })

describe('one’s own data', () => {
  test('is exported with the password, and the ZIP opens', async () => {
    const ana = await company.hire('Ana')
    const page = await stage.enter(ana, '/dashboard/settings#data')
    const card = page.getByRole('region', { name: 'Export of my data' })
    await card.getByText('Nothing exported yet').waitFor()
    const prove = async (does: string) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Your password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: does, exact: true }).click()
    }
    await card.getByRole('button', { name: 'Export my data' }).click()
    await prove('Export')
    await card.getByText('Ready').waitFor({ timeout: 60_000 })
    const coming = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Download' }).click()
    const file = await (await coming).path()
    const opened = unzipSync(await readFile(file))
    const data = JSON.parse(new TextDecoder().decode(opened['data.json'])) as {
      profile: { email: string }
    }
    assert.equal(data.profile.email, ana.email)
    await card.getByText('downloaded').waitFor()
    await stage.scene.stale(ana)
    const again = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Download' }).click()
    await prove('Download')
    await again
    await pictures(ana, '/dashboard/settings#data', 'settings')
  })

  test('is erased when both agree: asked with the password, granted by HR, then by the provider', async () => {
    const bea = await company.hire('Bea')
    const page = await stage.enter(bea, '/dashboard/settings#data')
    const card = page.getByRole('region', { name: 'Erasure' })
    const ask = async (reason: string) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Your password', { exact: true }).fill(reason)
      await dialog.getByRole('button', { name: 'Request erasure' }).click()
    }
    await card.getByRole('button', { name: 'Request erasure' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('I have moved to another country')
    await ask('surely not this one')
    await page.getByText('This is not your password').first().waitFor()
    await ask(password)
    await card.getByText('Waits for HR').waitFor()

    await pictures(company.admin, '/dashboard/employees', 'notice')
    await pictures(company.admin, '/dashboard/erasures', 'queue')
    await pictures(company.admin, '/dashboard/erasures', 'grant', async (desk) => {
      await desk.getByRole('button', { name: 'Grant' }).click()
      await desk.getByRole('dialog').getByText('Entries of the record about them').waitFor()
    })
    const hr = await stage.enter(company.admin, '/dashboard/employees')
    await hr.getByText('An erasure request is waiting for your decision').waitFor()
    await hr.getByText(/^Bea.* asked to have their personal data erased\.$/).waitFor()
    await hr.getByRole('link', { name: 'Decide' }).click()
    await hr.getByText('I have moved to another country').waitFor()
    await hr.getByRole('button', { name: 'Grant' }).click()
    await hr.getByRole('dialog').getByRole('button', { name: 'Grant' }).click()
    await hr.getByText('Waits for the provider').waitFor()
    await card.getByText('Waits for the provider').waitFor()

    const desk_of_provider = await stage.enter(provider, '/dashboard/users')
    await desk_of_provider.getByRole('link', { name: 'Decide' }).click()
    await desk_of_provider.getByRole('button', { name: 'Grant' }).click()
    await desk_of_provider.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await desk_of_provider.getByText('Nobody is waiting for a decision').waitFor()
    // Seen when their stream, which ended with the session, is opened again.
    await page.waitForURL('**/auth/login**', { timeout: 60_000 })

    await hr.getByRole('tab', { name: 'Ended' }).click()
    await hr.getByText('Former member').waitFor()
    await pictures(company.admin, '/dashboard/erasures?show=ended', 'ended')
    await pictures(provider, '/dashboard/erasures', 'none')
  })

  test('a former member is offered no act, and nothing false is told of them', async () => {
    const dora = await company.appoint('Dora')
    for (const { api } of [dora, await company.hire('Eve')]) {
      const { id } = await api.privacy.request_erasure({})
      await company.admin.api.privacy.approve_erasure({ id })
      await provider.api.privacy.approve_erasure({ id })
    }
    const pages = [
      await stage.enter(company.admin, `/dashboard/employees/${dora.id}`),
      await stage.enter(company.admin, `/dashboard/employees?employee=${dora.id}`),
      await stage.enter(provider, `/dashboard/users?user=${dora.id}`),
    ]
    for (const page of pages) {
      const part = page.getByRole(page === pages[0] ? 'main' : 'dialog')
      await part.getByText('This person was erased at their own request').waitFor()
      await part
        .getByText(/^Erased/)
        .first()
        .waitFor()
      for (const does of [/Suspend/, /Re-activate/, /Cancel departure/, /Change role/, /Save/]) {
        assert.equal(await part.getByRole('button', { name: does }).count(), 0, String(does))
      }
      assert.equal(await part.getByText(/suspended|not signed in|bank account/i).count(), 0)
    }
    for (const [reader, path] of [
      [company.admin, '/dashboard/employees'],
      [provider, `/dashboard/users?company=${company.id}`],
    ] as const) {
      const list = await stage.enter(reader, path)
      const row = list.getByRole('row', { name: /Former member/ }).first()
      await row.getByText('Erased', { exact: true }).waitFor()
    }
    await pictures(company.admin, `/dashboard/employees/${dora.id}`, 'erased-for-hr')
    await pictures(provider, `/dashboard/users?user=${dora.id}`, 'erased-for-provider')
  })

  test('what asking means is said before; a refusal is read where it was asked', async () => {
    const cara = await company.hire('Cara')
    await pictures(cara, '/dashboard/settings#data', 'dialog', async (page) => {
      await page.getByRole('button', { name: 'Request erasure' }).click()
      await page.getByRole('dialog').getByText('What the law makes us keep').waitFor()
    })
    const { id } = await (await stage.scene.signIn(cara.email)).api.privacy.request_erasure({})
    const hr = await stage.enter(company.admin, '/dashboard/erasures')
    await hr.getByRole('button', { name: 'Refuse' }).click()
    await hr.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await hr.getByText('Say why, in a sentence').waitFor()
    await hr.getByLabel('Why').fill('Your last claim is being disputed until May.')
    await hr.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await hr.getByText('Nobody is waiting for a decision').waitFor()
    assert.ok(id)
    await pictures(cara, '/dashboard/settings#data', 'refused', async (page) => {
      await page.getByText('HR refused your request').waitFor()
    })
  })
})
