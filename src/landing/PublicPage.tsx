import type { ReactNode } from 'react'
import { paths } from '#paths.ts'
import { Brand } from '#ui/Brand.tsx'
import { ButtonLink } from '#ui/Button.tsx'

type Props = { title: string; description?: ReactNode; children: ReactNode }

/** A page that is open to everybody, beside the landing page. */
export function PublicPage({ title, description, children }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Healthfund`}</title>
      <header className="border-b border-line">
        <div className="mx-auto flex h-16 w-full max-w-5xl items-center justify-between px-4 sm:px-6">
          <a href="/" className="flex rounded-md">
            <Brand />
          </a>
          <nav aria-label="Account" className="flex gap-2">
            <ButtonLink to={paths.login} variant="quiet">
              Login
            </ButtonLink>
            <ButtonLink to={paths.signup} variant="primary">
              Get Started
            </ButtonLink>
          </nav>
        </div>
      </header>
      <main className="mx-auto w-full max-w-2xl flex-1 px-4 py-14 sm:px-6">
        <h1 className="text-3xl font-semibold tracking-tight">{title}</h1>
        {description && <p className="mt-3 text-lg text-pretty text-soft">{description}</p>}
        <div className="mt-8 flex flex-col gap-5 leading-relaxed text-pretty">{children}</div>
      </main>
    </div>
  )
}
