import { lazy, useEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { homeOf, pageAt, paths } from '#paths.ts'
import { isOpenTo } from '#permissions/callers.ts'
import { problems } from '#problems.ts'
import { ActorContext } from '#ui/actor.ts'
import { Button } from '#ui/Button.tsx'
import { whenOnline } from '#ui/load-again.ts'
import { Waiting } from '#ui/Spinner.tsx'
import { toast } from '#ui/toast.ts'
import type { Me } from '#users/users.contract.ts'
import { useAuth } from './context.ts'
import { useGreeting } from './greeting.ts'
import { useArrival } from './return-to.ts'

// Few people ever see these pages, and they bring forms along, so the first load leaves them out.
const NewPasswordPage = lazy(async () => ({
  default: (await whenOnline(() => import('./NewPasswordPage.tsx'))).NewPasswordPage,
}))
const PendingPage = lazy(async () => ({
  default: (await whenOnline(() => import('./PendingPage.tsx'))).PendingPage,
}))
const TwoStepPage = lazy(async () => ({
  default: (await whenOnline(() => import('./TwoStepPage.tsx'))).TwoStepPage,
}))

/** Lets in who may see the page at this address. Nobody else sees any of it. */
export function Guard({ children }: { children: ReactNode }) {
  const { status, me, left } = useAuth()
  const { pathname, search, hash } = useLocation()
  const [ended, setEnded] = useState(false)
  const [opened, setOpened] = useState<OpenedPage>()
  useGreeting(status === 'signed_in' && me?.status === 'active' && !me.waiting_for)
  if (status === 'signed_in' && !ended) setEnded(true)
  if (status === 'loading') return <Waiting />
  if (status === 'signed_out') {
    const state = left ? undefined : { from: pathname + search + hash, ended }
    return <Navigate to={paths.login} replace state={state} />
  }
  if (!me) return <AccountFailed />
  if (me.waiting_for === 'two_step') return <TwoStepPage />
  if (me.waiting_for === 'new_password') return <NewPasswordPage />
  if (me.waiting_for || me.status !== 'active') return <PendingPage me={me} />
  const open_to = pageAt(pathname)?.open_to
  if (!Array.isArray(open_to) || !isOpenTo(open_to, me)) {
    const was_open = opened?.pathname === pathname ? opened : undefined
    return <Elsewhere why={whyNot(me, pageAt(pathname)?.title, was_open)} to={homeOf(me.role)} />
  }
  if (opened?.pathname !== pathname || opened.role !== me.role)
    setOpened({ pathname, role: me.role })
  return <ActorContext value={actorOf(me)}>{children}</ActorContext>
}

type OpenedPage = { pathname: string; role: Me['role'] }

/** An admin whose rights waited had an employee’s pages until they were confirmed. */
function whyNot({ role }: Me, title: string | undefined, was_open: OpenedPage | undefined): string {
  if (!was_open) return `You have no right to ${title}`
  if (was_open.role === 'employee' && role === 'company_admin') return 'You have new rights'
  return 'Your right to that page has ended'
}

/** People who land on another page than they asked for are told why, also when their right ends on the page. */
function Elsewhere({ why, to }: { why: string; to: string }) {
  useEffect(() => void toast(`${why}. You are on your dashboard`, 'notice'), [why])
  return <Navigate to={to} replace />
}

const actorOf = ({ company, ...me }: Me) => ({
  ...me,
  company_id: company?.id ?? null,
  currency: company?.currency ?? null,
})

/** People already signed in go where they wanted to go, or to their dashboard. */
export function VisitorsOnly({ children }: { children: ReactNode }) {
  const { status, me, recovering } = useAuth()
  const { from } = useArrival()
  // The form stays on screen while the sign-in that it sent loads the role.
  const [shown, setShown] = useState(false)
  if (status === 'signed_out' && !shown) setShown(true)
  if (status === 'signed_in') {
    if (recovering) return <Navigate to={paths.reset_password} replace />
    return me ? <Navigate to={from ?? homeOf(me.role)} replace /> : <AccountFailed />
  }
  return shown ? children : <Waiting />
}

function AccountFailed() {
  const { reload, signOut } = useAuth()
  const [loading, setLoading] = useState(false)
  const retry = async () => {
    setLoading(true)
    await reload()
    setLoading(false)
  }
  return (
    // This page is drawn without AuthFrame, which the first load leaves out.
    <main className="grid min-h-dvh place-items-center bg-surface px-6">
      <title>Your account could not be loaded · Healthfund</title>
      <div className="w-full max-w-sm">
        <h1 className="text-2xl font-semibold tracking-tight">Your account could not be loaded</h1>
        <p className="mt-2 text-sm text-pretty text-soft">
          {`You are signed in. ${problems.unavailable[1]}.`}
        </p>
        <div className="mt-8 flex gap-3">
          <Button variant="primary" loading={loading} onClick={() => void retry()}>
            Retry
          </Button>
          <Button variant="quiet" onClick={() => void signOut()}>
            Logout
          </Button>
        </div>
      </div>
    </main>
  )
}
