import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { useWrite } from '#ui/ask.ts'
import { connections_api } from '../api.ts'
import type { Provider } from './sso.contract.ts'

export function SwitchProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const set = useWrite(connections_api.sso.switch, ({ provider: now }) =>
    now?.enabled
      ? 'Sign-in through your provider switched on'
      : 'Sign-in through your provider switched off',
  )
  const { enabled } = provider
  return (
    <PasswordDialog
      name="switch-provider"
      title={
        enabled
          ? 'Switch sign-in through your provider off?'
          : 'Switch sign-in through your provider on?'
      }
      description={
        enabled
          ? 'Your people sign in by password again. Anyone signed in stays signed in.'
          : 'Addresses at your verified domains sign in through your provider. Passwords work until you require it. ' +
            'New people join, or wait for your approval, as Domain auto-registration says.'
      }
      does={enabled ? 'Switch off' : 'Switch on'}
      waiting="Switching..."
      act={() => set.submit({ enabled: !enabled })}
      onClose={onClose}
    />
  )
}

export function RemoveProvider({ onClose }: { onClose: () => void }) {
  const remove = useWrite(connections_api.sso.remove, 'Identity provider removed')
  return (
    <PasswordDialog
      name="remove-provider"
      title="Remove your identity provider?"
      description="Your people sign in by password. Anyone without one sets it with Forgot password."
      does="Remove"
      waiting="Removing..."
      act={() => remove.submit({})}
      onClose={onClose}
    />
  )
}
