// The built screens: hashed files for ever, pages never cached and with a fresh nonce each.
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { takes } from './json-answer.server.ts'

/** Scripts, styles and pictures come from us alone. The nonce is for libraries that style at run time. */
function policyOf(nonce: string | undefined, dev: boolean): string {
  const styles = dev ? "'self' 'unsafe-inline'" : nonce ? `'self' 'nonce-${nonce}'` : "'self'"
  return [
    "default-src 'self'",
    `script-src 'self'${dev ? " 'unsafe-inline'" : ''}`,
    `style-src ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type Pages = {
  /** The folder of the built screens. */
  folder: string
  /** Draw from the sources, with reload, instead of from what was built. */
  dev: boolean
  isPage: (path: string) => boolean
}

export const pagesOf = (app: Hono, pages: Pages) =>
  pages.dev ? serveSources(app, pages) : serveBuilt(app, pages)

/** The landing page is a file of its own; every other page is drawn by the app. */
async function serveBuilt(app: Hono, { folder, isPage }: Pages) {
  const files = await readAll(folder)
  const app_page = files.get('app.html')
  if (!app_page || !files.has('index.html'))
    throw new Error(`The pages in ${folder} are not complete: build them again.`)
  const parts = String(app_page).split('__NONCE__')
  const send = (c: Context, name = c.req.path.slice(1)) => sendFile(c, files, name)
  app.get('/', (c) => {
    c.header('content-security-policy', policyOf(undefined, false))
    c.header('cache-control', 'no-cache')
    return send(c, 'index.html')
  })
  app.get('/assets/*', cached('public, max-age=31536000, immutable'), (c) => send(c))
  app.get(
    ':file{[a-z0-9.-]+\\.(svg|png|js|css|txt|ico|webmanifest)}',
    cached('public, max-age=3600'),
    (c) => send(c),
  )
  app.get('*', (c) => {
    const nonce = randomBytes(16).toString('base64')
    c.header('content-security-policy', policyOf(nonce, false))
    c.header('cache-control', 'no-store')
    return c.html(parts.join(nonce), isPage(c.req.path) ? 200 : 404)
  })
}

/** Built pages are held in memory: a later build is for the next server, and takes nothing away from this one's pages. */
async function readAll(folder: string): Promise<Map<string, Buffer<ArrayBuffer>>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  const read = async ({ parentPath, name }: (typeof files)[number]) => {
    const file = path.join(parentPath, name)
    return [path.relative(folder, file).split(path.sep).join('/'), await readFile(file)] as const
  }
  return new Map(await Promise.all(files.map(read)))
}

const packings = { br: '.br', gzip: '.gz' }

/** A browser that takes it gets the file as it was packed at build time. */
function sendFile(c: Context, files: Map<string, Buffer<ArrayBuffer>>, name: string) {
  const plain = files.get(name)
  if (!plain) return c.text('Not found', 404)
  c.header('content-type', getMimeType(name) ?? 'application/octet-stream')
  const packed = Object.entries(packings).flatMap(([encoding, ending]) => {
    const bytes = files.get(name + ending)
    return bytes ? [{ encoding, bytes }] : []
  })
  if (packed.length > 0) c.header('vary', 'accept-encoding')
  const best = packed.find(({ encoding }) => takes(c, encoding))
  if (best) c.header('content-encoding', best.encoding)
  return c.body(best?.bytes ?? plain)
}

async function serveSources(app: Hono, { isPage }: Pages) {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  app.get('*', async (c) => {
    const { incoming, outgoing } = c.env as HttpBindings
    const handled = await new Promise<boolean>((resolve) => {
      outgoing.once('finish', () => resolve(true))
      vite.middlewares(incoming, outgoing, () => resolve(false))
    })
    if (handled) return RESPONSE_ALREADY_SENT
    const file = c.req.path === '/' ? 'index.html' : 'app.html'
    c.header('content-security-policy', policyOf(undefined, true))
    const html = await vite.transformIndexHtml(c.req.path, await readFile(file, 'utf8'))
    return c.html(html, isPage(c.req.path) ? 200 : 404)
  })
}

const cached =
  (value: string): MiddlewareHandler =>
  async (c, next) => {
    await next()
    if (c.res.ok && !c.res.headers.get('cache-control')) c.res.headers.set('cache-control', value)
  }
