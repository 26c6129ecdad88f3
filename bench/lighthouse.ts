// Lighthouse's four marks. It is not among our packages, for its size: LIGHTHOUSE names a folder in which
// `npm install lighthouse` was run; without it they are not measured.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type BrowserContext } from 'playwright-core'
import { freePort } from '../test/free-port.ts'
import { launching } from '../test/browser.ts'
import { notMeasured, record } from './measure.ts'

type Result = {
  lhr: {
    categories: Record<string, { score: number | null; title: string }>
    audits: Record<string, { score: number | null; title: string; displayValue?: string }>
  }
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<Result>
type Login = { email: string; password: string }

const goal = '≥ 95'
const dresses = ['phone', 'desktop'] as const

export async function marks(origin: string, login: Login) {
  const lighthouse = await installed()
  if (!lighthouse) {
    notMeasured('12', 'Lighthouse, all four marks', goal, 'LIGHTHOUSE names no installed one')
    return
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-lighthouse-'))
  const port = await freePort()
  const options = await launching()
  const context = await chromium.launchPersistentContext(folder, {
    ...options,
    args: [...(options.args ?? []), `--remote-debugging-port=${port}`],
  })
  try {
    for (const dress of dresses)
      await judge(lighthouse.run, `${origin}/`, { ...lighthouse, dress, port })
    await signIn(context, origin, login)
    for (const dress of dresses)
      await judge(lighthouse.run, `${origin}/dashboard/employee`, { ...lighthouse, dress, port })
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function installed() {
  const folder = process.env['LIGHTHOUSE']
  if (!folder) return undefined
  const main = createRequire(path.join(path.resolve(folder), 'x.js')).resolve('lighthouse')
  const { default: run, desktopConfig } = (await import(pathToFileURL(main).href)) as {
    default: Lighthouse
    desktopConfig: object
  }
  return { run, desktopConfig }
}

type How = { port: number; dress: (typeof dresses)[number]; desktopConfig: object }

async function judge(run: Lighthouse, url: string, { port, dress, desktopConfig }: How) {
  const flags = {
    port,
    logLevel: 'error',
    disableStorageReset: true, // the session
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
  }
  const { lhr } = await run(url, flags, dress === 'desktop' ? desktopConfig : undefined)
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
