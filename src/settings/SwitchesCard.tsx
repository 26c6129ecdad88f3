import { lazy_api } from '#api/lazy-api.ts'
import { ActingSwitch } from '#ui/ActingSwitch.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
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
    'When your yearly health check is due. You are always notified of appointments you booked.',
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
  const change = useWrite(lazy_api.settings.change_switches, ({ [name]: on }) =>
    on ? `${label} on` : `${label} off`,
  )
  const [label, hint] = words[name]
  const silenced = name !== 'email_notifications' && switches?.email_notifications === false
  return (
    <ActingSwitch
      label={label}
      hint={silenced ? 'Off as long as email notifications are off.' : hint}
      on={switches && !silenced && switches[name]}
      disabled={silenced}
      press={(on) => change.submit({ [name]: on })}
    />
  )
}
