// `node demo/pictures.ts`: takes the pictures of the landing page, the tour and the README again, from the
// product itself, running over the demo world.
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { serve } from '@hono/node-server'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { openServices, type Services } from '#services.server.ts'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { isPage } from '#paths.ts'
import { openBrowser } from '../test/browser.ts'
import { demoWorld } from './world.ts'

const root = path.resolve(import.meta.dirname, '..')
const to = path.join(root, 'src/landing/pictures')
const password = 'quiet-harbour-42'

type Shot = {
  name: string
  email: string
  address: string
  /** Waits for what has to be on it before it is taken. */
  ready?: (page: Page) => Promise<unknown>
  /** A phone's picture of it, too. */
  narrow?: boolean
}

const helena = 'helena@aurora.example'
const jonas = 'jonas@aurora.example'
const priya = 'priya@healthfund.example'
const shots: Shot[] = [
  { name: 'company', email: helena, address: '/dashboard/company-admin', narrow: true },
  { name: 'claims', email: helena, address: '/dashboard/claims' },
  { name: 'funds', email: helena, address: '/dashboard/funds' },
  { name: 'employee', email: jonas, address: '/dashboard/employee' },
  { name: 'provider', email: priya, address: '/dashboard/super-admin' },
]
const height = 900
const width = 1440

const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-pictures-'))
await buildIfStale(root)
const config = readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'error', DEMO: 'on' })
const database = await openDatabase(config)
await demoWorld(config, database.url)
const services = await openServices(config, database.url, { worker: true })
await pagesOf(services.app, { folder: path.join(root, 'dist'), dev: false, isPage })
const server = serve({ fetch: services.app.fetch, hostname: 'localhost', port: 0 })
await once(server, 'listening')
const browser = await openBrowser()
try {
  await mkdir(to, { recursive: true })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  await workIsDone(services)
  for (const colorScheme of ['light', 'dark'] as const)
    for (const shot of shots) await take(browser, origin, shot, colorScheme)
} finally {
  await browser.close()
  services.endStreams()
  server.close()
  await services.close()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)

async function take(on: Browser, origin: string, shot: Shot, colorScheme: 'light' | 'dark') {
  const context = await on.newContext({
    baseURL: origin,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width, height },
  })
  const page = await context.newPage()
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(shot.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.waitForURL('**/dashboard/**')
  await page.goto(shot.address)
  await page.locator('h1').first().waitFor()
  await shot.ready?.(page)
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
  await isStill(page)
  const picture = await page.screenshot()
  await save(picture, `${shot.name}-${colorScheme}`, { width })
  if (shot.narrow) {
    await page.setViewportSize({ width: 390, height: 700 })
    await isStill(page)
    await save(await page.screenshot(), `${shot.name}-narrow-${colorScheme}`, { width: 390 })
  }
  await context.close()
}

/** Work that follows a start, such as reading receipts, is done before pictures are taken. */
async function workIsDone({ sql }: Services) {
  for (;;) {
    const [left] = await sql.owner<[{ jobs: number }]>`
      select (select count(*) from graphile_worker.jobs
          where run_at <= now() and attempts < max_attempts)::int
        + (select count(*) from receipts where read_state in ('waiting', 'reading'))::int as jobs`
    if (left.jobs === 0) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Charts draw themselves: they are done when nothing of them has changed for a while of frames. */
function isStill(page: Page) {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let [text, frames] = ['', 0]
        const capture = () => {
          const now = Array.from(document.querySelectorAll('svg'), (svg) => svg.outerHTML).join('')
          frames = now === text ? frames + 1 : 0
          text = now
          if (frames === 20) resolve()
          else requestAnimationFrame(capture)
        }
        capture()
      }),
  )
}

async function save(picture: Buffer, name: string, size: { width: number }) {
  const avif = await sharp(picture).resize(size).avif({ quality: 46, effort: 9 }).toBuffer()
  await writeFile(path.join(to, `${name}.avif`), avif)
  console.log(`${name}.avif ${(avif.length / 1000).toFixed(1)} KB`)
}
