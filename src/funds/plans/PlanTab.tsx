import { useState, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { decimal } from '#lib/money.ts'
import { DateField } from '#ui/DateField.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { Callout } from '#ui/Callout.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { today } from '#ui/calendar-days.ts'
import { useSettled } from '#ui/settled.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { amountOrNull, neededAmount } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import { numberText } from '#ui/whole-number.ts'
import { AddYear } from './AddYear.tsx'
import { grantedOptions } from '#funds/words.ts'
import { GroupPlans } from './GroupPlans.tsx'
import { PlanEffectPanel } from './PlanEffectPanel.tsx'
import type { Plan } from './plans.contract.ts'
import { PlanSettings } from './plans.contract.ts'

type Props = {
  plan_year: string | undefined
  currency: string | undefined
  years: readonly string[]
  onYear: (plan_year: string) => void
}

export function PlanTab({ plan_year, currency, years, onYear }: Props) {
  const plan = useRead(api.funds.plan, { plan_year })
  if (!plan || !currency) {
    return (
      <Card>
        <Skeleton className="h-96 w-full" />
      </Card>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <PlanForm key={plan.plan_year} plan={plan} currency={currency} />
      <GroupPlans plan={plan} currency={currency} />
      <AddYear plan={plan} years={years} onAdded={onYear} />
    </div>
  )
}

const settingsOf = ({ granted, ...typed }: PlanValues, currency: string): PlanSettings => ({
  ...typed,
  by_month: granted === 'month',
  carry_over_max_cents:
    typed.carry_over === 'up_to' ? neededAmount(currency).parse(typed.carry_over_max_cents) : null,
})

type PlanValues = z.output<ReturnType<typeof shapeOf>>

const shapeOf = (currency: string) =>
  z
    .object({
      starts_on: PlanSettings.shape.starts_on,
      prevention_cents: neededAmount(currency),
      treatment_cents: neededAmount(currency),
      solidarity_cents: neededAmount(currency),
      dependent_cents: neededAmount(currency),
      // An empty field means no limit, not a limit of zero.
      dependent_cap_cents: amountOrNull(currency),
      proration: PlanSettings.shape.proration,
      carry_over: PlanSettings.shape.carry_over,
      carry_over_max_cents: z.string().optional(),
      filing_days: numberText(PlanSettings.shape.filing_days),
      leaver_filing_days: numberText(PlanSettings.shape.leaver_filing_days),
      granted: z.enum(['year', 'month']),
    })
    // A hidden field's text is not checked.
    .superRefine(({ carry_over, carry_over_max_cents: text }, context) => {
      if (carry_over !== 'up_to') return
      const { error } = neededAmount(currency).safeParse(text)
      const fault = text?.trim() ? error?.issues[0]?.message : 'Enter the most that carries over'
      if (fault)
        context.addIssue({ code: 'custom', path: ['carry_over_max_cents'], message: fault })
    })

const prorations = {
  full: 'The full grant',
  month: 'By month, joining month included',
  day: 'A share by days',
}
const carryOvers = {
  none: 'Goes back to the company',
  up_to: 'Carries over, up to a limit',
  all: 'Carries over',
}

const labels = {
  starts_on: 'First day',
  prevention_cents: 'Prevention',
  treatment_cents: 'Treatment',
  solidarity_cents: 'Solidarity',
  dependent_cents: 'Extra Solidarity per dependent',
  dependent_cap_cents: 'At most, for all dependents',
  proration: 'People who join during the year get',
  carry_over: 'Unspent money at year end',
  carry_over_max_cents: 'Up to, per category',
  filing_days: 'Days to submit after year end',
  leaver_filing_days: 'Days to file after leaving',
  granted: 'Available',
}
const chosen: Record<string, string> = { ...prorations, ...carryOvers }

function shownAs(field: string, value: string): string {
  if (field === 'starts_on') return dateText(value)
  if (field === 'granted') return grantedOptions[value as keyof typeof grantedOptions]
  return chosen[value] ?? value
}

const textsOf = (plan: Plan, currency: string) => {
  const text = (cents: number | null) => (cents === null ? '' : decimal(cents, currency))
  return {
    starts_on: plan.starts_on,
    prevention_cents: text(plan.prevention_cents),
    treatment_cents: text(plan.treatment_cents),
    solidarity_cents: text(plan.solidarity_cents),
    dependent_cents: text(plan.dependent_cents),
    dependent_cap_cents: text(plan.dependent_cap_cents),
    proration: plan.proration,
    carry_over: plan.carry_over,
    carry_over_max_cents: text(plan.carry_over_max_cents),
    filing_days: String(plan.filing_days),
    leaver_filing_days: String(plan.leaver_filing_days),
    granted: plan.by_month ? 'month' : 'year',
  }
}

function PlanForm({ plan, currency }: { plan: Plan; currency: string }) {
  const change = useWrite(api.funds.change_plan, 'Plan saved')
  const [shape] = useState(() => shapeOf(currency))
  const { plan_year } = plan
  return (
    <VersionedForm
      name={`plan:${plan_year}`}
      shape={shape}
      record={plan}
      fieldsOf={(record) => textsOf(record, currency)}
      labels={labels}
      shown={shownAs}
      save={(values, version) =>
        change.submit({ plan_year, version, ...settingsOf(values, currency) })
      }
      find={() => api.funds.plan({ plan_year })}
      submit="Save plan"
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      {({ differences, unsaved, button }) => (
        <>
          <div className="flex flex-col gap-6">
            {plan.closed && <Callout>This plan year is closed. Its plan stays as it was.</Callout>}
            {differences}
            <GrantFields currency={currency} />
            <RuleFields currency={currency} plan={plan} />
          </div>
          <Effect plan={plan} shape={shape} currency={currency}>
            {unsaved}
            {button}
          </Effect>
        </>
      )}
    </VersionedForm>
  )
}

const GrantFields = ({ currency }: { currency: string }) => (
  <Card title="Grants" description="What each person is given for a full year">
    <div className="grid gap-5 sm:grid-cols-3">
      <AmountField name="prevention_cents" label="Prevention" currency={currency} required />
      <AmountField name="treatment_cents" label="Treatment" currency={currency} required />
      <AmountField name="solidarity_cents" label="Solidarity" currency={currency} required />
    </div>
    <div className="mt-5 grid gap-5 sm:grid-cols-2">
      <AmountField
        name="dependent_cents"
        label="Extra Solidarity per dependent"
        currency={currency}
        required
        hint="For each dependent who is covered"
      />
      <AmountField
        name="dependent_cap_cents"
        label="At most, for all dependents"
        currency={currency}
        hint="Leave empty for no limit"
      />
      <SelectField name="granted" label="Available" options={grantedOptions} />
    </div>
  </Card>
)

function RuleFields({ currency, plan }: { currency: string; plan: Plan }) {
  const carry_over = useFormContext().watch('carry_over')
  return (
    <Card title="Year" description="Claims belong to the year of their service date">
      <div className="grid gap-5 sm:grid-cols-2">
        <DateField
          name="starts_on"
          label="First day"
          required
          readOnly={plan.has_money || plan.closed}
          hint={
            plan.has_money
              ? 'Money has moved in this year, so its dates can’t be changed'
              : 'The year has twelve months'
          }
        />
        <SelectField
          name="proration"
          label="People who join during the year get"
          options={prorations}
        />
        <SelectField name="carry_over" label="Unspent money at year end" options={carryOvers} />
        {carry_over === 'up_to' ? (
          <AmountField
            name="carry_over_max_cents"
            label="Up to, per category"
            currency={currency}
            hint="Used first, expires a year later"
          />
        ) : (
          <span className="max-sm:hidden" />
        )}
        <TextField
          name="filing_days"
          label="Days to submit after year end"
          type="number"
          required
        />
        <TextField
          name="leaver_filing_days"
          label="Days to file after leaving"
          type="number"
          required
        />
      </div>
    </Card>
  )
}

type EffectProps = {
  plan: Plan
  shape: ReturnType<typeof shapeOf>
  currency: string
  children: ReactNode
}

/** The effect of the plan as it is typed now, before it is saved. */
function Effect({ plan, shape, currency, children }: EffectProps) {
  const { settled } = useSettled(useFormContext().watch())
  const parsed = shape.safeParse(settled)
  const input = parsed.success
    ? { plan_year: plan.plan_year, ...settingsOf(parsed.data, currency) }
    : undefined
  const effect = useRead(api.funds.preview_plan, plan.closed ? undefined : input, {
    keep: true,
    quiet: true,
  })
  return (
    <Card title="What this does" className="lg:sticky lg:top-20">
      <PlanEffectPanel
        effect={parsed.success ? effect : undefined}
        complete={parsed.success}
        currency={currency}
        begins_on={plan.plan_year > today() ? plan.plan_year : undefined}
      />
      {!plan.closed && <div className="mt-5 flex flex-col gap-4">{children}</div>}
    </Card>
  )
}
