import { Ellipsis } from 'lucide-react'
import { useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { DateText } from '#ui/DateText.tsx'
import { counted } from '#ui/figures.ts'
import { Menu, MenuItem } from '#ui/Menu.tsx'
import { connections_api } from '../api.ts'
import { eventsInWords, hostOf, webhookState } from './webhook-words.ts'
import type { Webhook } from './webhooks.contract.ts'
import { Secrets } from '../Secrets.tsx'

type WebhookAct = 'change' | 'renew' | 'remove' | 'deliveries'
export type OpenDialog = { what: WebhookAct; webhook: Webhook }
type Props = { webhook: Webhook; onOpen: (what: WebhookAct) => void }

export function WebhookLine({ webhook, onOpen }: Props) {
  const { url, events, in_order, made_by_name, delivered_at, waiting } = webhook
  const [word, tone] = webhookState(webhook)
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="line-clamp-3 min-w-0 wrap-anywhere" title={url} dir="ltr">
            {url}
          </span>
          <Status tone={tone}>{word}</Status>
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {eventsInWords(events)}
          {in_order && ' · in order'}
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {delivered_at ? (
            <>
              Last delivered <DateText value={delivered_at} show="ago" />
            </>
          ) : (
            'Nothing delivered yet'
          )}
          {waiting > 0 && ` · ${counted(waiting, 'delivery', 'deliveries')} waiting`}
          {' · '}made by {made_by_name ?? 'a former admin'}
        </p>
        <Trouble webhook={webhook} />
        <Secrets prefix="whsec_" secrets={webhook.secrets} />
      </div>
      <WebhookActions webhook={webhook} onOpen={onOpen} />
    </li>
  )
}

function Trouble({ webhook: { status, stopped_for, failing_since } }: { webhook: Webhook }) {
  const sentence =
    stopped_for === 'gone'
      ? 'Your system answered that it is gone (410). Activate the webhook once it is back: nothing is lost.'
      : stopped_for === 'failing'
        ? 'Your system accepted nothing for three days. Activate the webhook once it is back: nothing is lost.'
        : undefined
  if (sentence) return <p className="mt-1 text-ui text-pretty text-bad-ink">{sentence}</p>
  if (status !== 'active' || !failing_since) return null
  return (
    <p className="mt-1 text-ui text-pretty text-bad-ink">
      Failing since <DateText value={failing_since} show="moment" />. After three days it stops.
    </p>
  )
}

function WebhookActions({ webhook, onOpen }: Props) {
  const { id, url, refusals } = webhook
  const host = hostOf(url)
  const test = useWrite(connections_api.webhooks.test, 'A test event is on its way')
  const pause = useWrite(connections_api.webhooks.pause, 'Webhook paused')
  const resume = useWrite(connections_api.webhooks.resume, 'Webhook activated')
  return (
    <div className="flex gap-2">
      <Button
        size="small"
        aria-label={`Deliveries to ${host}`}
        onClick={() => onOpen('deliveries')}
      >
        Deliveries
      </Button>
      {!refusals.resume && (
        <Button size="small" aria-label={`Activate ${host}`} onClick={() => resume({ id })}>
          Activate
        </Button>
      )}
      <Menu
        label={`More about ${host}`}
        trigger={<IconButton size="small" label={`More about ${host}`} icon={Ellipsis} />}
      >
        <MenuItem unless={refusals.test ?? undefined} onSelect={() => test({ id })}>
          Send a test event
        </MenuItem>
        <MenuItem onSelect={() => onOpen('change')}>Change</MenuItem>
        <MenuItem onSelect={() => onOpen('renew')}>Renew secret</MenuItem>
        {!refusals.pause && <MenuItem onSelect={() => pause({ id })}>Pause</MenuItem>}
        <MenuItem danger onSelect={() => onOpen('remove')}>
          Remove
        </MenuItem>
      </Menu>
    </div>
  )
}
