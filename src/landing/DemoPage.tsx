import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { auth } from '#auth/session.ts'
import { homeOf, paths, roleLabels } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { PublicPage } from './PublicPage.tsx'
import type { Site } from './site.contract.ts'
import { Tour } from './Tour.tsx'

export function DemoPage() {
  const site = useRead(api.site.about, {})
  return (
    <PublicPage
      wide
      title="See Healthfund at work"
      description={
        site && !site.demo
          ? 'A guided tour through the three roles, with pictures of the product itself.'
          : 'Twelve companies and a year of realistic data. Enter as any of three roles; nothing is sent anywhere.'
      }
    >
      <div className="flex flex-col gap-20">
        {!site && <Skeleton className="h-64 w-full" />}
        {site?.demo && <Logins logins={site.demo.logins} />}
        <Tour />
        <div className="flex flex-wrap justify-center gap-3 border-t border-line pt-12">
          <ButtonLink to={paths.signup} variant="primary" size="large">
            Start Free Trial
          </ButtonLink>
          <ButtonLink to={paths.contact} size="large">
            Contact Sales
          </ButtonLink>
        </div>
      </div>
    </PublicPage>
  )
}

type DemoLogin = NonNullable<Site['demo']>['logins'][number]

function Logins({ logins }: { logins: DemoLogin[] }) {
  const [entering, setEntering] = useState<string>()
  const navigate = useNavigate()
  const enter = async ({ email, password, role }: DemoLogin) => {
    setEntering(email)
    const { error } = await auth.signInWithPassword({ email, password })
    setEntering(undefined)
    if (error) toast(error.message || 'An error occurred during signin', 'failure')
    else await navigate(homeOf(role))
  }
  return (
    <section aria-label="Demo logins">
      <ul className="grid gap-5 md:grid-cols-3">
        {logins.map((login) => (
          <li
            key={login.email}
            className="flex flex-col rounded-2xl border border-line bg-surface p-6 shadow-card"
          >
            <p className="text-ui font-medium text-primary-ink">{roleLabels[login.role]}</p>
            <h2 className="mt-1 text-xl font-semibold tracking-tight">{login.full_name}</h2>
            <p className="mt-2 flex-1 text-sm text-pretty text-soft">{login.sees}</p>
            <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-ui">
              <dt className="text-faint">Email</dt>
              <dd className="wrap-anywhere">{login.email}</dd>
              <dt className="text-faint">Password</dt>
              <dd className="wrap-anywhere">{login.password}</dd>
            </dl>
            <Button
              variant="primary"
              size="large"
              className="mt-6"
              loading={entering === login.email}
              disabled={entering !== undefined && entering !== login.email}
              onClick={() => void enter(login)}
            >
              Enter as {roleLabels[login.role]}
              <ArrowRight className="size-4" aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
