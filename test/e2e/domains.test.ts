// Domains in the real browser: added, proven by a record and by a mailed code, removed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDomain, mailDomainCode } from '#connections/domains/jobs.server.ts'
import { recordOf } from '#connections/domains/record.ts'
import { poster } from '#lib/mail.server.ts'
import { openNameServer } from '../name-server.ts'
import { opened } from '../world/opened.ts'
import { providerOf } from '../world/scim.ts'
import { contextOptions, dresses, checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

const where = '/dashboard/connections'

describe('domains in the browser', () => {
  const stage = openedStage()
  const names = opened(openNameServer)
  const acme = opened(() => stage.scene.company())
  const lookUp = (domain: string) =>
    checkDomain([names.address])({ company_id: acme.id, domain }, stage.scene.tools)

  test('an admin adds one and proves it by a record; another one by a code from the postmaster', async () => {
    const page = await stage.open()
    await stage.signIn(page, acme.admin.email, where)
    await showsText(page, acme.domain)
    const dialog = page.getByRole('dialog')
    const add = async (domain: string) => {
      await page.getByRole('button', { name: 'Add a domain' }).click()
      await dialog.getByLabel('Domain').fill(domain)
      await dialog.getByRole('button', { name: 'Add domain' }).click()
    }
    await add('gmail.com')
    await showsText(page, 'Anybody can have an address at this domain')
    await dialog.getByLabel('Domain').fill('acme-west.test')
    await dialog.getByRole('button', { name: 'Add domain' }).click()
    await showsText(page, 'Verify acme-west.test')
    const { name, value } = recordOf('acme-west.test', acme.id)
    assert.equal(await dialog.getByLabel('Name').innerText(), name)
    assert.equal(await dialog.getByLabel('Value').innerText(), value)
    await dialog.getByRole('button', { name: 'Check the record' }).click()
    await showsText(page, 'Checking...')
    await lookUp('acme-west.test')
    await showsText(page, 'The record was not found')
    await untilSettled(page)
    await picture(page, 'domains-prove')
    names.set(name, value)
    await dialog.getByRole('button', { name: 'Check the record' }).click()
    await showsText(page, 'Checking...')
    await lookUp('acme-west.test')
    await showsText(page, 'acme-west.test is verified')
    await dialog.getByRole('button', { name: 'Done' }).click()

    await add('acme-east.test')
    await dialog.getByRole('button', { name: 'Send a code' }).click()
    await showsText(page, 'A code is on its way to postmaster@acme-east.test')
    const mail = mailDomainCode(poster(false))
    await mail({ company_id: acme.id, domain: 'acme-east.test' }, stage.scene.tools)
    const [sent] = await stage.scene.mailbox()
    const [, code] = /Your code: (\S+)/.exec(sent!.text)!
    await dialog.getByLabel('Code', { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: 'Verify with code' }).click()
    await showsText(page, 'This code is wrong')
    await dialog.getByLabel('Code', { exact: true }).fill(code!)
    await dialog.getByRole('button', { name: 'Verify with code' }).click()
    await showsText(page, 'acme-east.test is verified')
    await dialog.getByRole('button', { name: 'Done' }).click()

    await page.getByRole('button', { name: 'Remove acme-east.test' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await showsText(page, 'acme-east.test removed')
    await page.context().close()
  })

  test('where a verified domain is missed, it says how one is verified', async () => {
    const other = await stage.scene.company()
    await providerOf(stage.scene, other)
    await stage.scene.sql`update companies set domain = 'acme-north.test', domain_proven_at = null,
      domain_auto_register = false where id = ${other.id}`
    const page = await stage.enter(other.admin, where)
    await showsText(page, 'Verify one under Domains, by a DNS record or by email.')
    await page.goto('/dashboard/employees')
    await page.getByRole('button', { name: 'Add Employee' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Domain' }).click()
    await dialog.getByText('An owner verifies the domain under Connections').waitFor()
    await picture(page, 'domain-not-verified')
    await dialog.getByRole('switch', { name: 'Domain auto-registration' }).click()
    await showsText(page, 'An owner must verify the domain under Connections first')
    await page.context().close()
  })

  test('the list and the ways to prove one fit every dress', async () => {
    const { admin, domain } = await stage.scene.company()
    await admin.api.domains.request({ domain: `${'a-long-name-of-a-branch.'.repeat(6)}test` })
    for (const dress of dresses) {
      const name = `${dress.width}-${dress.colorScheme}`
      const page = await stage.open(contextOptions(dress))
      await stage.signIn(page, admin.email, where)
      await showsText(page, domain)
      await checkPage(page, `domains-${name}`, where)
      await page.getByRole('button', { name: /^Verify a-long/ }).click()
      await showsText(page, 'By a DNS record')
      await checkPage(page, `domains-prove-${name}`, where)
      await page.context().close()
    }
  })
})
