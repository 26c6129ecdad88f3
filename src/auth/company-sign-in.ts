// Sign-in by a company's identity provider, which sends people back to a page of ours with a code. The code is good only together
// with what this browser kept, so that no link can bring a person into somebody else's session.
import { AuthClient, type AuthError } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { paths } from '#paths.ts'
import { Failure } from '#ui/failure.ts'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const { origin } = window.location

const kept_as = 'sso'

/**
 * A second client for sign-ins at a provider (PKCE), which begins no session itself; the session's own client uses links and
 * codes.
 */
const there = new AuthClient({
  url: `${origin}/auth/v1`,
  storageKey: kept_as,
  autoRefreshToken: false,
  persistSession: true,
  detectSessionInUrl: false,
  flowType: 'pkce',
})

const return_key = 'sso-from'
/** Kept while a provider is asked to confirm who is there, until its answer comes. */
export const confirming_key = 'sso-confirming'

export async function goThere(domain: string, from?: string) {
  sessionStorage.removeItem(confirming_key) // one that was given up
  if (from) sessionStorage.setItem(return_key, from)
  else sessionStorage.removeItem(return_key)
  const redirectTo = origin + paths.sso
  const { error } = await there.signInWithSSO({ domain, options: { redirectTo } })
  if (error) throw new Failure(messageOf(error, 'An error occurred during signin'))
  await comesBack()
}

/** The button stays busy while the page is being left. Back shows the page as it was. */
export const comesBack = () =>
  new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
  })

/** Exchanges the code for a session of this browser. */
export async function comeBack(code: string): Promise<AuthError | null> {
  const { data, error } = await there.exchangeCodeForSession(code)
  if (error) return error
  localStorage.removeItem(kept_as) // one client has it: two would use up each other's tokens
  const { access_token, refresh_token } = data.session
  return (await auth.setSession({ access_token, refresh_token })).error
}

export function takeWanted(): string | undefined {
  const from = sessionStorage.getItem(return_key) ?? undefined
  sessionStorage.removeItem(return_key)
  return from
}

const domainOf = (email: string | undefined) =>
  /@((?:[a-z0-9-]+\.)+[a-z]{2,})$/i.exec(email?.trim() ?? '')?.[1]?.toLowerCase()

const known = new Map<string, boolean>()

/** The domain of an address that leads to a company's provider. */
export function useCompanyDomain(email: string | undefined): string | undefined {
  const domain = domainOf(email)
  const [leads, setLeads] = useState(known)
  useEffect(() => {
    if (!domain || known.has(domain)) return undefined
    const timer = setTimeout(() => {
      void (async () => {
        const address = `${origin}/auth/v1/sso/domain?${new URLSearchParams({ domain })}`
        const answer = await fetch(address).catch(() => undefined)
        if (!answer?.ok) return // who does not know signs in by password
        known.set(domain, ((await answer.json()) as { sso: boolean }).sso)
        setLeads(new Map(known))
      })()
    }, 250)
    return () => clearTimeout(timer)
  }, [domain])
  return domain && leads.get(domain) ? domain : undefined
}
