import { CircleCheck } from 'lucide-react'
import { api } from '#api.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { NeedList } from './NeedList.tsx'

/** All that one person is to do, in one place. */
export function NeedsYouPage() {
  return (
    <Page title="Needs you" description="What is waiting for you, the oldest first.">
      <Card flush>
        <Lines />
      </Card>
    </Page>
  )
}

function Lines() {
  const lines = useRead(api.needs.list, {})?.lines
  if (!lines) {
    return (
      <div aria-busy className="flex flex-col gap-4 p-5">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-10 w-full" />
        ))}
      </div>
    )
  }
  return (
    <NeedList
      lines={lines}
      empty={
        <Empty
          title="Nothing needs you"
          icon={<CircleCheck className="text-good-ink" aria-hidden />}
        >
          Everything is done. New things appear here automatically.
        </Empty>
      }
    />
  )
}
