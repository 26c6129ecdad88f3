import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { lazy_api } from '#api/lazy-api.ts'
import { api } from '#api/api.ts'
import { Category, categoryNames } from '#categories.ts'
import { useActKey } from '#ui/act-key.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { amountText } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { money } from '#ui/figures.ts'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import { adjustments, type Adjustment } from './adjustments.contract.ts'

type Props = { person?: { id: string; name: string }; onClose: () => void }

/** Proposes an adjustment for the person of the page, or for one who is looked up. */
export function AdjustBalance({ person, onClose }: Props) {
  const known = useRead(lazy_api.adjustments.years, {})
  return (
    <Dialog
      open
      onClose={onClose}
      title={person ? `Adjust the balance of ${person.name}` : 'Adjust a balance'}
      description={
        'Money moves between the company’s pool and this person, in addition to what the plan grants. ' +
        'If somebody else has Finance, they have to confirm it first.'
      }
    >
      {known ? (
        <AdjustmentFields {...known} person={person} onClose={onClose} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </Dialog>
  )
}

const { person_id, reason, plan_year } = adjustments.propose.input.shape
const shapeOf = (currency: string) =>
  z.object({
    person_id,
    category: z.enum(Category.options, 'Choose a category'),
    direction: z.enum(['more', 'less']),
    cents: amountText(currency).refine((cents) => cents > 0, 'Enter an amount above zero'),
    plan_year,
    reason,
  })

const proposed = ({ person_name, refusals }: Adjustment) =>
  refusals.confirm
    ? `Adjustment for ${person_name} proposed. Somebody else with Finance confirms it`
    : `Adjustment for ${person_name} is waiting to be confirmed`

type AdjustmentFieldsProps = {
  years: string[]
  currency: string
  person: Props['person'] | undefined
  onClose: () => void
}

function AdjustmentFields({ years, currency, person, onClose }: AdjustmentFieldsProps) {
  const propose = useWrite(lazy_api.adjustments.propose, proposed)
  const key = useActKey()
  return (
    <Form
      name={`adjust:${person?.id ?? 'somebody'}`}
      shape={shapeOf(currency)}
      defaults={{ person_id: person?.id ?? '', direction: 'more', plan_year: years[0] ?? '' }}
      onSubmit={async ({ direction, cents, ...values }) => {
        const input = { ...values, cents: direction === 'more' ? cents : -cents }
        await propose.submit(input, { idempotency_key: key.of(input) })
        onClose()
      }}
    >
      {!person && (
        <PickField
          name="person_id"
          label="Person"
          required
          find={lazy_api.adjustments.people}
          placeholder="Part of a name"
        />
      )}
      <SelectField
        name="category"
        label="Category"
        required
        placeholder="Choose"
        options={categoryNames}
      />
      {years.length > 1 && (
        <SelectField
          name="plan_year"
          label="Plan year"
          required
          options={Object.fromEntries(years.map((year) => [year, `From ${dateText(year)}`]))}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="direction"
          label="Change"
          required
          options={{ more: 'Add to their balance', less: 'Take from their balance' }}
        />
        <AmountField
          name="cents"
          label="Amount"
          currency={currency}
          required
          hint={<Available currency={currency} />}
        />
      </div>
      <TextAreaField
        name="reason"
        label="Reason"
        required
        rows={2}
        hint="They can read it, and it stays on the statement. Write nothing about health."
      />
      <div className="flex flex-wrap justify-end gap-2">
        <CancelButton onClick={onClose} />
        <SubmitButton waiting="Saving...">Propose</SubmitButton>
      </div>
    </Form>
  )
}

/** The person's balance in the chosen category, for the current year only. */
function Available({ currency }: { currency: string }) {
  const { person_id, category, plan_year } = useFormContext<Record<string, string>>().watch()
  const fund = useRead(api.funds.of_person, person_id ? { person_id } : undefined, {
    keep: true,
    quiet: true,
  })
  const of = fund?.balances.find((balance) => balance.category === category)
  if (!of || fund?.plan_year !== plan_year) return null
  return `${money(of.balance_cents, currency)} available now`
}
