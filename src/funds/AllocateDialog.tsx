import { clsx } from 'clsx'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { categories, categoryNames, type Category } from '#categories.ts'
import { parseAmount } from '#lib/money.ts'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { money } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Money } from '#ui/Money.tsx'
import { TextField } from '#ui/TextField.tsx'
import { amountText } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { funds as fund_acts, type FundOverview } from './funds.contract.ts'

type Props = { funds: FundOverview; onClose: () => void }

export function AllocateDialog({ funds, onClose }: Props) {
  const { currency, plan_year } = funds
  const [back, setBack] = useState(false)
  const key = useActKey()
  const taken = useWrite(api.funds.deallocate, 'Funds returned')
  const allocateAnyway = useWrite(api.funds.allocate, 'Funds allocated')
  const allocate = useWrite(api.funds.allocate, 'Funds allocated', (_, input) => () => taken(input))
  const deallocate = useWrite(
    api.funds.deallocate,
    'Funds returned',
    (_, input) => () => allocateAnyway(input),
  )
  const shape = shapeOf(funds, back)
  const send = async (values: z.output<ReturnType<typeof shapeOf>>) => {
    const act = back ? deallocate : allocate
    const input = { plan_year, ...values }
    await act.submit(input, { idempotency_key: key.of([back, input]) })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={back ? 'Return to unallocated' : 'Allocate to categories'}
      description={
        back
          ? 'Ungranted money goes back to unallocated.'
          : 'People waiting for funds get their grants at once, in order of joining.'
      }
    >
      <Form name={`allocate:${plan_year}`} shape={shape} onSubmit={send}>
        <Direction back={back} onChange={setBack} />
        {categories.map((category) => (
          <AmountField
            key={category}
            name={`${category}_cents`}
            label={categoryNames[category]}
            currency={currency}
          />
        ))}
        <TextField name="note" label="Note" hint="Shown on the statement" />
        <Remaining funds={funds} back={back} />
        <FormButtons onCancel={onClose}>{back ? 'Return' : 'Allocate'}</FormButtons>
      </Form>
    </Dialog>
  )
}

const { note } = fund_acts.allocate.input.shape
const shapeOf = (funds: FundOverview, back: boolean) =>
  z
    .object({
      prevention_cents: amountText(funds.currency),
      treatment_cents: amountText(funds.currency),
      solidarity_cents: amountText(funds.currency),
      note,
    })
    .refine((a) => a.prevention_cents + a.treatment_cents + a.solidarity_cents > 0, {
      message: 'Enter an amount above zero',
      path: ['prevention_cents'],
    })
    .superRefine((amounts, context) => {
      for (const { field, left_cents, after } of lacking(amounts, funds, back))
        context.addIssue({
          code: 'custom',
          path: [field],
          message: `Only ${money(left_cents, funds.currency)} ${back ? 'of it is not granted' : after}`,
        })
    })

type PoolAmounts = Record<`${Category}_cents`, number>

/** The fields that ask for more than there is, and how much there is after those above them. */
function lacking(amounts: PoolAmounts, funds: FundOverview, back: boolean) {
  let left = funds.unallocated_cents
  const before: string[] = []
  return categories.flatMap((category) => {
    const field = `${category}_cents` as const
    const free = funds.categories.find((fund) => fund.category === category)?.free_cents ?? 0
    const left_cents = back ? free : Math.max(0, left)
    const after = before.length === 0 ? 'is unallocated' : `is left after ${before.join(' and ')}`
    left -= amounts[field]
    if (amounts[field] > 0) before.push(categoryNames[category])
    return amounts[field] > left_cents ? [{ field, left_cents, after }] : []
  })
}

const directions = [
  [false, 'Allocate'],
  [true, 'Return'],
] as const

function Direction({ back, onChange }: { back: boolean; onChange: (back: boolean) => void }) {
  return (
    <fieldset className="flex gap-1 rounded-control bg-sunken p-1">
      <legend className="sr-only">Direction</legend>
      {directions.map(([value, title]) => (
        <button
          key={title}
          type="button"
          aria-pressed={back === value}
          onClick={() => onChange(value)}
          className={clsx(
            'flex-1 rounded-md px-3 py-1.5 text-sm font-medium text-soft',
            'aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card',
          )}
        >
          {title}
        </button>
      ))}
    </fieldset>
  )
}

/** The balance afterwards, while the amount is typed. */
function Remaining({ funds, back }: { funds: FundOverview; back: boolean }) {
  const typed = useFormContext().watch()
  const centsIn = (category: string) => {
    const amount = parseAmount(String(typed[`${category}_cents`] ?? ''), funds.currency)
    return 'cents' in amount ? Math.max(0, amount.cents) : 0
  }
  const sum = categories.reduce((total, category) => total + centsIn(category), 0)
  const left = back ? funds.unallocated_cents + sum : funds.unallocated_cents - sum
  return (
    <Facts
      variant="sums"
      className="rounded-card bg-sunken px-4 py-3"
      facts={[
        [
          'Unallocated now',
          <Money key="now" cents={funds.unallocated_cents} currency={funds.currency} />,
        ],
        [
          'After this',
          <span key="after" className={clsx('font-semibold', left < 0 && 'text-bad-ink')}>
            <Money cents={left} currency={funds.currency} />
          </span>,
        ],
      ]}
    />
  )
}
