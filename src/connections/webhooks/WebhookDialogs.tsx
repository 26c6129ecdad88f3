import { useState } from 'react'
import { z } from 'zod'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CheckboxField } from '#ui/ToggleField.tsx'
import { connections_api } from '../api.ts'
import { SecretOnce } from '../SecretOnce.tsx'
import { event_names, events, groupOf, event_groups, type EventName } from './events.ts'
import { hostOf } from './webhook-words.ts'
import { NewWebhook, type Webhook } from './webhooks.contract.ts'

type NewWebhookValues = z.output<typeof NewWebhook>

const fieldOf = (name: EventName) => name.replace('.', '_')
const boxes = Object.fromEntries(event_names.map((name) => [fieldOf(name), z.boolean().optional()]))
const WebhookFields = z
  .object({ ...boxes, ...NewWebhook.pick({ url: true, in_order: true }).shape })
  .refine((ticked) => eventsIn(ticked).length > 0, {
    path: [fieldOf('claim.submitted')],
    error: 'Choose at least one event',
    when: () => true,
  })

const eventsIn = (ticked: Readonly<Record<string, unknown>>) =>
  event_names.filter((event) => ticked[fieldOf(event)])

export function MakeWebhook({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const make = useWrite(connections_api.webhooks.make)
  return (
    <Dialog
      open
      wide={!secret}
      onClose={onClose}
      title={secret ? 'Webhook made' : 'Make a webhook'}
      {...(secret ? {} : { description: 'It is notified of what happens from now on.' })}
    >
      {secret ? (
        <SecretOnce secret={secret} onDone={onClose} />
      ) : (
        <WebhookForm
          name="make-webhook"
          does={['Make webhook', 'Making...']}
          onClose={onClose}
          send={async (input) => setSecret((await make.submit(input)).secret)}
        />
      )}
    </Dialog>
  )
}

export function ChangeWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const change = useWrite(connections_api.webhooks.change, 'Webhook changed')
  return (
    <Dialog open wide onClose={onClose} title={`Change the webhook to ${hostOf(webhook.url)}`}>
      <WebhookForm
        name={`change-webhook-${webhook.id}`}
        webhook={webhook}
        does={['Save Changes', 'Saving...']}
        onClose={onClose}
        send={async (input) => {
          await change.submit({ id: webhook.id, ...input })
          onClose()
        }}
      />
    </Dialog>
  )
}

type FormProps = {
  name: string
  webhook?: Webhook
  does: [does: string, waiting: string]
  send: (input: NewWebhookValues) => Promise<void>
  onClose: () => void
}

function WebhookForm({ name, webhook, does: [does, waiting], send, onClose }: FormProps) {
  const chosen = Object.fromEntries(webhook?.events.map((event) => [fieldOf(event), true]) ?? [])
  return (
    <ProvenForm
      name={name}
      shape={WebhookFields}
      defaults={{ url: webhook?.url ?? '', in_order: webhook?.in_order ?? true, ...chosen }}
      onSubmit={({ url, in_order, ...ticked }) => send({ url, in_order, events: eventsIn(ticked) })}
    >
      <TextField
        name="url"
        label="Address"
        hint="Of your system, on the public internet: https://…"
        inputMode="url"
        autoComplete="off"
        required
      />
      <Events />
      <CheckboxField
        name="in_order"
        label="In order"
        hint="Each event waits until the one before it is delivered. Otherwise later events overtake one that fails."
      />
      <OwnPassword />
      <FormButtons onCancel={onClose} waiting={waiting}>
        {does}
      </FormButtons>
    </ProvenForm>
  )
}

const Events = () => (
  <div className="flex flex-col gap-5">
    {Object.entries(event_groups).map(([group, word]) => (
      <fieldset key={group}>
        <legend className="mb-2 text-sm font-medium">{word}</legend>
        <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {event_names
            .filter((event) => groupOf(event) === group)
            .map((event) => (
              <CheckboxField
                key={event}
                name={fieldOf(event)}
                label={events[event]}
                hint={<span className="font-mono text-xs">{event}</span>}
              />
            ))}
        </div>
      </fieldset>
    ))}
  </div>
)
