import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { problems } from '#problems.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { money, oneOf } from '#ui/figures.ts'
import { Facts } from '#ui/Facts.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { adjustmentText, statusNames } from './adjustment-words.ts'
import type { Adjustment } from './adjustments.contract.ts'

/** A proposed adjustment, for whom and why; confirmed or declined by another, or withdrawn. */
export function DecideAdjustment({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useRead(lazy_api.adjustments.find, { id })
  const [busy, setBusy] = useState(false)
  const over = found && found.status !== 'waiting' && !busy
  return (
    <Dialog
      open
      onClose={onClose}
      title={found ? `Adjust the balance of ${found.person_name}?` : 'Adjust a balance'}
      moot={over ? `${statusNames[found.status]} a moment ago.` : undefined}
    >
      {found ? (
        <Decide adjustment={found} busy={busy} setBusy={setBusy} onClose={onClose} />
      ) : (
        <Skeleton className="h-56 w-full" />
      )}
    </Dialog>
  )
}

type Props = {
  adjustment: Adjustment
  busy: boolean
  setBusy: (busy: boolean) => void
  onClose: () => void
}

function Decide({ adjustment, busy, setBusy, onClose }: Props) {
  const { id, person_name, refusals } = adjustment
  const confirm = useWrite(lazy_api.adjustments.confirm, `Balance of ${person_name} adjusted`)
  const decline = useWrite(lazy_api.adjustments.decline, 'Adjustment declined')
  const withdraw = useWrite(lazy_api.adjustments.withdraw, 'Adjustment withdrawn')
  const press = async (act: typeof confirm) => {
    setBusy(true)
    try {
      await act.submit({ id })
      onClose()
    } catch (error) {
      showFailure(error)
      setBusy(false)
    }
  }
  const is_own = refusals.withdraw === null
  const fund = useRead(api.funds.of_person, { person_id: adjustment.person_id })
  const of = fund?.balances.find(({ category }) => category === adjustment.category)
  const now = fund?.plan_year === adjustment.plan_year ? of?.balance_cents : undefined
  const text = (cents: number) => money(cents, adjustment.currency)
  const balances: [string, string][] =
    now === undefined
      ? []
      : [
          ['Available now', text(now)],
          ['Available after', text(now + adjustment.cents)],
        ]
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          ['Change', adjustmentText(adjustment)],
          ['Category', categoryNames[adjustment.category]],
          ['Plan year', `From ${dateText(adjustment.plan_year)}`],
          ...balances,
          [
            'Proposed by',
            `${adjustment.proposed_by ?? 'An admin'}, ${dateText(adjustment.proposed_at)}`,
          ],
          ['Reason', adjustment.reason],
          refusals.confirm &&
            adjustment.confirmers.length > 0 && ['Waiting for', oneOf(adjustment.confirmers)],
        ]}
      />
      {refusals.confirm && <Callout tone="accent">{problems[refusals.confirm][1]}</Callout>}
      <div className="flex flex-wrap justify-end gap-2">
        {is_own ? (
          <Button disabled={busy} onClick={() => void press(withdraw)}>
            Withdraw
          </Button>
        ) : (
          <Button disabled={busy} unless={refusals.decline} onClick={() => void press(decline)}>
            Decline
          </Button>
        )}
        <Button
          variant="primary"
          disabled={busy}
          unless={refusals.confirm}
          onClick={() => void press(confirm)}
        >
          Confirm
        </Button>
      </div>
    </div>
  )
}
