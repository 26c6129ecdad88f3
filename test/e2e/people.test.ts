// People as their HR meets them, in a real browser: from an invitation to somebody who came by their domain.
import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { password } from '../world/people.ts'
import { openScene } from '../world/scene.ts'
import { openedStage, picture, showsText, wide } from './stage.ts'
import { until } from '../until.ts'

const people = 10_000
const person = (n: number) => `Person ${n},person${n}@crew.test,,Operations`

describe('a company’s first day', () => {
  const stage = openedStage({ worker: true })
  afterEach(() => stage.leave())

  const linkTo = (email: string) =>
    until(async () => {
      const mails = await (await fetch(`${stage.origin}/dev/mailbox.json`)).json()
      const mail = (mails as { to: string; text: string }[]).find(({ to }) => to === email)
      return mail && /https?:\/\/\S+/.exec(mail.text)?.[0]
    }, `a mail to ${email}`)

  /** A company without employees, and its admin on their page. */
  async function founded() {
    const company = await stage.scene.company({ name: 'Fjord Ferries' })
    await stage.scene.sql`
      update companies set domain_auto_register = false where id = ${company.id}`
    return { company, hr: await stage.enter(company.admin, '/dashboard/employees') }
  }

  test('the provider adds it, its admin follows the invitation and sets a password', async () => {
    const admin = 'hr@fjord.test'
    const provider = await stage.scene.superAdmin()
    const page = await stage.open(wide)
    await stage.signIn(page, provider.email, '/dashboard/companies')
    await page.getByRole('button', { name: 'Add Company' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add Company' }).click()
    await showsText(page, 'Name must be at least 2 characters')
    await showsText(page, 'Please fill in this field')
    await dialog.getByLabel('Company Name').fill('Fjord Ferries')
    await dialog.getByLabel('Domain').fill('https://www.Fjord.test/about?us')
    await dialog.getByLabel('First admin’s name').fill('Hanne Fjord')
    await dialog.getByLabel('First admin’s email').fill(admin)
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Add Company' }).click()
    await showsText(page, 'Fjord Ferries added, its admin is invited')
    await page.context().close()

    const hr = await stage.open(wide)
    await hr.goto(await linkTo(admin))
    await hr.getByLabel('Password', { exact: true }).fill(password)
    await hr.getByLabel('Confirm password').fill(password)
    await hr.getByRole('button', { name: 'Set password and continue' }).click()
    await showsText(hr, 'Your account is ready')
    await hr.waitForURL('**/dashboard/company-admin')
    await hr.context().close()
  })

  test('one person is added; each mistake is named beside its field', async () => {
    const { hr } = await founded()
    await showsText(hr, 'No employees yet')
    await hr.getByRole('button', { name: 'Add Employee' }).first().click()
    const dialog = hr.getByRole('dialog')
    const add = dialog.getByRole('button', { name: 'Add Employee' })
    await dialog.getByRole('textbox', { name: 'Full Name' }).fill('A')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('not an address')
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('123')
    await dialog.getByLabel('Department', { exact: true }).fill('X')
    await add.click()
    for (const sentence of [
      'Name must be at least 2 characters',
      'Invalid email address',
      'Phone must be at least 10 characters',
      'Department required',
    ])
      await showsText(hr, sentence)
    await dialog.getByRole('textbox', { name: 'Full Name' }).fill('Ana Horvat')
    await dialog.getByRole('textbox', { name: 'Email' }).fill('ana@ferries.test')
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('+385 91 234 5678')
    await dialog.getByLabel('Department', { exact: true }).fill('Bridge')
    await add.click()
    await showsText(hr, 'Employee added successfully!')
    const initial = await dialog.getByRole('status').first().textContent()
    assert.match(initial ?? '', /^\S{14,}$/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await showsText(hr, 'Employee list updated')
    await hr.getByRole('row', { name: /Ana Horvat/ }).waitFor()
  })

  test('ten thousand people are imported from a file; refused rows are fixed and uploaded again', async () => {
    const { hr } = await founded()
    await hr.getByRole('button', { name: 'Add Employee' }).first().click()
    const dialog = hr.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Bulk Upload' }).click()
    await dialog.getByRole('button', { name: 'Check the file' }).click()
    await showsText(hr, 'Please select a CSV file')
    const lines = Array.from({ length: people }, (_, n) => person(n))
    lines[10] = 'Person 10,no address at all,,Operations'
    lines[20] = 'Person 20,person20@crew.test,123,Operations'
    lines[30] = lines[29]!
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    })
    const head = 'full_name,email,phone,department'
    const chooser = dialog.locator('input[type=file]')
    await chooser.setInputFiles(file('crew.csv', [head, ...lines].join('\r\n')))
    await dialog.getByRole('button', { name: 'Check the file' }).click()
    await showsText(hr, '9,997 new people')
    await showsText(hr, '3 rows can’t be imported')
    await picture(hr, 'people-dry-run')
    const [refused] = await Promise.all([
      hr.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download to fix' }).click(),
    ])
    assert.equal(refused.suggestedFilename(), 'crew-not-imported.csv')
    const to_fix = await readFile(await refused.path(), 'utf8')
    assert.match(to_fix, /no address at all/)
    await dialog.getByRole('button', { name: 'Import 9,997 employees' }).click()
    await showsText(hr, /of 9,997 imported|Successfully added 9,997 employees/)
    await hr.goto('/dashboard/company-admin') // it goes on without the page
    await hr.goto('/dashboard/employees')
    await hr.getByRole('button', { name: 'Add Employee' }).first().click()
    await dialog.getByRole('tab', { name: 'Bulk Upload' }).click()
    await hr.getByText('Successfully added 9,997 employees').first().waitFor({ timeout: 60_000 })

    const fixed = to_fix
      .replace('no address at all', 'person10@crew.test')
      .replace(',123,', ',+385 91 234 5678,')
    await dialog.getByRole('button', { name: 'Upload another file' }).click()
    await chooser.setInputFiles(file('crew-fixed.csv', fixed))
    await dialog.getByRole('button', { name: 'Check the file' }).click()
    await showsText(hr, '2 new people')
    await showsText(hr, 'Not used: line and reason.')
    await dialog.getByRole('button', { name: 'Import 2 employees' }).click()
    await hr.getByText('Successfully added 2 employees').first().waitFor({ timeout: 30_000 })
    await hr.keyboard.press('Escape')
    await showsText(hr, 'crew-fixed.csv was imported: 2 people added')
    await showsText(hr, '9,999')
    await hr.getByLabel('Search employees').fill('person 777')
    await hr.getByRole('row', { name: /Person 777\b/ }).waitFor()
    await picture(hr, 'people-found')
  })

  test('the domain is turned on, and somebody who signs up with its address becomes an employee', async () => {
    const { company, hr } = await founded()
    const nils = `nils@${company.domain}`
    await hr.getByRole('button', { name: 'Add Employee' }).first().click()
    const dialog = hr.getByRole('dialog')
    await dialog.getByRole('tab', { name: 'Domain' }).click()
    const toggle = dialog.getByRole('switch', { name: 'Domain auto-registration' })
    await toggle.click()
    await showsText(hr, 'Domain auto-registration enabled')
    await toggle.click()
    await showsText(hr, 'Domain auto-registration disabled')
    await toggle.click()
    await showsText(hr, 'Domain auto-registration enabled')

    const newcomer = await stage.open(wide)
    await newcomer.goto('/auth/signup')
    await newcomer.getByLabel('Company Name').fill('Fjord Ferries')
    await newcomer.getByLabel('Full Name').fill('Nils Newcomer')
    await newcomer.getByLabel('Work Email').fill(nils)
    await newcomer.getByLabel('Your Role').selectOption({ label: 'Employee' })
    await newcomer.getByLabel('Password', { exact: true }).fill(password)
    await newcomer.getByRole('button', { name: 'Create Account' }).click()
    await showsText(newcomer, 'Account created successfully! You can now sign in.')
    await newcomer.goto(await linkTo(nils))
    await newcomer.getByLabel('Password', { exact: true }).fill(password)
    await newcomer.getByLabel('Confirm password').fill(password)
    await newcomer.getByRole('button', { name: 'Confirm and continue' }).click()
    await newcomer.waitForURL('**/dashboard/employee')
    await newcomer.getByRole('heading', { name: 'Prevention' }).waitFor()
    await newcomer.context().close()
    await hr.keyboard.press('Escape')
    await hr.getByRole('row', { name: /Nils Newcomer/ }).waitFor()
  })
})

test('a server killed in the middle of a file is followed by one that goes on, and adds nobody twice', async () => {
  const scene = await openScene()
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-killed-'))
  const servers: ChildProcess[] = []
  const serve = async () => {
    const INSTALLATION_KEY = scene.services.installation_key.toString('base64')
    const env = {
      ...process.env,
      DATABASE_URL: scene.database_url,
      DATA_FOLDER: folder,
      INSTALLATION_KEY,
    }
    const server = fork(new URL('../own-server.ts', import.meta.url), {
      env: { ...env, LOG_LEVEL: 'fatal', AUTH_AUTOCONFIRM: 'on', WORKER: 'on' },
    })
    servers.push(server)
    const [message] = (await Promise.race([once(server, 'message'), once(server, 'exit')])) as [
      unknown,
    ]
    assert.ok(server.exitCode === null, `the server ended with ${String(message)}`)
    return server
  }
  try {
    const company = await scene.company({ name: 'Killed' })
    const { imports } = company.admin.api
    const text = ['name,email,phone,department']
    for (let n = 0; n < 20_000; n += 1) text.push(person(n).replace('crew', 'killed'))
    const { id } = await imports.upload(
      { file_name: 'crew.csv' },
      { file: new Blob([text.join('\n')]) },
    )
    await imports.start({ id })
    const first = await serve()
    const reached = async (done: number) => (await imports.find({ id })).done >= done
    await until(() => reached(2000), 'the first people')
    first.kill('SIGKILL')
    await once(first, 'exit')
    const left = await imports.find({ id })
    assert.equal(left.status, 'importing')
    assert.ok(left.done < 20_000, `all ${left.done} were in before the kill`)
    const counted = async () => {
      const [found] = await scene.sql<[{ people: number }]>`
        select count(*) as people from profiles where company_id = ${company.id} and role = 'employee'`
      return found.people
    }
    assert.equal(await counted(), left.done)
    // A minute without progress goes by.
    await scene.sql`update imports set touched_at = touched_at - interval '2 minutes'`
    await scene.sql`select private.resume_imports()`
    await serve()
    const done = await until(async () => {
      const now = await imports.find({ id })
      return now.status === 'done' && now
    }, 'the rest')
    assert.deepEqual([done.taken, done.done, await counted()], [20_000, 20_000, 20_000])
    assert.equal((await company.admin.api.employees.summary({})).total, 20_000)
  } finally {
    for (const server of servers) server.kill('SIGKILL')
    for (const server of servers) if (server.signalCode === null) await once(server, 'exit')
    await scene.close()
    await rm(folder, { recursive: true })
  }
})
