// The built screens: hashed files for ever, pages never cached and with a fresh nonce each.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { HttpBindings } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Hono, MiddlewareHandler } from 'hono'

/** Where scripts, styles and pictures may come from: us. The nonce is for libraries that style at run time. */
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
  /** Where the built screens lie. */
  folder: string
  /** Draw from the sources, with reload, instead of from what was built. */
  dev: boolean
  isPage: (path: string) => boolean
}

export const pagesOf = (app: Hono, pages: Pages) =>
  pages.dev ? serveSources(app, pages) : serveBuilt(app, pages)

/** The landing page is a file of its own; every other page is drawn by the app. */
async function serveBuilt(app: Hono, { folder, isPage }: Pages) {
  const read = (file: string) => readFile(`${folder}/${file}`, 'utf8')
  const landing = await read('index.html')
  const parts = (await read('app.html')).split('__NONCE__')
  const files = serveStatic({ root: folder, precompressed: true })
  const small = await readFile(`${folder}/index.html.br`)
  app.get('/', (c) => {
    c.header('content-security-policy', policyOf(undefined, false))
    c.header('cache-control', 'no-cache')
    c.header('vary', 'accept-encoding')
    if (!/\bbr\b/.test(c.req.header('accept-encoding') ?? '')) return c.html(landing)
    c.header('content-encoding', 'br')
    c.header('content-type', 'text/html; charset=UTF-8')
    return c.body(small)
  })
  app.get('/assets/*', cached('public, max-age=31536000, immutable'), files, notThere)
  app.get(
    ':file{[a-z0-9.-]+\\.(svg|png|js|css|txt|ico|webmanifest)}',
    cached('public, max-age=3600'),
    files,
    notThere,
  )
  app.get('*', (c) => {
    const nonce = randomBytes(16).toString('base64')
    c.header('content-security-policy', policyOf(nonce, false))
    c.header('cache-control', 'no-store')
    return c.html(parts.join(nonce), isPage(c.req.path) ? 200 : 404)
  })
}

const notThere: MiddlewareHandler = async (c) => c.text('Not found', 404)

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
