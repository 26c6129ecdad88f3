import { useState } from 'react'
import { api } from '#api/api.ts'
import { rights_api } from '#api/rights-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { zoneName } from '#ui/time-zones.ts'
import type { CompanyDetail } from './companies.contract.ts'

type Props = { id: string; onClose: () => void }

/** The founder and their address, before the company is activated. */
export function ActivateCompany({ id, onClose }: Props) {
  const company = useRead(api.companies.find, { id })
  if (company) return <Sure company={company} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Activate company">
      <Skeleton className="h-44 w-full" />
    </Dialog>
  )
}

function Sure({ company, onClose }: { company: CompanyDetail; onClose: () => void }) {
  const { id, name, domain, domain_proven_at, currency, time_zone, status, created_at } = company
  const admins = useRead(rights_api.of_company, { id })
  const [was] = useState(status)
  const activate = useWrite(api.companies.activate, ({ name }) => `${name} activated`)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Activate ${name}?`}
      description={
        was === 'suspended'
          ? 'Its people can sign in again at once, and its admins are notified. Nothing was deleted.'
          : 'Then its contributions can be recorded, and its people can claim.'
      }
      moot={status === was ? undefined : `${name} was ${state_words[status]} a moment ago.`}
      variant="primary"
      does="Activate"
      act={() => activate.submit({ id })}
    >
      <Facts
        facts={[
          [
            'Domain',
            domain ? `${domain}, ${domain_proven_at ? 'verified' : 'not verified yet'}` : 'None',
          ],
          ...(admins ?? []).map(
            ({ full_name, email }) =>
              [
                'Admin',
                <span key={email}>
                  {full_name}
                  <span className="block font-normal text-soft">{email}</span>
                </span>,
              ] as const,
          ),
          ['Currency', currency],
          ['Time zone', zoneName(time_zone)],
          ['Signed up', <DateText key="at" value={created_at} show="moment" />],
        ]}
      />
    </ConfirmDialog>
  )
}

const state_words = { active: 'activated', suspended: 'suspended', pending: '' }
