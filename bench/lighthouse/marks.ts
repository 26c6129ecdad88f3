// Lighthouse's four marks. For its size it is not among our packages: the first run installs it in this folder.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type BrowserContext } from 'playwright-core'
import { freePort } from '../../test/free-port.ts'
import { launchOptions } from '../../test/browser.ts'
import { recordNotMeasured, record } from '../measure.ts'

type Result = {
  lhr: {
    runtimeError?: { message: string }
    categories: Record<string, { score: number | null; title: string }>
    audits: Record<string, { score: number | null; title: string; displayValue?: string }>
  }
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result>
type Login = { email: string; password: string }

const goal = '≥ 95'
const dresses = ['phone', 'desktop'] as const

export async function marks(origin: string, login: Login) {
  const found = await installed()
  if (!found) {
    recordNotMeasured('12', 'Lighthouse, all four marks', goal, 'npm could not install it')
    return
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-lighthouse-'))
  const port = await freePort()
  const options = await launchOptions()
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  })
  try {
    for (const dress of dresses) await judge(`${origin}/`, { ...found, dress, port })
    await signIn(context, origin, login)
    for (const dress of dresses)
      await judge(`${origin}/dashboard/employee`, { ...found, dress, port })
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)

async function installed() {
  const here = import.meta.dirname
  try {
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here })
  } catch (error) {
    console.error(error)
    return undefined // said as not measured
  }
  const main = createRequire(path.join(here, 'x.js')).resolve('lighthouse')
  const { default: lighthouse, desktopConfig } = (await import(pathToFileURL(main).href)) as {
    default: Lighthouse
    desktopConfig: object
  }
  return { lighthouse, desktopConfig }
}

type How = {
  port: number
  dress: (typeof dresses)[number]
  lighthouse: Lighthouse
  desktopConfig: object
}

async function judge(url: string, { port, dress, lighthouse, desktopConfig }: How) {
  const flags = {
    port,
    logLevel: 'error',
    disableStorageReset: true, // the session
    extraHeaders: { 'x-traced': 'yes' }, // see ../server.ts
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  }
  const { lhr } = await lighthouse(url, flags, dress === 'desktop' ? desktopConfig : undefined)
  if (lhr.runtimeError) throw new Error(`Lighthouse: ${lhr.runtimeError.message}`)
  const page = url.endsWith('/') ? 'landing page' : 'employee dashboard'
  for (const { title, score } of Object.values(lhr.categories)) {
    const value = Math.round((score ?? 0) * 100)
    record({
      workload: '12',
      name: `Lighthouse, ${title}: ${page}, ${dress}`,
      value,
      unit: 'of 100',
      goal,
      holds: () => value >= 95,
    })
  }
  if (process.env['LIGHTHOUSE_WHY']) {
    const faults = Object.entries(lhr.audits).filter(
      ([, { score }]) => score !== null && score < 0.9,
    )
    for (const [id, { title, displayValue }] of faults)
      console.log(`  ${page}, ${dress}: ${id}: ${title} ${displayValue ?? ''}`)
  }
}

async function signIn(context: BrowserContext, origin: string, { email, password }: Login) {
  const page = await context.newPage()
  await page.goto(`${origin}/auth/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/dashboard/**')
  await page.close()
}
