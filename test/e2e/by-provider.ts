// People who come by their company's identity provider, in the browser.
import type { Page } from 'playwright-core'
import type { Company } from '../world/people.ts'
import type { companyByOidc } from '../world/sso.ts'

type Provider = Awaited<ReturnType<typeof companyByOidc>>['there']

/** The next one at the provider. Answers their address. */
export function atProvider({ there, acme }: { there: Provider; acme: Company }, who: string) {
  const email = `${who}@${acme.domain}`
  there.people.set(who, { email, email_verified: true, name: `${who} by provider` })
  there.state.who = who
  return email
}

export async function signInThere(page: Page, email: string) {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue with your company' }).click()
  await page.getByRole('button', { name: 'Sign in there' }).click()
}
