import { Component, type ReactNode } from 'react'
import { Brand } from '#ui/Brand.tsx'
import { Button } from '#ui/Button.tsx'
import { isMissing } from '#ui/failure.ts'
import { NotFoundPage } from './NotFoundPage.tsx'

type Crash = 'nothing_there' | 'fault' | undefined

/**
 * The page of a thing that isn't there is no page. Else it is a fault of ours, or a new version replaced the files
 * this tab knew: a reload fixes that.
 */
export class CrashBoundary extends Component<{ children: ReactNode }, { crash: Crash }> {
  override state = { crash: undefined as Crash }

  static getDerivedStateFromError(error: unknown): { crash: Crash } {
    return { crash: isMissing(error) ? 'nothing_there' : 'fault' }
  }

  override render() {
    const { crash } = this.state
    if (crash === 'nothing_there') return <NotFoundPage />
    return crash ? <CrashPage /> : this.props.children
  }
}

const CrashPage = () => (
  <main role="alert" className="grid min-h-dvh place-items-center px-6 py-12 text-center">
    <title>Something went wrong · Healthfund</title>
    <div className="flex flex-col items-center">
      <Brand />
      <h1 className="mt-12 text-2xl font-semibold tracking-tight">Something went wrong</h1>
      <p className="mt-2 max-w-sm text-soft">
        This page could not be shown. What you typed is kept. Please load it again.
      </p>
      <div className="mt-8">
        <Button variant="primary" size="large" onClick={() => window.location.reload()}>
          Load again
        </Button>
      </div>
    </div>
  </main>
)
