import { useState } from 'react'
import { z } from 'zod'
import { decimal } from '#lib/money.ts'
import { neededAmount } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { today } from '#ui/calendar-days.ts'
import { DateField } from '#ui/DateField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { grantedOptions } from '#funds/words.ts'
import { GroupPlan } from './group-plans.contract.ts'
import type { Plan } from './plans.contract.ts'

const fieldsOf = ({ plan_year, ends_on }: Plan, currency: string) =>
  z.object({
    group_id: GroupPlan.shape.group_id,
    counts_from: GroupPlan.shape.counts_from.refine(
      (day) => day >= plan_year && day <= ends_on,
      `Choose a day from ${dateText(plan_year)} to ${dateText(ends_on)}`,
    ),
    prevention_cents: neededAmount(currency),
    treatment_cents: neededAmount(currency),
    solidarity_cents: neededAmount(currency),
    granted: z.enum(['year', 'month']),
  })

type Props = {
  of: GroupPlan | undefined
  plan: Plan
  currency: string
  groups: readonly { id: string; name: string }[]
  onSave: (plan: GroupPlan) => void
  onClose: () => void
}

/** One group's amounts and their day; what they do is shown beside the list before it is saved. */
export function EditGroupPlan({ of, plan, currency, groups, onSave, onClose }: Props) {
  const [shape] = useState(() => fieldsOf(plan, currency))
  const text = (cents: number) => decimal(cents, currency)
  const amounts = of ?? plan
  const day = today()
  const within = day > plan.plan_year && day <= plan.ends_on
  return (
    <Dialog
      open
      onClose={onClose}
      title={of ? `${groups[0]?.name ?? ''} group plan` : 'Add a group plan'}
      description="What each person of the group is given for a full year, in place of the company’s plan."
    >
      <Form
        name={`group-plan:${plan.plan_year}:${of?.group_id ?? 'new'}`}
        shape={shape}
        defaults={{
          group_id: of?.group_id ?? groups[0]?.id ?? '',
          counts_from: of?.counts_from ?? (within ? day : plan.plan_year),
          prevention_cents: text(amounts.prevention_cents),
          treatment_cents: text(amounts.treatment_cents),
          solidarity_cents: text(amounts.solidarity_cents),
          granted: amounts.by_month ? ('month' as const) : ('year' as const),
        }}
        onSubmit={({ granted, ...values }) => {
          onSave(GroupPlan.parse({ ...values, by_month: granted === 'month' }))
          onClose()
        }}
      >
        <SelectField
          name="group_id"
          label="Group"
          options={Object.fromEntries(groups.map(({ id, name }) => [id, name]))}
        />
        <div className="grid items-start gap-5 sm:grid-cols-3">
          <AmountField name="prevention_cents" label="Prevention" currency={currency} required />
          <AmountField name="treatment_cents" label="Treatment" currency={currency} required />
          <AmountField name="solidarity_cents" label="Solidarity" currency={currency} required />
        </div>
        <SelectField name="granted" label="Available" options={grantedOptions} />
        <DateField
          name="counts_from"
          label="Applies from"
          required
          hint="From this day on each person has the year’s amounts, less what they have already been given"
        />
        <FormButtons onCancel={onClose}>
          {of ? 'Change in the list' : 'Add to the list'}
        </FormButtons>
      </Form>
    </Dialog>
  )
}
