import { clsx } from 'clsx'
import { Button } from './Button.tsx'
import { MoreFailed } from './Empty.tsx'

type Props = {
  list: { more: (() => void) | undefined; fetching?: boolean; failed?: boolean }
  className?: string
}

/** A button that loads the next rows of a list; it stays meanwhile, and so does its focus. */
export function MoreButton({ list: { more, fetching = false, failed }, className }: Props) {
  if (!more && !fetching) return null
  return (
    <div className={clsx('pt-3 text-center', className)}>
      {failed && more ? (
        <MoreFailed onPress={more} />
      ) : (
        <Button loading={fetching} onClick={more}>
          Show more
        </Button>
      )}
    </div>
  )
}
