import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Boundary } from '#ui/Boundary.tsx'
import { Button } from '#ui/Button.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { deliveryWords, eventWords, hostOf, deliveryOutcome } from './webhook-words.ts'
import type { Delivery, Webhook } from './webhooks.contract.ts'

type Props = { webhook: Webhook | undefined; onClose: () => void }

/** The deliveries to one webhook, the last first. */
export function DeliveriesSheet({ webhook, onClose }: Props) {
  return (
    <Sheet
      wide
      open={webhook !== undefined}
      onClose={onClose}
      title={`Deliveries to ${webhook ? hostOf(webhook.url) : ''}`}
    >
      {webhook && (
        <Boundary of={webhook.id}>
          <Pages id={webhook.id} />
        </Boundary>
      )}
    </Sheet>
  )
}

function Pages({ id }: { id: string }) {
  const { key: before, keep, pager } = usePages<number>(id)
  const page = useRead(connections_api.webhooks.deliveries, { id, before }, { keep })
  if (!page) return <Skeleton className="h-80 w-full" />
  const { deliveries, next } = page
  if (deliveries.length === 0) {
    return (
      <Empty title="Nothing sent yet">
        What was sent is here for some weeks. “Send a test event” sends one now.
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <ul className="divide-y divide-line" aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <DeliveryLine key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {pager(next)}
    </div>
  )
}

function DeliveryLine({ delivery }: { delivery: Delivery }) {
  const replay = useWrite(connections_api.webhooks.replay, 'On its way again')
  const { id, event, status, tries, made_at, tried_at, next_at, answer, message } = delivery
  const [word, tone] = deliveryWords[status]
  const words = eventWords(event)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {words}
          <Status tone={tone}>{word}</Status>
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          <DateText value={tried_at ?? made_at} show="moment" />
          {tried_at && ` · ${deliveryOutcome(delivery)}`}
          {tries > 1 && ` · try ${tries}`}
          {status === 'waiting' && tries > 0 && (
            <>
              {' · '}next <DateText value={next_at} show="ago" />
            </>
          )}
        </p>
        {answer && (
          <p className="mt-1 line-clamp-2 text-ui wrap-anywhere text-soft" dir="auto">
            “{answer}”
          </p>
        )}
        <p className="mt-1 font-mono text-xs wrap-anywhere text-faint">{message}</p>
      </div>
      <Button
        size="small"
        aria-label={`Send again: ${words}`}
        unless={delivery.refusals.replay}
        onClick={() => replay({ id })}
      >
        Send again
      </Button>
    </li>
  )
}
