import { clsx } from 'clsx'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'

type Props = { id: string; title: string; description: ReactNode; children: ReactNode }

const styles = clsx(
  'grid scroll-mt-20 gap-x-10 gap-y-4 border-t border-line pt-8 first:border-t-0 first:pt-0',
  'lg:grid-cols-[16rem_minmax(0,1fr)]',
)

/** A part of a long page: what it is about on the left, its cards on the right. `id` is its `#` address. */
export function Section({ id, title, description, children }: Props) {
  const heading = useId()
  const place = useRef<HTMLElement>(null)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === `#${id}`) place.current?.scrollIntoView({ block: 'start' })
  }, [hash, id])
  return (
    <section ref={place} aria-labelledby={heading} className={styles}>
      <div>
        <h2 id={heading} className="text-base font-semibold">
          {title}
        </h2>
        <p className="mt-1 max-w-md text-ui text-pretty text-soft">{description}</p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  )
}
