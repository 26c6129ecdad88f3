import { clsx } from 'clsx'

type PictureName = 'company' | 'claims' | 'funds' | 'employee' | 'provider'

type Props = {
  name: PictureName
  alt: string
  /** Loaded at once, as it is the first thing seen; other pictures are loaded when they are scrolled to. */
  first?: boolean
  /** A phone shows one of its own size, where there is one. */
  narrow?: boolean
  className?: string
}

const at = (name: string, scheme: 'light' | 'dark') =>
  `/src/landing/pictures/${name}-${scheme}.avif`

/** The product itself, running over the demo world (`demo/pictures.ts` takes them), light or dark as the page. */
export function Picture({ name, alt, first, narrow, className }: Props) {
  return (
    <picture>
      {narrow && (
        <>
          <source
            media="(max-width: 560px) and (prefers-color-scheme: dark)"
            srcSet={at(`${name}-narrow`, 'dark')}
            width={390}
            height={700}
          />
          <source
            media="(max-width: 560px)"
            srcSet={at(`${name}-narrow`, 'light')}
            width={390}
            height={700}
          />
        </>
      )}
      <source media="(prefers-color-scheme: dark)" srcSet={at(name, 'dark')} />
      <img
        src={at(name, 'light')}
        alt={alt}
        width={1440}
        height={900}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding="async"
        className={clsx('h-auto w-full', className)}
      />
    </picture>
  )
}
