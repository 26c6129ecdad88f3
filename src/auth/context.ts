import type { User } from '@supabase/auth-js'
import { createContext, use } from 'react'
import type { Me } from '#users/users.contract.ts'

export type AuthState = {
  /** `loading` until the first session check and the first load of the role have finished. */
  status: 'loading' | 'signed_out' | 'signed_in'
  user: User | null
  /** The person in the product; nothing if they could not be loaded. */
  me: Me | null
  /** People who left on purpose are not sent back to where they were. */
  left: boolean
  /** The person came by a link for a forgotten password, and has not set a new one yet. */
  recovering: boolean
  recovered: () => void
  /** A mailed link or code began this session: a new password needs no current one. */
  by_link: boolean
  reload: () => Promise<void>
  signOut: () => Promise<void>
}

export const AuthContext = createContext<AuthState | undefined>(undefined)

export function useAuth(): AuthState {
  const state = use(AuthContext)
  if (!state) throw new Error('useAuth must be used within an AuthProvider')
  return state
}

/** A person without a password signs in by their company's identity provider. */
export const hasNoPassword = (user: User | null) => user?.app_metadata['has_no_password'] === true
