import { clsx } from 'clsx'
import { Landmark } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { BankAccount } from '#payouts/payouts.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { unless_added } from './sent-words.contract.ts'

/** The account for payouts. After it is entered, only its last digits are shown. */
export function PayoutAccount() {
  const account = useRead(lazy_api.payouts.my_account, {})
  const [changing, setChanging] = useState(false)
  const { hash } = useLocation()
  return (
    <Card className={clsx('flex flex-col', hash === '#account' && 'ring-2 ring-primary')}>
      <div className="flex items-start gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-soft">
          <Landmark className="size-4.5" aria-hidden />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-sm font-semibold">Paid to</h2>
          {account === undefined ? (
            <Skeleton className="mt-1.5 h-4 w-36" />
          ) : account === null ? (
            <p className="mt-0.5 text-ui text-soft">No bank account yet</p>
          ) : (
            <AccountLine holder={account.holder} iban_end={account.iban_end} />
          )}
        </div>
        <Button
          size="small"
          variant={account === null ? 'primary' : 'secondary'}
          disabled={account === undefined}
          onClick={() => setChanging(true)}
        >
          {account === null ? 'Add' : 'Change'}
        </Button>
      </div>
      <p className="mt-3 text-ui text-pretty text-faint">
        {account
          ? account.pays_from_on
            ? `Your company delays payments to new or changed accounts: paid on or after ${dateText(account.pays_from_on)}.`
            : 'Approved claims are paid to this account with the next payout.'
          : `Approved claims are ${unless_added}.`}
      </p>
      {changing && <MyAccountDialog onClose={() => setChanging(false)} />}
    </Card>
  )
}

export function MyAccountDialog({ onClose }: { onClose: () => void }) {
  const account = useRead(lazy_api.payouts.my_account, {})
  const [known] = useState(account)
  return (
    <Dialog
      open
      onClose={onClose}
      title={(known ?? account) ? 'Change your bank account' : 'Add your bank account'}
      description="Used for payouts only. Once it is saved, only its last four characters are shown."
    >
      <AccountForm onDone={onClose} />
    </Dialog>
  )
}

type AccountLineProps = { holder: string; iban_end: string }

const AccountLine = ({ holder, iban_end }: AccountLineProps) => (
  <p className="mt-0.5 text-ui text-soft">
    <span className="wrap-anywhere">{holder}</span>
    <span className="figures block whitespace-nowrap">
      <span aria-hidden>•••• </span>
      <span className="sr-only">account ending in </span>
      {iban_end}
    </span>
  </p>
)

export function AccountForm({ onDone }: { onDone: () => void }) {
  const keep = useWrite(lazy_api.payouts.set_my_account, 'Bank account saved')
  const me = useRead(lazy_api.settings.profile, {})
  if (!me) return <Skeleton className="h-56 w-full" />
  return (
    <ProvenForm
      name="my-account"
      shape={BankAccount}
      defaults={{ holder: me.full_name.slice(0, 70) }}
      onSubmit={async (account) => {
        await keep.submit(account)
        onDone()
      }}
    >
      <TextField
        name="holder"
        label="Account holder"
        autoComplete="name"
        required
        hint="Exactly as on your bank statement"
      />
      <TextField
        name="iban"
        label="IBAN"
        required
        maxLength={42}
        autoComplete="off"
        placeholder="DE89 3704 0044 0532 0130 00"
        className="figures uppercase placeholder:normal-case"
      />
      <OwnPassword />
      <FormButtons waiting="Saving...">Save account</FormButtons>
    </ProvenForm>
  )
}
