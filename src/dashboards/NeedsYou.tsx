import { ArrowRight, CircleCheck } from 'lucide-react'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { NeedList } from './NeedList.tsx'

const shown_max = 4

/** The things to do for the reader, the oldest first, on their dashboard. */
export function NeedsYou() {
  const lines = useRead(api.needs.list, {})?.lines
  const more = (lines?.length ?? 0) - shown_max
  return (
    <Card
      flush
      title="Needs you"
      actions={
        more > 0 && (
          <ButtonLink size="small" variant="quiet" to={paths.needs_you}>
            {`See ${more} more`}
            <ArrowRight className="size-4" aria-hidden />
          </ButtonLink>
        )
      }
    >
      {!lines ? (
        <div aria-busy className="px-5 py-3">
          <Skeleton className="h-10 w-full" />
        </div>
      ) : (
        <NeedList
          lines={lines.slice(0, shown_max)}
          empty={
            <p className="flex items-center gap-2.5 px-5 py-4 text-sm text-soft">
              <CircleCheck className="size-5 text-good-ink" aria-hidden />
              Nothing needs you.
            </p>
          }
        />
      )}
    </Card>
  )
}
