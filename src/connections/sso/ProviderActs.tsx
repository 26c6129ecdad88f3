import { z } from 'zod'
import { confirmPassword } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { connections_api } from '../api.ts'
import type { Provider } from './sso.contract.ts'

const Own = z.object(own_password)

type AskProps = {
  name: string
  title: string
  description: string
  does: string
  waiting: string
  act: () => Promise<unknown>
  onClose: () => void
}

function Ask({ name, title, description, does, waiting, act, onClose }: AskProps) {
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <Form
        name={name}
        shape={Own}
        onSubmit={async ({ password }) => {
          await confirmPassword(password)
          await act()
          onClose()
        }}
      >
        <OwnPassword />
        <div className="flex justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting={waiting}>{does}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

export function SwitchProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const set = useWrite(connections_api.sso.switch, ({ provider: now }) =>
    now?.enabled ? 'Sign-in through your provider is on' : 'Sign-in through your provider is off',
  )
  const { enabled } = provider
  return (
    <Ask
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
            'New people join, or wait for your approval, as Domain auto-registration says. With two owners, the one who ' +
            'did not connect it has to switch it on.'
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
    <Ask
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
