// Every page in every dress: nothing complains, nothing is out of reach.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin_rights, isOpenTo } from '#permissions/callers.ts'
import { pages } from '#paths.ts'
import { contextOptions, dresses, fits, violations } from './axe.ts'
import { openedParts } from './parts.ts'
import { openedStage, picture, untilSettled, wide } from './stage.ts'

const entries = [{ path: '/', open_to: 'anyone' as const }, ...Object.values(pages)]
const listed = entries.filter(({ path }) => !path.includes(':'))

describe('every page', () => {
  const stage = openedStage()
  let emails: Record<string, string>
  before(async () => {
    const acme = await stage.scene.company()
    emails = {
      super_admin: (await stage.scene.superAdmin()).email,
      company_admin: acme.admin.email,
      employee: (await acme.hire('Ana')).email,
    }
  })

  for (const dress of dresses) {
    const { width, colorScheme } = dress
    for (const who of ['visitor', 'super_admin', 'company_admin', 'employee'] as const) {
      const rights = who === 'company_admin' ? admin_rights : []
      const theirs = listed.filter(({ open_to }) =>
        who === 'visitor'
          ? typeof open_to === 'string'
          : typeof open_to !== 'string' && isOpenTo(open_to, { role: who, rights, has_own: false }),
      )
      test(`${who}, ${width} wide, ${colorScheme}`, async () => {
        const page = await stage.open({ ...wide, ...contextOptions(dress) })
        if (who !== 'visitor') await stage.signIn(page, emails[who]!)
        for (const { path } of theirs) {
          await page.goto(path)
          await page.locator('h1').first().waitFor()
          await untilSettled(page)
          const name = path === '/' ? 'landing' : path.slice(1).replaceAll('/', '-')
          await picture(page, `${name}-${who}-${width}-${colorScheme}`)
          assert.deepEqual(await violations(page), [], `${path} as ${who}`)
          await fits(page, path)
        }
        await page.context().close()
      })
    }
  }
})

describe('the parts of all pages, in every state', () => {
  const parts = openedParts()

  for (const dress of dresses)
    test(`${dress.width} wide, ${dress.colorScheme}`, async () => {
      const page = await parts.open({ ...wide, ...contextOptions(dress) })
      await page.goto(parts.url)
      await page.locator('h1').waitFor()
      await picture(page, `parts-${dress.width}-${dress.colorScheme}`)
      assert.deepEqual(await violations(page), [])
      await fits(page, 'the page of parts')
      assert.deepEqual(parts.faults, [])
      await page.context().close()
    })
})
