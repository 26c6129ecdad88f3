// The whole product on a port, and a browser in front of it.
import assert from 'node:assert/strict'
import path from 'node:path'
import { serve } from '@hono/node-server'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Services } from '#services.server.ts'
import { http_server } from '#lib/http-server.server.ts'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { isPage } from '#paths.ts'
import { dayFrom } from '#ui/typed-day.ts'
import { freePort } from '../free-port.ts'
import { openBrowser } from '../browser.ts'
import { until } from '../until.ts'
import { opened } from '../world/opened.ts'
import { password } from '../world/people.ts'
import { openScene } from '../world/scene.ts'

const root = path.resolve(import.meta.dirname, '../..')

export type E2e = Awaited<ReturnType<typeof openStage>>

/** A desk's screen, where nothing moves by itself. */
export const wide = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  reducedMotion: 'reduce',
} as const satisfies BrowserContextOptions

/** One in the hand, turned by a finger. */
export const phone = {
  ...wide,
  viewport: { width: 360, height: 780 },
  hasTouch: true,
  isMobile: true,
} as const satisfies BrowserContextOptions

/** Newer browsers answer a scroll with a promise, which an effect must not give back as its clean-up. */
function scrollsByPromise() {
  for (const place of [globalThis, Element.prototype] as Record<string, unknown>[]) {
    for (const name of ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView']) {
      const scroll = place[name] as ((...to: unknown[]) => unknown) | undefined
      if (!scroll) continue
      place[name] = async function (this: unknown, ...to: unknown[]) {
        scroll.apply(this, to)
      }
    }
  }
}

/** New pages, each in a context of its own; what the browser complains about becomes a fault. */
export const opener =
  (browser: Browser, baseURL: string, faults: string[]) =>
  async (context: BrowserContextOptions = {}): Promise<Page> => {
    const options = { baseURL, reducedMotion: 'reduce', ...context } as const
    const page = await (await browser.newContext(options)).newPage()
    page.on('pageerror', (error) => faults.push(error.message))
    // Violations that the code caught count as well: the content policy reports them.
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`The content policy refused ${blockedURI} by ${violatedDirective}`),
      ),
    )
    await page.addInitScript(scrollsByPromise)
    page.on('console', (message) => {
      const expected = /Failed to load resource: the server responded with a status of 4/
      if (message.type() === 'error' && !expected.test(message.text())) faults.push(message.text())
    })
    return page
  }

/**
 * Signs in on a page as if in another tab, else on the dashboard. Only tests about the form fill it in: for all others it would
 * triple the pages.
 */
export async function signInOn(page: Page, email: string, where = '/auth/login') {
  const data = { email, password }
  const address = '/auth/v1/token?grant_type=password'
  const answer = await page.context().request.post(address, { data })
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`)
  await page.goto('/healthz')
  await page.evaluate(
    (session) => localStorage.setItem('sb-localhost-auth-token', session),
    await answer.text(),
  )
  await page.goto(where)
  if (where === '/auth/login') await page.waitForURL('**/dashboard/**')
}

/** Built once in a process: the sources stay as they are while tests run. */
let built: Promise<void> | undefined

export async function withScreens({ app }: Pick<Services, 'app'>) {
  await (built ??= buildIfStale(root))
  await pagesOf(app, { folder: path.join(root, 'dist'), dev: false, isPage })
}

/** Serves on a port, with a browser in front. */
export async function inBrowser(services: Services, port: number) {
  const { fetch } = services.app
  const server = serve({ fetch, hostname: 'localhost', port, serverOptions: http_server })
  const browser = await openBrowser()
  const faults: string[] = []
  return {
    faults,
    open: opener(browser, `http://localhost:${port}`, faults),
    close: async () => {
      await browser.close()
      services.endStreams()
      server.close()
    },
  }
}

type StageOptions = { worker?: boolean; env?: Record<string, string> }

export async function openStage({ env: more, ...options }: StageOptions = {}) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = {
    SITE_URL: origin,
    PORT: String(port),
    AUTH_AUTOCONFIRM: 'off',
    AUTH_MAIL_EVERY_SECONDS: '0',
    ...more,
  }
  const scene = await openScene({ ...options, env, furnish: withScreens })
  const { open, faults, close } = await inBrowser(scene.services, port)
  const entered: Entered[] = []
  const free = new Map<string, Page[]>()
  return {
    origin,
    scene,
    /** The browser's complaints: errors, refused requests of its own, broken policy. */
    faults,
    open,
    signIn: signInOn,
    /** A browser with nothing of anybody else's in it, in which somebody is signed in, on a page. */
    async enter({ email }: { email: string }, where: string, context: BrowserContextOptions = {}) {
      const dress = JSON.stringify(context)
      const page = free.get(dress)?.pop() ?? (await this.open({ ...wide, ...context }))
      entered.push({ page, dress })
      await signInOn(page, email, where)
      await page.locator('h1').first().waitFor()
      return page
    },
    /**
     * Ends a test: the page that it entered is left, and reused by the next who enters. It keeps the loaded scripts and nothing
     * else, and no longer hears what the next tests do.
     */
    async leave() {
      await Promise.all(
        entered.splice(0).map(async ({ page, dress }) => {
          if (await emptied(page)) free.set(dress, [...(free.get(dress) ?? []), page])
          else await page.context().close()
        }),
      )
    },
    /** The address in the newest mail to somebody. */
    async linkFor(email: string): Promise<string> {
      const mail = (await scene.mailbox()).find(({ to }) => to === email)
      const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
      if (!link) throw new Error(`No mail with a link to ${email}`)
      return link
    },
    /** The newest mail of this subject to somebody, once the worker's next round of mails has written it. */
    async mailTo({ email }: { email: string }, subject: string) {
      await scene.sql`update mail_paces set last_at = last_at - interval '31 minutes'`
      await scene.sql`select add_job('notifications:mail', key => 'notifications:mail')`
      return until(
        async () =>
          (await scene.mailbox()).find((mail) => mail.to === email && mail.subject === subject),
        `a mail to ${email}: ${subject}`,
      )
    },
    /** Fails if the browser complained of anything. */
    async close() {
      await close()
      await scene.close()
      assert.deepEqual(faults, [])
    },
  }
}

export const openedStage = (options?: StageOptions): E2e => opened(() => openStage(options))

type Entered = { page: Page; dress: string }

/** Whether it can be used again: one that a test closed, or that will not go, cannot. */
async function emptied(page: Page): Promise<boolean> {
  if (page.isClosed() || page.context().pages().length > 1) return false
  await page.unrouteAll()
  await page.context().unrouteAll()
  const gone = await page.goto('/healthz').then(
    () => true,
    () => false,
  )
  if (!gone) return false
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.context().clearCookies()
  return true
}

/** Keeps a picture for people to look at, with `npm run looks` only. */
export async function picture(of: Page | Locator, name: string) {
  if (!process.env.LOOKS) return
  const options = { path: path.join(root, '.data/screenshots', `${name}.png`) }
  await ('goto' in of ? of.screenshot({ ...options, fullPage: true }) : of.screenshot(options))
}

/** Waits until it can be read. */
export const showsText = (page: Page, text: string | RegExp) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

/** The time for undoing a decision is over; then whom it is about sees it. */
export async function showsOnceFinal({ scene }: E2e, page: Page, text: string | RegExp) {
  await scene.notifyDecisions()
  await showsText(page, text)
}

/** Types a day into a date field, and goes on as people do: a list above which it stands follows then. */
export async function fillDay(field: Locator, day: string) {
  await field.fill(day)
  await field.blur()
}

/** The day that a date field shows, whichever way the page writes it. */
export const dayShown = async (field: Locator) =>
  dayFrom(await field.inputValue(), { today: '2026-01-01' })

/** Waits until the page is drawn with its fonts and loads nothing. (The live stream never ends, so the network is never idle.) */
export async function untilSettled(page: Page) {
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
  await page.evaluate(async () => {
    await document.fonts.ready
    // Elements that measure themselves have done so in the second frame after their size changed.
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })
}

/** The next request that changes something is cut off in the middle; those after it are not. */
export async function cutOnce(page: Page, where = '**/api/**') {
  let cut = false
  await page.route(where, (route) => {
    if (cut || route.request().method() === 'GET') return route.fallback()
    cut = true
    return route.abort('connectionreset')
  })
}
