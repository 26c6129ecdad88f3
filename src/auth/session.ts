// The browser's session: the unmodified client, kept in local storage, refreshed by itself.
import { AuthClient } from '@supabase/auth-js'

const { origin, hostname } = window.location

export const auth = new AuthClient({
  url: `${origin}/auth/v1`,
  // The key that supabase-js derives from the backend's host.
  storageKey: `sb-${hostname.split('.')[0]}-auth-token`,
  autoRefreshToken: true,
  persistSession: true,
  // A link could bring the session of whoever made it, so none is taken from an address: our links lead to pages that ask, then
  // POST.
  detectSessionInUrl: false,
  flowType: 'implicit',
  experimental: { recoveryCodes: true },
})

export const session = {
  /** The access token, refreshed if it is about to end; nothing when signed out. */
  async token(): Promise<string | undefined> {
    const { data } = await auth.getSession()
    return data.session?.access_token
  },
}
