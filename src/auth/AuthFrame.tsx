import type { ReactNode } from 'react'
import { Brand } from '#ui/Brand.tsx'
import { FundPicture } from './FundPicture.tsx'

type Props = { title: string; description?: ReactNode; footer?: ReactNode; children: ReactNode }

/** The pages before the dashboard: one column with the form, and beside it what it is for. */
export function AuthFrame({ title, description, footer, children }: Props) {
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-[minmax(30rem,5fr)_6fr]">
      <title>{`${title} · Healthfund`}</title>
      <div className="flex min-w-0 flex-col px-6 py-6 sm:px-10 sm:py-8">
        <header>
          <a href="/" className="inline-flex rounded-md">
            <Brand />
          </a>
        </header>
        <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-10">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {description && <div className="mt-2 text-sm text-pretty text-soft">{description}</div>}
          <div className="mt-8">{children}</div>
          {footer && <div className="mt-8 text-sm text-soft">{footer}</div>}
        </main>
      </div>
      <aside aria-hidden="true" data-beside-form className="hidden bg-deep lg:block">
        {/* The picture is centred in the window: the form beside it grows with each fault shown. */}
        <div className="sticky top-0 grid h-dvh place-items-center overflow-hidden p-14">
          <FundPicture />
        </div>
      </aside>
    </div>
  )
}

export const textLink = 'rounded-sm font-medium text-primary-ink underline-offset-4 hover:underline'
