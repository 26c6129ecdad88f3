import { clsx } from 'clsx'
import { ImageOff, RotateCw } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CallOptions } from '#lib/contract.ts'
import { Button } from './Button.tsx'
import { sentenceOf } from './failure.ts'
import { Skeleton } from './Skeleton.tsx'

type Props<I> = {
  /** The act that gives the picture, with the session's token; asked once for each input. */
  call: (input: I, options?: CallOptions) => Promise<Blob>
  input: I
  /** A description for people who can't see it; '' where it only decorates. */
  alt: string
  /** Too small for a sentence where it fails. */
  small?: boolean
  className?: string
}

/**
 * A picture that only some people may have. Not kept with the other answers: those are asked again after every
 * write, and each asking of a receipt is written down as an opening.
 */
export function AuthImage<I>(props: Props<I>) {
  const [again, setAgain] = useState(0)
  const question = `${again} ${JSON.stringify(props.input)}`
  return <Picture key={question} {...props} onRetry={() => setAgain(again + 1)} />
}

function Picture<I>(props: Props<I> & { onRetry: () => void }) {
  const { call, input, alt, small, className, onRetry } = props
  const { address, fault } = usePicture(call, input)
  if (address) return <img src={address} alt={alt} className={clsx('block', className)} />
  if (!fault) return <Skeleton className={clsx('size-full min-h-12', className)} />
  if (small) return <ImageOff className="size-5" aria-label={alt || fault} />
  return (
    <div className={clsx('flex flex-col items-center gap-3 p-6 text-center', className)}>
      <ImageOff className="size-6 text-faint" aria-hidden />
      <p className="text-sm text-soft">{fault}</p>
      <Button size="small" icon={<RotateCw className="size-3.5" aria-hidden />} onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}

/** The picture's address in this window, for who draws it in their own way. */
export function usePicture<I>(call: Props<I>['call'], input: I) {
  const [shown, setShown] = useState<{ address?: string; fault?: string }>({})
  const ask = useEffectEvent((signal: AbortSignal) => call(input, { signal }))
  useEffect(() => {
    const stop = new AbortController()
    let address: string | undefined
    const load = async () => {
      try {
        const picture = await ask(stop.signal)
        if (stop.signal.aborted) return
        address = URL.createObjectURL(picture)
        setShown({ address })
      } catch (error) {
        if (!stop.signal.aborted) setShown({ fault: sentenceOf(error) })
      }
    }
    void load()
    return () => {
      stop.abort()
      if (address) URL.revokeObjectURL(address)
    }
  }, [])
  return shown
}
