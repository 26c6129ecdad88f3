import { Plus, Webhook as Icon } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { useConnectRefusal } from '../connecting.ts'
import { RenewSecret } from '../RenewSecret.tsx'
import { ChangeWebhook, MakeWebhook } from './WebhookDialogs.tsx'
import { DeliveriesSheet } from './Deliveries.tsx'
import { WebhookLine, type OpenDialog } from './WebhookLine.tsx'
import { hostOf } from './webhook-words.ts'

/** Webhooks notify the company's own systems of what happens. */
export function Webhooks() {
  const webhooks = useRead(connections_api.webhooks.list, {})
  const refusal = useConnectRefusal()
  const [making, setMaking] = useState(false)
  const [dialog, setDialog] = useState<OpenDialog>()
  const make = (
    <Button size="small" icon={Plus} unless={refusal} onClick={() => setMaking(true)}>
      Make a webhook
    </Button>
  )
  return (
    <Card
      title="Webhooks"
      description="Your systems are notified of what happens, signed and without health content."
      flush
      actions={webhooks && webhooks.length > 0 && make}
    >
      {!webhooks && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {webhooks?.length === 0 && (
        <Empty title="No webhooks yet" icon={<Icon aria-hidden />} action={make}>
          A webhook tells one of your systems when a claim is approved, paid or asked about, when
          people come and go, and more.
        </Empty>
      )}
      {webhooks && webhooks.length > 0 && (
        <ul className="divide-y divide-line">
          {webhooks.map((webhook) => (
            <WebhookLine
              key={webhook.id}
              webhook={webhook}
              onOpen={(what) => setDialog({ what, webhook })}
            />
          ))}
        </ul>
      )}
      {making && <MakeWebhook onClose={() => setMaking(false)} />}
      <Dialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </Card>
  )
}

function Dialogs({ dialog, onClose }: { dialog: OpenDialog | undefined; onClose: () => void }) {
  const renew = useWrite(connections_api.webhooks.rotate)
  const remove = useWrite(connections_api.webhooks.remove, 'Webhook removed')
  const { what, webhook } = dialog ?? {}
  const host = webhook ? hostOf(webhook.url) : ''
  return (
    <>
      {what === 'change' && webhook && <ChangeWebhook webhook={webhook} onClose={onClose} />}
      {what === 'renew' && webhook && (
        <RenewSecret
          name={host}
          description="Address and events stay. The secret is new."
          hint="Until then each message is signed with both."
          draft={`renew-webhook-${webhook.id}`}
          renew={async (overlap_hours) =>
            (await renew.submit({ id: webhook.id, overlap_hours })).secret
          }
          onClose={onClose}
        />
      )}
      <DeliveriesSheet webhook={what === 'deliveries' ? webhook : undefined} onClose={onClose} />
      <ConfirmDialog
        open={what === 'remove'}
        onClose={onClose}
        title={`Remove the webhook to ${host}?`}
        description="Nothing more is sent there, not even what is still waiting. Past deliveries are removed from this page."
        does="Remove"
        act={async () => webhook && remove.submit({ id: webhook.id })}
      />
    </>
  )
}
