import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { MoreButton } from '#ui/MoreButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ChoiceDialog } from './ChoiceDialog.tsx'
import type { Overpayment } from './payouts.contract.ts'

/** The people who were paid for a claim that was reversed since. Draws nothing where there are none. */
export function Overpayments() {
  const list = useCursorList(lazy_api.payouts.overpayments, {})
  const [settled, setSettled] = useState<Overpayment>()
  const people = list.pages?.flatMap((page) => page.people) ?? []
  const currency = list.pages?.[0]?.currency ?? ''
  if (people.length === 0) return null
  return (
    <Card
      title="Overpaid"
      description="Paid for claims that were reversed. It is withheld from the next payouts, until it is settled."
    >
      <ul className="divide-y divide-line">
        {people.map((overpayment) => (
          <li
            key={overpayment.person_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5"
          >
            <span className="min-w-0 flex-1 text-sm">
              <span className="block wrap-anywhere">{overpayment.person_name}</span>
              {overpayment.has_left && (
                <span className="block text-ui text-soft">Left the company</span>
              )}
            </span>
            <span className="figures text-sm font-medium">
              {money(overpayment.cents, currency)}
            </span>
            <Button
              size="small"
              unless={overpayment.refusals.settle_overpayment}
              onClick={() => setSettled(overpayment)}
            >
              Settle
            </Button>
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      {settled && (
        <Settle overpayment={settled} currency={currency} onClose={() => setSettled(undefined)} />
      )}
    </Card>
  )
}

export function OverpaymentDialog({
  person_id,
  onClose,
}: {
  person_id: string
  onClose: () => void
}) {
  const found = useRead(lazy_api.payouts.overpayments, { person_id })
  const overpayment = found?.people[0]
  if (found && overpayment)
    return <Settle overpayment={overpayment} currency={found.currency} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title="Settle the overpayment"
      moot={found && 'It was settled a moment ago.'}
    >
      <Skeleton className="h-44 w-full" />
    </Dialog>
  )
}

const ways = { paid_back: 'Paid back to the company', written_off: 'Written off' }

type Props = { overpayment: Overpayment; currency: string; onClose: () => void }

function Settle({ overpayment, currency, onClose }: Props) {
  const { person_id, person_name, cents, refusals } = overpayment
  const settle = useWrite(
    lazy_api.payouts.settle_overpayment,
    `Overpayment of ${person_name} settled`,
  )
  return (
    <ChoiceDialog
      name={`settle:${person_id}`}
      title={`Settle the overpayment of ${person_name}`}
      description={
        `${money(cents, currency)} is no longer withheld from payouts. ` +
        'Paid back, it is available to claim again; written off, it is spent.'
      }
      choice={{ label: 'How it is settled', fault: 'Choose how it is settled', options: ways }}
      hint="Stays with the entry in the statement."
      does="Settle"
      unless={refusals.settle_overpayment}
      act={(how, reason) => settle.submit({ person_id, cents, how, reason })}
      onClose={onClose}
    />
  )
}
