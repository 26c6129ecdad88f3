import { KeyRound, Mail, ShieldOff, Trash2, UserCheck, UserCog } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api/api.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { roleLabels } from '#paths.ts'
import { problems } from '#problems.ts'
import { useWrite } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Facts, type Fact } from '#ui/Facts.tsx'
import { OneSheet } from '#ui/OneSheet.tsx'
import { Alone, ChangeRole } from './ChangeRole.tsx'
import { RoleBadge, UserStatusBadge } from './UserBadges.tsx'
import type { UserFound } from './users.contract.ts'

type Props = { id: string | undefined; onClose: () => void }

/** Everything about one user, and everything that may be done with their account. */
export const UserSheet = ({ id, onClose }: Props) => (
  <OneSheet
    id={id}
    find={api.users.find}
    title={(user) => user?.full_name ?? 'User'}
    onClose={onClose}
  >
    {(user) => <About user={user} onGone={onClose} />}
  </OneSheet>
)

function About({ user, onGone }: { user: UserFound; onGone: () => void }) {
  const facts: (Fact | false)[] = [
    ['Role', <RoleBadge key="role" role={user.role} />],
    user.erased_at
      ? ['Erased', <DateText key="erased" value={user.erased_at} />]
      : ['Status', <UserStatusBadge key="status" {...user} />],
    user.suspended_by !== null && [
      'Suspended by',
      user.suspended_by === 'company' ? user.company_name : 'The provider',
    ],
    ['Company', user.company_name ?? '–'],
    !user.erased_at && [
      'Email confirmed',
      user.confirmed_at ? <DateText key="c" value={user.confirmed_at} /> : 'Not yet',
    ],
    !user.erased_at && ['Two-step verification', user.two_step ? 'On' : 'Off'],
    ['Joined', <DateText key="joined" value={user.created_at} />],
  ]
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-center gap-3">
        <Avatar large initials={initialsOf(user.full_name)} />
        <p className="min-w-0 text-sm wrap-anywhere text-soft">{user.email}</p>
      </div>
      {user.account_state === 'requested' && <JoinRequest user={user} />}
      <Facts facts={facts} />
      {user.erased_at ? (
        <Callout>{problems.person_erased[1]}</Callout>
      ) : (
        <UserActions user={user} onGone={onGone} />
      )}
    </div>
  )
}

function JoinRequest({ user }: { user: UserFound }) {
  const approve = useWrite(api.users.approve, ({ full_name }) => `${full_name} approved`)
  const decline = useWrite(api.users.decline, ({ full_name }) => `${full_name} declined`)
  const [confirming, setConfirming] = useState<'approve' | 'decline'>()
  const { id } = user
  const name = user.full_name || user.email
  const approving = {
    open: confirming === 'approve',
    onClose: () => setConfirming(undefined),
    title: `Make ${name} a ${roleLabels[user.role]}?`,
    description: whatTheyCan(user),
    does: 'Approve',
    act: () => approve.submit({ id }),
  }
  return (
    <Callout title="Waiting for approval">
      Requests to be {roleLabels[user.role]}
      {user.company_name && ` of ${user.company_name}`}.
      {user.requested_company &&
        user.company_name &&
        user.requested_company !== user.company_name &&
        ` When they signed up, they named their company “${user.requested_company}”.`}
      <span className="mt-3 flex gap-2">
        <Button
          size="small"
          variant="primary"
          unless={user.refusals.approve}
          onClick={() => setConfirming('approve')}
        >
          Approve
        </Button>
        <Button
          size="small"
          unless={user.refusals.decline}
          onClick={() => setConfirming('decline')}
        >
          Decline
        </Button>
      </span>
      {user.role === 'employee' ? (
        <ConfirmDialog {...approving} variant="primary" />
      ) : (
        <PasswordDialog {...approving} name={`approve-${id}`} waiting="Approving..." />
      )}
      <ConfirmDialog
        open={confirming === 'decline'}
        onClose={() => setConfirming(undefined)}
        title={`Decline ${name}?`}
        description="They are notified, and keep an account that belongs to no company. To decide again, change their role."
        does="Decline"
        act={() => decline.submit({ id })}
      />
    </Callout>
  )
}

const whatTheyCan = ({ role, email, company_name }: UserFound) =>
  role === 'super_admin'
    ? 'Super Admins see and change every company and every account.'
    : `${email} will run ${company_name}. If it has an owner, an owner confirms their rights first.`

type UserDialog = 'suspend' | 'role' | 'two_step' | 'remove' | undefined

function UserActions({ user, onGone }: { user: UserFound; onGone: () => void }) {
  const { id } = user
  const [open, setOpen] = useState<UserDialog>()
  const close = () => setOpen(undefined)
  const resend = useWrite(api.users.resend, ({ email }) => `Invitation sent to ${email}`)
  const waits = !user.confirmed_at
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-5">
      {user.refusals.resend !== 'already_accepted' && (
        <Button
          icon={Mail}
          unless={user.refusals.resend}
          loading={resend.pending}
          onClick={() => resend({ id })}
        >
          Resend invitation
        </Button>
      )}
      <Button icon={UserCog} unless={user.refusals.change_role} onClick={() => setOpen('role')}>
        Change role
      </Button>
      {user.two_step && (
        <Button
          icon={KeyRound}
          unless={user.refusals.reset_two_step}
          onClick={() => setOpen('two_step')}
        >
          Reset two-step verification
        </Button>
      )}
      {!waits && <AccountActs user={user} onSuspend={() => setOpen('suspend')} />}
      {waits && (
        <Button icon={Trash2} unless={user.refusals.remove} onClick={() => setOpen('remove')}>
          Remove
        </Button>
      )}
      <ChangeRole user={user} open={open === 'role'} onClose={close} />
      <Confirm user={user} open={open} onClose={close} onGone={onGone} />
    </div>
  )
}

function AccountActs({ user, onSuspend }: { user: UserFound; onSuspend: () => void }) {
  const { id, full_name, account_state, suspended_by } = user
  const reactivate = useWrite(api.users.reactivate, `${full_name} re-activated`)
  return (
    <>
      {account_state === 'suspended' && (
        <Button
          icon={UserCheck}
          unless={user.refusals.reactivate}
          loading={reactivate.pending}
          onClick={() => reactivate({ id })}
        >
          Re-activate
        </Button>
      )}
      {(account_state !== 'suspended' || suspended_by === 'company') && (
        <Button icon={ShieldOff} unless={user.refusals.suspend} onClick={onSuspend}>
          {suspended_by ? 'Suspend as the provider' : 'Suspend'}
        </Button>
      )}
    </>
  )
}

type ConfirmProps = { user: UserFound; open: UserDialog; onClose: () => void; onGone: () => void }

function Confirm({ user, open, onClose, onGone }: ConfirmProps) {
  const { id, full_name } = user
  const suspend = useWrite(api.users.suspend, `${full_name} suspended`)
  const reset = useWrite(api.users.reset_two_step, `${full_name} signs in without a second step`)
  const remove = useWrite(api.users.remove, `${full_name} removed`)
  const acts = {
    suspend: {
      ...(user.suspended_by
        ? {
            title: `Suspend ${full_name} as the provider?`,
            what: 'Their company suspended them and can re-activate them. After this only the provider can.',
          }
        : {
            title: `Suspend ${full_name}?`,
            what: 'They are signed out everywhere at once and can’t sign in until you re-activate them.',
          }),
      does: 'Suspend',
      act: () => suspend.submit({ id }),
    },
    remove: {
      title: `Remove ${full_name}?`,
      what: 'The invitation stops working and the account is deleted. Nobody ever used it.',
      does: 'Remove',
      act: () => remove.submit({ id }),
    },
  }
  if (open === 'two_step') {
    return (
      <PasswordDialog
        name={`two-step-${id}`}
        onClose={onClose}
        title={`Reset ${full_name}’s two-step verification?`}
        description={
          'Their authenticator apps and passkeys are removed and they are signed out. Make sure that it is really ' +
          'them asking.'
        }
        does="Reset"
        waiting="Resetting..."
        act={() => reset.submit({ id })}
      />
    )
  }
  const confirming = open && open !== 'role' ? acts[open] : undefined
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      onClose={onClose}
      title={confirming?.title ?? ''}
      description={confirming?.what ?? ''}
      does={confirming?.does ?? ''}
      act={async () => confirming?.act()}
      onDone={open === 'remove' ? onGone : undefined}
    >
      {open === 'suspend' && <Alone user={user} />}
    </ConfirmDialog>
  )
}
