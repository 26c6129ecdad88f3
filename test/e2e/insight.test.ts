// The provider looks around: figures, health, a report of each kind taken away and opened, a change in the audit.
import assert from 'node:assert/strict'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { connect, databaseNamed } from '#lib/db.server.ts'
import { fund, spendFunds, spread } from '../world/money.ts'
import { aKey, password, type Company } from '../world/people.ts'
import { readPdf } from '../report-files.ts'
import { openedStage, picture, untilSettled } from './stage.ts'

const stage = openedStage({ worker: true })
let page: Page
let acme: Company
before(async () => {
  const { scene } = stage
  const boss = await scene.superAdmin()
  page = await stage.open({ viewport: { width: 1440, height: 1000 } })
  await stage.signIn(page, boss.email)
  acme = await scene.company({ name: 'Acme' })
  const pending = await scene.company({ name: 'Waiting Works', status: 'pending' })
  assert.ok(pending.id)
  const pools = spread(1_000_000, 3_000_000, 500_000)
  const plan_year = await fund(boss, acme, pools, { amount_cents: 12_345_600 })
  for (let at = 0; at < 6; at += 1) {
    const { id } = await acme.hire()
    const cause = `claim ${aKey()} 1`
    const cents = 20_000 + at * 1000
    const of = { company: acme.id, year: plan_year, person: id, category: 'treatment' }
    await spendFunds(scene.sql, of, [cents], cause)
  }
  await scene.services.look()
})

const card = (label: string) =>
  page.getByText(label, { exact: true }).locator('..').locator('..').innerText()

test('the dashboard shows what there is, and leads to each act', async () => {
  await page.goto('/dashboard/super-admin')
  await page.getByRole('heading', { name: 'System health' }).waitFor()
  await untilSettled(page)
  await page.getByText('€123,456').first().waitFor()
  assert.match(await card('Total companies'), /\n2\n/)
  assert.match(await card('Total employees'), /\n6\n/)
  assert.match(await card('Fund utilization'), /\n1%\n/)
  const recent = page.getByRole('table', { name: 'Recent companies' })
  assert.match(await recent.innerText(), /Waiting Works[\s\S]*Pending[\s\S]*Acme[\s\S]*Active/)
  const row = recent.getByRole('link', { name: /Acme/ })
  assert.match((await row.getAttribute('href')) ?? '', /^\/dashboard\/companies\/[0-9a-f-]{36}$/)
  await page.getByText('All systems operational').waitFor()
  await page.getByText('1 worker is running').waitFor()
  await picture(page, 'super-admin-with-data')
  const lead = async (name: string, path: string) => {
    await page.goto('/dashboard/super-admin')
    await page.getByRole('link', { name }).first().click()
    await page.waitForURL(`**${path}**`)
  }
  await lead('Manage users', '/dashboard/users')
  await lead('System settings', '/dashboard/settings')
  await lead('Add company', '/dashboard/companies')
  await page
    .getByRole('dialog')
    .getByLabel('Company name')
    .or(page.getByRole('dialog'))
    .first()
    .waitFor()
  await lead('Generate report', '/dashboard/reports')
  await page.getByRole('dialog', { name: 'Fund allocation summary' }).waitFor()
})

for (const title of [
  'Fund allocation summary',
  'Claims activity',
  'Company performance',
  'Utilization trends',
]) {
  test(`${title} is generated, shown with its progress, and downloaded`, async () => {
    await page.goto('/dashboard/reports')
    await page.getByRole('button', { name: `Generate ${title}` }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByRole('button', { name: 'This year' }).click()
    await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
    await page.getByText('Generating new report...').waitFor()
    const get = page.getByRole('button', { name: `Download ${title}` }).first()
    await get.waitFor({ timeout: 30_000 })
    await get.click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PDF' }).click(),
    ])
    await page.getByText(new RegExp(`Downloading ${title}.*\\.\\.\\.`)).waitFor()
    assert.match(download.suggestedFilename(), new RegExp(`^${title}, .*\\.pdf$`))
    const bytes = await readFile(await download.path())
    assert.ok((await readPdf(bytes)).text.includes(title))
  })
}

test('the reports are pictured, and a period backwards is told beside its field', async () => {
  await page.goto('/dashboard/reports')
  await page.getByRole('heading', { name: 'Quick reports' }).waitFor()
  await untilSettled(page)
  await picture(page, 'reports-with-data')
  await page.getByRole('button', { name: 'Generate Claims activity' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'This month' }).click()
  await dialog.getByLabel('To').selectOption({ index: 3 })
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await dialog.getByText('The period ends before it begins').waitFor()
  await picture(page, 'reports-dialog')
  await dialog.getByRole('button', { name: 'This month' }).click()
  await dialog.getByLabel('Companies').selectOption('One company')
  await dialog.getByLabel('Company', { exact: true }).fill('Acm')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Generate', exact: true }).click()
  await dialog.getByText('Choose a company from the list').waitFor()
  // The whole name is as good as the line of the list.
  const company = dialog.getByLabel('Company', { exact: true })
  await company.fill('acme')
  await page.getByRole('option', { name: /^Acme/ }).waitFor()
  await picture(page, 'reports-company')
  await company.press('Tab')
  assert.match(await company.inputValue(), /^Acme \(acme.*\.test\)$/)
  await company.fill('ac')
  await page.getByRole('option', { name: /^Acme/ }).waitFor()
  await company.press('ArrowDown')
  await company.press('Enter')
  assert.match(await company.inputValue(), /^Acme \(acme.*\.test\)$/)
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('somebody becomes a Super Admin after a question, not by one press', async () => {
  const tom = await stage.scene.signUp('tom@healthfund.test', 'super_admin', { full_name: 'Tom' })
  await page.goto('/dashboard/users?search=tom')
  await page.getByRole('button', { name: /^Tom/ }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  const question = page.getByRole('dialog', { name: 'Make Tom a Super Admin?' })
  await question.getByText('every company').waitFor()
  const status = async () =>
    (await stage.scene.sql`select status from profiles where id = ${tom.id}`)[0]?.status as string
  assert.equal(await status(), 'pending')
  await question.getByLabel('Your password').fill(password)
  await question.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Tom approved').waitFor()
  assert.equal(await status(), 'active')
})

test('a report is deleted by who confirms it', async () => {
  await page.goto('/dashboard/reports')
  const trash = page.getByRole('button', { name: 'Delete Utilization trends' })
  await trash.first().click()
  const question = page.getByRole('dialog', { name: /^Delete Utilization trends/ })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  assert.equal(await trash.count(), 1)
  await trash.click()
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Report deleted').waitFor()
  await trash.waitFor({ state: 'detached' })
})

test('sign-ins of the provider’s staff are read beside the changes', async () => {
  await page.goto('/dashboard/audit')
  await page.getByRole('tab', { name: 'Sign-ins' }).click()
  const table = page.getByRole('table', { name: 'Sign-ins' })
  await table.getByText('Signed in').first().waitFor()
  await picture(page, 'audit-sign-ins')
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByRole('table', { name: 'Record of changes' }).waitFor()
})

test('a change is found in the audit, before and after, and the record is proven', async () => {
  await page.goto(`/dashboard/companies/${acme.id}`)
  await stage.scene.sql`update companies set name = 'Acme Robotics' where id = ${acme.id}`
  await page.goto('/dashboard/audit?table=companies')
  await page.getByLabel('Search changes').fill('robotics')
  await page.getByText('Waiting Works').first().waitFor({ state: 'detached' })
  await page.getByText('Name: Acme').waitFor()
  await picture(page, 'audit-with-data')
  await page.getByRole('button', { name: /The system changed company Acme Robotics/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('The system', { exact: false }).first().waitFor()
  await picture(page, 'audit-entry')
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText(/entries, all good/).waitFor()
})

/** Does what the next beat of a process that watches itself would do. */
const toldAgain = async () => {
  await stage.scene.services.look()
  await lookAgain()
}
const lookAgain = () => stage.scene.sql`select private.publish_now('supers')`
const verdict = (sentence: string) => page.getByText(sentence).waitFor({ timeout: 40_000 })

test('when the worker stops the panel says so without a reload, and when it is back', async () => {
  await page.goto('/dashboard/super-admin')
  await verdict('All systems operational')
  // The worker is kept from recording that it runs, as it does every few seconds.
  await stage.scene.sql`
    alter table private.processes add constraint no_worker check (kind <> 'worker') not valid`
  await stage.scene.sql`delete from private.processes where kind = 'worker'`
  await lookAgain()
  await verdict('Not operational: No worker runs: jobs are not done')
  await picture(page, 'health-not-operational')
  await stage.scene.sql`alter table private.processes drop constraint no_worker`
  await toldAgain()
  await verdict('All systems operational')
})

test('a disk that takes no files turns the panel red, and green again', async () => {
  const folder = stage.scene.config.DATA_FOLDER
  await rename(folder, `${folder}-kept`)
  await writeFile(folder, 'a file where the folder should be')
  await toldAgain()
  await verdict('Not operational: Files can’t be kept: the folder does not exist')
  await picture(page, 'health-no-disk')
  await rm(folder)
  await rename(`${folder}-kept`, folder)
  await toldAgain()
  await verdict('All systems operational')
})

test('mail that can’t be sent turns the panel red, and green again', async () => {
  // The finding of a server whose mail server is gone (src/system/health.test.ts has such a server).
  const [other] = await stage.scene.sql<[{ id: string }]>`
    insert into private.processes (id, kind, storage, mail)
    select gen_random_uuid(), kind, storage,
      mail || '{"server": true, "ok": false, "fault": "it can’t be reached"}'
    from private.processes where kind = 'server' limit 1 returning id`
  await lookAgain()
  await verdict('Not operational: Mail can’t be sent: it can’t be reached')
  await stage.scene.sql`delete from private.processes where id = ${other.id}`
  await lookAgain()
  await verdict('All systems operational')
})

test('a database that lets nobody in turns the panel red, and green again', async () => {
  const { database_url } = stage.scene
  const name = new URL(database_url).pathname.slice(1)
  const outside = connect(databaseNamed(database_url, 'postgres'), { max: 1 })
  const faults = stage.faults.length
  try {
    await outside`alter database ${outside(name)} with allow_connections false`
    await outside`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and usename is not null`
    await verdict('Not operational: the database does not answer')
    await picture(page, 'health-no-database')
    await outside`alter database ${outside(name)} with allow_connections true`
    await verdict('All systems operational')
  } finally {
    await outside`alter database ${outside(name)} with allow_connections true`
    await outside.end()
  }
  // That requests failed meanwhile is what the browser has to say about it; nothing else.
  const logged = stage.faults.splice(faults)
  assert.deepEqual(
    logged.filter((fault) => !/status of 503/.test(fault)),
    [],
  )
})
