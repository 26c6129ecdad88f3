import { useId, useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { showFailure } from '#ui/failure.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Toggle } from '#ui/ToggleField.tsx'
import type { Switches } from './settings.contract.ts'

const words: Record<keyof Switches, [label: string, hint: string]> = {
  email_notifications: [
    'Email notifications',
    'The main switch. You always get notices about the security of your account.',
  ],
  claim_updates: ['Claim status updates', 'When a claim moves on or needs something from you.'],
  fund_alerts: ['Fund balance alerts', 'When a fund is running low or money is about to expire.'],
  health_tips: [
    'Health tips and reminders',
    'When your yearly health check is due. You always hear about appointments you booked.',
  ],
}
const names = Object.keys(words) as (keyof Switches)[]

export function SwitchesCard() {
  const switches = useRead(lazy_api.settings.switches, {})
  return (
    <Card>
      <ul className="-my-4 divide-y divide-line">
        {names.map((name) => (
          <li key={name} className="py-4">
            <NotificationSwitch name={name} switches={switches} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NotificationSwitch({
  name,
  switches,
}: {
  name: keyof Switches
  switches: Switches | undefined
}) {
  const id = useId()
  const [pressed, setPressed] = useState<boolean>()
  const change = useWrite(lazy_api.settings.change_switches, ({ [name]: on }) =>
    on ? `${label} on` : `${label} off`,
  )
  const [label, hint] = words[name]
  const silenced = name !== 'email_notifications' && switches?.email_notifications === false
  const press = (on: boolean) => {
    setPressed(on)
    // A failure is shown by a toast, and the switch goes back to its state.
    void change
      .submit({ [name]: on })
      .catch(showFailure)
      .finally(() => setPressed(undefined))
  }
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <p id={id} className="text-sm font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="mt-0.5 text-ui text-pretty text-soft">
          {silenced ? 'Off as long as email notifications are off.' : hint}
        </p>
      </div>
      {switches ? (
        <Toggle
          aria-labelledby={id}
          aria-describedby={`${id}-hint`}
          checked={!silenced && (pressed ?? switches[name])}
          disabled={silenced}
          onCheckedChange={press}
        />
      ) : (
        <Skeleton className="h-6 w-10 shrink-0 rounded-full" />
      )}
    </div>
  )
}
