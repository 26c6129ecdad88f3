// People who come by their company's identity provider, in the browser.
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import type { Company } from '../world/people.ts'
import { companyByOidc } from '../world/sso.ts'
import { openedStage } from './stage.ts'

/** A stage, and a company there with its provider, for the tests of a `describe`. */
export function openedByProvider() {
  const stage = openedStage({ env: { SSO_ALLOW: '127.0.0.1' } })
  const acme = {} as Company
  const there = {} as Awaited<ReturnType<typeof companyByOidc>>['there']
  before(async () => {
    const made = await companyByOidc(stage.scene)
    Object.assign(acme, made.acme)
    Object.assign(there, made.there)
  })
  after(() => there.close())
  /** The next one at the provider. Answers their address. */
  const comes = (who: string) => {
    const email = `${who}@${acme.domain}`
    there.people.set(who, { email, email_verified: true, name: `${who} by provider` })
    there.state.who = who
    return email
  }
  return { stage, acme, there, comes }
}

export async function signInThere(page: Page, email: string) {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue with your company' }).click()
  await page.getByRole('button', { name: 'Sign in there' }).click()
}
