import { isAuthRetryableFetchError, type Session, type User } from '@supabase/auth-js'
import { decodeJwt } from 'jose'
import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { api } from '#api/api.ts'
import { homeOf } from '#paths.ts'
import { Problem, type ProblemCode } from '#problems.ts'
import { HomeContext } from '#ui/actor.ts'
import { askPatiently, queries, refusals } from '#ui/ask.ts'
import { keepDaysOf } from '#ui/calendar-days.ts'
import { clearAllDrafts } from '#ui/draft.ts'
import { dismissAll, toast } from '#ui/toast.ts'
import type { Me } from '#users/users.contract.ts'
import { AuthContext, type AuthState } from './context.ts'
import { auth } from './session.ts'

/** `undefined`: not known yet. */
type KnownUser = {
  user: User | null | undefined
  me: Me | null | undefined
  session_id?: string | undefined
  by_link?: boolean
}

export function AuthProvider({ children }: { children: ReactNode }) {
  const [{ user, me, session_id, by_link = false }, setKnown] = useState<KnownUser>({
    user: undefined,
    me: undefined,
  })
  const [left, setLeft] = useState(false)
  const leaving = useRef(false)
  const last_id = useRef<string>(undefined)
  const [recovering, setRecovering] = useState(false)

  useEffect(() => {
    const { data } = auth.onAuthStateChange((event, session) => {
      const next = session?.user ?? null
      if (next) setLeft(false)
      forget(next, last_id)
      // Drafts are cleared before the next page is drawn. They stay if somebody else ended the session.
      if (event === 'SIGNED_OUT' && leaving.current) clearAllDrafts()
      if (event === 'PASSWORD_RECOVERY') setRecovering(true)
      if (event === 'USER_UPDATED' || event === 'SIGNED_OUT') setRecovering(false)
      setKnown((known) => knownWith(session, known))
    })
    return () => data.subscription.unsubscribe()
  }, [])

  const user_id = user?.id
  const reload = useCallback(async () => {
    if (!user_id || !session_id) return
    const loaded = await loadMe()
    // Somebody else may have signed in while this loaded.
    setKnown((known) =>
      known.session_id === session_id ? { ...known, me: loaded ?? known.me ?? null } : known,
    )
  }, [user_id, session_id])

  // Loading waits for the next tick: the client waits for its listeners to return.
  useEffect(() => {
    const timer = setTimeout(() => void reload(), 0)
    return () => clearTimeout(timer)
  }, [reload])

  useEffect(() => listenToRefusals(reload), [reload])

  const state = useMemo<AuthState>(() => {
    const waits = user === undefined || (user !== null && me === undefined)
    return {
      status: waits ? 'loading' : user ? 'signed_in' : 'signed_out',
      user: user ?? null,
      me: me ?? null,
      left,
      recovering,
      recovered: () => setRecovering(false),
      by_link,
      reload,
      signOut: async () => {
        setLeft(true)
        leaving.current = true
        if (!(await leave())) setLeft(false)
        leaving.current = false
      },
    }
  }, [user, me, left, recovering, by_link, reload])

  return (
    <AuthContext value={state}>
      <HomeContext value={me ? homeOf(me.role) : '/'}>{children}</HomeContext>
    </AuthContext>
  )
}

/** Another person may sign in without the first one signing out, by a link opened in another tab. */
function forget(next: User | null, last_id: RefObject<string | undefined>) {
  const is_another = next && last_id.current && next.id !== last_id.current
  if (!next || is_another) queries.clear()
  if (is_another) {
    clearAllDrafts()
    dismissAll()
  }
  last_id.current = next?.id ?? last_id.current
}

/** A new session may show the same person in another state: a confirmed address brings both. */
function knownWith(session: Session | null, { session_id, me }: KnownUser): KnownUser {
  const its = session ? sessionOf(session.access_token) : undefined
  return {
    user: session?.user ?? null,
    me: session_id === its?.session_id ? me : undefined,
    ...its,
  }
}

const links = ['otp', 'magiclink', 'recovery']

function sessionOf(access_token: string) {
  const { session_id, amr } = decodeJwt<{ session_id: string; amr?: { method: string }[] }>(
    access_token,
  )
  return { session_id, by_link: amr?.some(({ method }) => links.includes(method)) ?? false }
}

async function loadMe(): Promise<Me | null> {
  try {
    const me = await askPatiently(() => api.users.me({}))
    keepDaysOf(me.company?.time_zone)
    return me
  } catch (error) {
    // A session that ended meanwhile is no fault: its owner goes back to the sign-in page.
    if (error instanceof Problem && error.code === 'not_signed_in') {
      refusals.dispatchEvent(new Event(error.code))
    } else {
      console.error('The role could not be loaded', error)
    }
    return null
  }
}

async function leave() {
  // This device only: the others are signed out in the settings, by name.
  const { error } = await auth.signOut({ scope: 'local' })
  if (error) {
    // The server still knows the session: to say that it ended would be a lie.
    toast('Error signing out', 'failure')
    return false
  }
  toast('Signed out successfully')
  return true
}

const account_changes: ProblemCode[] = [
  'account_pending',
  'two_step_needed',
  'new_password_needed',
  'forbidden', // the role that these pages are for was taken from them
]

/** The API may know before this screen that a session ended or that the state of an account changed. */
function listenToRefusals(reload: () => Promise<void>) {
  const ended = async () => {
    const { error } = await auth.getUser()
    if (error && !isAuthRetryableFetchError(error)) await auth.signOut({ scope: 'local' })
  }
  const onEnded = () => void ended()
  const onChanged = () => void reload()
  refusals.addEventListener('not_signed_in', onEnded)
  for (const code of account_changes) refusals.addEventListener(code, onChanged)
  refusals.addEventListener('person_changed', onChanged)
  return () => {
    refusals.removeEventListener('not_signed_in', onEnded)
    for (const code of account_changes) refusals.removeEventListener(code, onChanged)
    refusals.removeEventListener('person_changed', onChanged)
  }
}
