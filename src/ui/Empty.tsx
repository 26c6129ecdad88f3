import { CloudAlert, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { useAddress } from './url-state.ts'

type Props = { title: string; icon?: ReactNode; action?: ReactNode; children?: ReactNode }

export function Empty({ title, icon, action, children }: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon && (
        <span className="mb-4 grid size-11 place-items-center rounded-full bg-sunken text-soft *:size-5">
          {icon}
        </span>
      )}
      <p className="text-sm font-medium">{title}</p>
      {children && <div className="mt-1.5 max-w-md text-sm text-pretty text-soft">{children}</div>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}

export const Missing = () => (
  <Empty title="There is nothing here" icon={<SearchX aria-hidden />}>
    It may have been removed, or the address may be mistyped.
  </Empty>
)

type NoMatchProps = { title: string; filters: readonly string[]; children?: ReactNode }

/** A list that its filters leave empty, and the way back to all of it. */
export function NoMatch({ title, filters, children }: NoMatchProps) {
  const [search, say] = useAddress()
  const chosen = filters.filter((name) => search.get(name))
  const clear = () => say(Object.fromEntries(chosen.map((name) => [name, ''])))
  return (
    <Empty
      icon={<SearchX aria-hidden />}
      title={title}
      action={chosen.length > 0 && <Button onClick={clear}>Clear filters</Button>}
    >
      {children ?? 'Try other words, or fewer filters.'}
    </Empty>
  )
}

/** The end of a list whose next rows could not be loaded. */
export const MoreFailed = ({ onPress }: { onPress: () => void }) => (
  <span
    role="alert"
    className="inline-flex flex-wrap items-center gap-x-3 gap-y-2 text-ui text-soft"
  >
    The next rows could not be loaded.
    <Button size="small" onClick={onPress}>
      Try again
    </Button>
  </span>
)

/** Without a sentence it is the page that failed, and no answer. */
export function Failed({
  sentence,
  onRetry,
}: {
  sentence?: string | undefined
  onRetry: () => void
}) {
  return (
    <div role="alert">
      <Empty
        title={sentence ? 'This could not be loaded' : 'This part of the page stopped working'}
        icon={<CloudAlert aria-hidden />}
        action={<Button onClick={onRetry}>Retry</Button>}
      >
        {sentence ?? 'Press Retry, or reload the page'}
      </Empty>
    </div>
  )
}
