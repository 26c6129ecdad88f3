import { clsx } from 'clsx'
import { use, type ReactNode } from 'react'
import { paths } from '#paths.ts'
import { HomeContext } from '#ui/actor.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Brand } from '#ui/Brand.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { PublicFooter } from './PublicFooter.tsx'

type Props = { title: string; description?: ReactNode; wide?: boolean; children: ReactNode }

/** A page that is open to everybody, beside the landing page. */
export function PublicPage({ title, description, wide, children }: Props) {
  const home = use(HomeContext)
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Healthfund`}</title>
      <header className="border-b border-line">
        <div className="mx-auto flex min-h-16 w-full max-w-6xl flex-wrap items-center justify-between gap-2 px-5 py-2 sm:px-8">
          <a href="/" aria-label="Healthfund, home" className="flex rounded-md">
            <Brand />
          </a>
          <nav aria-label="Account" className="flex gap-2">
            {home !== '/' ? (
              <ButtonLink to={home}>Dashboard</ButtonLink>
            ) : (
              <>
                <ButtonLink to={paths.login} variant="quiet">
                  Login
                </ButtonLink>
                <ButtonLink to={paths.signup} variant="primary">
                  Get Started
                </ButtonLink>
              </>
            )}
          </nav>
        </div>
      </header>
      <main
        className={clsx(
          'mx-auto w-full flex-1 px-5 py-12 sm:px-8 sm:py-16',
          wide ? 'max-w-6xl' : 'max-w-3xl',
        )}
      >
        <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">{title}</h1>
        {description && (
          <p className="mt-3 max-w-2xl text-lg text-pretty text-soft">{description}</p>
        )}
        <div className="mt-10">
          <Boundary>{children}</Boundary>
        </div>
      </main>
      <PublicFooter />
    </div>
  )
}
