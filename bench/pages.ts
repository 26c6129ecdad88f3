// Workload 12: what a first visit costs over the wire, as a real browser receives it, and how steady it stands.
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../test/browser.ts'
import { marks } from './lighthouse/marks.ts'
import { record } from './measure.ts'
import { ask, openPool, type BenchStage } from './stage.ts'

const password = 'a quiet harbour at dawn'

export async function firstVisits(stage: BenchStage) {
  const origin = stage.origin.replace('127.0.0.1', 'localhost') // where browsers take br
  const emails = await people(stage)
  const browser = await openBrowser()
  type State = Awaited<ReturnType<BrowserContext['storageState']>>
  const visit = async (what: (page: Page) => Promise<unknown>, storageState?: State) => {
    const context = await browser.newContext({
      baseURL: origin,
      ...(storageState ? { storageState } : {}),
      viewport: { width: 1440, height: 900 },
    })
    const page = await context.newPage()
    const wire = await countBytes(page)
    await what(page)
    const found = { kilobytes: (await wire()) / 1000, ...(await steadiness(page)) }
    const signed_in = { state: await context.storageState(), address: page.url() }
    await context.close()
    return { ...found, ...signed_in }
  }
  try {
    const landing = await visit(async (page) => {
      await page.goto('/', { waitUntil: 'networkidle' })
    })
    weight('landing page', landing.kilobytes, 90)
    steady('landing page', landing)
    for (const [role, email] of Object.entries(emails)) {
      const both = await visit((page) => signIn(page, email))
      weight(`sign-in and the ${role} dashboard together`, both.kilobytes, 250)
      const again = await visit((page) => drawn(page, both.address), both.state)
      weight(`the ${role} dashboard, signed in already`, again.kilobytes, 250)
    }
  } finally {
    await browser.close()
  }
  await marks(origin, { email: emails.employee, password })
}

/** Bytes as they travelled, compressed, with their headers. */
async function countBytes(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  const under_way = new Set<string>()
  // The live stream never ends: it is no part of what loads.
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.includes('/api/live')) under_way.add(requestId)
  })
  session.on('Network.loadingFailed', ({ requestId }) => under_way.delete(requestId))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength
    under_way.delete(requestId)
  })
  return async () => {
    while (under_way.size > 0) await page.evaluate(() => new Promise(requestAnimationFrame))
    return bytes
  }
}

type Shift = PerformanceEntry & { value: number }

const steadiness = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ shift: number; largest_ms: number }>((resolve) => {
        let [shift, largest_ms] = [0, 0]
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as Shift[]) shift += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        // Entries buffered for a new observer are handed over at once: the last of them counts.
        new PerformanceObserver((list) => {
          largest_ms = list.getEntries().at(-1)?.startTime ?? 0
          requestAnimationFrame(() => resolve({ shift, largest_ms }))
        }).observe({ type: 'largest-contentful-paint', buffered: true })
      }),
  )

function weight(what: string, value: number, most: number) {
  record({
    workload: '12',
    name: `first load over the wire: ${what}`,
    value,
    unit: 'KB',
    goal: `≤ ${most} KB`,
    holds: () => value <= most,
  })
}

function steady(what: string, { shift, largest_ms }: { shift: number; largest_ms: number }) {
  record({
    workload: '12',
    name: `layout shift of the ${what} (largest paint after ${Math.round(largest_ms)} ms)`,
    value: shift,
    unit: 'CLS',
    goal: '0',
    holds: () => shift === 0,
  })
}

async function signIn(page: Page, email: string) {
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/dashboard/**')
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
}

async function drawn(page: Page, address: string) {
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
}

async function people({ origin, url }: BenchStage) {
  const signUp = (email: string, role: string) =>
    ask(origin, '/auth/v1/signup', {
      email,
      password,
      data: { full_name: 'First Visit', role, company_name: 'Visit' },
    })
  const emails = {
    'super admin': 'boss@visit-provider.test',
    'company admin': 'hr@visit.test',
    employee: 'ana@visit.test',
  }
  await signUp(emails['super admin'], 'super_admin')
  await signUp(emails['company admin'], 'company_admin')
  const sql = openPool(url, 1)
  await sql`update companies set status = 'active', domain_auto_register = true
    where domain = 'visit.test'`
  await signUp(emails.employee, 'employee')
  await sql`update profiles set status = 'active' where email = any (${Object.values(emails)})`
  await sql.end()
  return emails
}
