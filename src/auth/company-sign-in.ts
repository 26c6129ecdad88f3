// Sign-in by a company's identity provider: there, and back on a page of ours with a code. The code is good only with
// what this browser kept, so that nobody can be brought into somebody else's session by a link.
import { AuthClient, type AuthError } from '@supabase/auth-js'
import { useEffect, useState } from 'react'
import { paths } from '#paths.ts'
import { Failure } from '#ui/failure.ts'
import { messageOf } from './failure.ts'
import { auth } from './session.ts'

const { origin } = window.location

const kept_as = 'sso'

/** Beside the session's own client, which asks by links and codes: this one keeps no session. */
const there = new AuthClient({
  url: `${origin}/auth/v1`,
  storageKey: kept_as,
  autoRefreshToken: false,
  persistSession: true,
  detectSessionInUrl: false,
  flowType: 'pkce',
})

const return_key = 'sso-from'
/** Until the answer comes to a question whether it is still them. */
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

/** The page is being left: until then the button stays busy. Back leads to the page as it was. */
export const comesBack = () =>
  new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
  })

/** Back again: the code becomes the session of this browser. */
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
