import { use } from 'react'
import { HomeContext } from '#ui/actor.ts'
import { Brand } from '#ui/Brand.tsx'
import { buttonStyles } from '#ui/Button.tsx'

export function NotFoundPage() {
  const home = use(HomeContext)
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-12 text-center">
      <title>Page not found · Healthfund</title>
      <div className="flex flex-col items-center">
        <Brand />
        <p className="figures mt-12 text-7xl font-semibold tracking-tighter text-primary">404</p>
        <h1 className="mt-4 text-2xl font-semibold tracking-tight">Oops! Page not found</h1>
        <p className="mt-2 max-w-sm text-soft">
          The address may be mistyped, or the page has moved. Nothing you saved is lost.
        </p>
        {/* A document of its own, so a real link: the landing page is not part of this app. */}
        <a href={home} className={`mt-8 ${buttonStyles({ variant: 'primary', size: 'large' })}`}>
          Return to Home
        </a>
      </div>
    </main>
  )
}
