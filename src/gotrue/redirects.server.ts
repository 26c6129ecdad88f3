// A link leads to ourselves, or where the operator allows it; anything else leads home.
import type { Context } from 'hono'
import type { Auth } from './auth.server.ts'
import type { AuthSettings } from './settings.server.ts'

export function redirectOf(auth: Auth, c: Context, in_body?: string): string {
  const candidates = [
    in_body,
    c.req.header('redirect_to'),
    c.req.query('redirect_to'),
    c.req.header('referer'),
  ]
  return (
    candidates.find((address) => address && isAllowed(auth.settings, address)) ??
    auth.settings.site_url
  )
}

const dangerous = /^(javascript|data|vbscript|file|blob):/i

function isAllowed(settings: AuthSettings, address: string): boolean {
  // Browsers drop blanks and turn backslashes, and what is left leads elsewhere.
  if (!/^[!-[\]-~]+$/.test(address) || dangerous.test(address)) return false
  const url = URL.parse(address)
  const site = URL.parse(settings.site_url)
  if (!url || !site || url.username || url.password) return false
  const same_place = url.protocol === site.protocol && url.hostname === site.hostname
  if (same_place && (url.port === site.port || isLoopback(url.hostname))) return true
  const without_fragment = address.replace(/#.*$/s, '')
  const as_read = url.href.replace(/#.*$/s, '')
  // The address must be written as a browser reads it, so that the pattern and the browser see the same.
  if (as_read !== without_fragment && as_read !== `${without_fragment}/`) return false
  return settings.redirect_allow_list.some((glob) => toPattern(glob).test(without_fragment))
}

const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** `*` stays within a label or segment, `**` goes beyond, `?` is one character. */
function toPattern(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*|\?)/).map((part) => {
    if (part === '**') return '.*'
    if (part === '*') return '[^./]*'
    if (part === '?') return '[^./]'
    return part.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('')}$`, 's')
}

/** The protocol's own link, which is used up as soon as somebody follows it. */
export const actionLink = (auth: Auth, token: string, type: string, redirect_to: string) =>
  linkTo(`${auth.settings.external_url}/verify`, token, type, redirect_to)

/**
 * The link of our mails leads to a page that asks first: mail scanners follow links, but press
 * nothing.
 */
export const pageLink = (auth: Auth, token: string, type: string, redirect_to: string) =>
  linkTo(`${auth.settings.site_url}/auth/verify`, token, type, redirect_to)

function linkTo(where: string, token: string, type: string, redirect_to: string): string {
  const target = /[&=#%+]/.test(redirect_to) ? encodeURIComponent(redirect_to) : redirect_to
  return `${where}?token=${token}&type=${type}&redirect_to=${target}`
}
