import { CircleCheck } from 'lucide-react'
import { api } from '#api/api.ts'
import { countOf } from '#notifications/needs.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { NeedList } from './NeedList.tsx'

/** All that one person is to do, in one place. */
export function NeedsYouPage() {
  const needs = useRead(api.needs.list, {})
  return (
    <Page title="Needs you" description={needs ? sentenceOf(needs) : 'What is waiting for you.'}>
      <Card flush>
        <Lines lines={needs?.lines} />
      </Card>
    </Page>
  )
}

type Needs = Awaited<ReturnType<typeof api.needs.list>>

/** The menu counts things, and a line may hold several. */
const sentenceOf = ({ things, lines }: Needs) =>
  things > lines.length
    ? `${countOf(things)} things are waiting for you. Many of one kind share a line; the oldest come first.`
    : 'What is waiting for you, the oldest first.'

function Lines({ lines }: { lines: Needs['lines'] | undefined }) {
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
