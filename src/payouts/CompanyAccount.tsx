import { Landmark } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { BankAccount } from './payouts.contract.ts'

type PayingAccount = z.infer<typeof BankAccount>

/** The account that the bank file pays from. */
export function CompanyAccount() {
  const account = useRead(lazy_api.payouts.company_account, {})
  const [changing, setChanging] = useState(false)
  return (
    <Card
      title="Paid from"
      description="For the bank file"
      actions={
        <Button size="small" disabled={account === undefined} onClick={() => setChanging(true)}>
          {account === null ? 'Add' : 'Change'}
        </Button>
      }
    >
      {account === undefined && <Skeleton className="h-10 w-full" />}
      {account === null && (
        <p className="flex items-start gap-2 text-sm text-pretty text-soft">
          <Landmark className="mt-0.5 size-4 shrink-0" aria-hidden />
          Not set yet. Without it there is the payroll file, but no file for the bank.
        </p>
      )}
      {account && (
        <div className="text-sm">
          <p className="font-medium wrap-anywhere">{account.holder}</p>
          <p className="figures mt-0.5 wrap-anywhere text-soft">{grouped(account.iban)}</p>
        </div>
      )}
      {changing && <CompanyAccountDialog onClose={() => setChanging(false)} />}
    </Card>
  )
}

/** Groups of four, as it is printed on a card. */
const grouped = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ')

export function CompanyAccountDialog({ onClose }: { onClose: () => void }) {
  const account = useRead(lazy_api.payouts.company_account, {})
  return (
    <Dialog
      open
      onClose={onClose}
      title="Company account"
      description="Bank files pay from it, except for payouts that were paid from another account."
    >
      {account === undefined ? (
        <Skeleton className="h-56 w-full" />
      ) : (
        <AccountForm account={account} onClose={onClose} />
      )}
    </Dialog>
  )
}

function AccountForm({ account, onClose }: { account: PayingAccount | null; onClose: () => void }) {
  const keep = useWrite(lazy_api.payouts.set_company_account, 'Company account saved')
  return (
    <ProvenForm
      name="company-account"
      shape={BankAccount}
      defaults={account ? { holder: account.holder, iban: grouped(account.iban) } : {}}
      onSubmit={async (values) => {
        await keep.submit(values)
        onClose()
      }}
    >
      <TextField name="holder" label="Account holder" required />
      <TextField
        name="iban"
        label="IBAN"
        required
        maxLength={42}
        autoComplete="off"
        className="figures uppercase"
      />
      <OwnPassword />
      <FormButtons onCancel={onClose} waiting="Saving...">
        Save account
      </FormButtons>
    </ProvenForm>
  )
}
