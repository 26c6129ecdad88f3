import { useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { Category, categoryNames } from '#categories.ts'
import { decimal } from '#lib/money.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { neededAmount } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { numberText } from '#ui/whole-number.ts'
import { LimitKind, NewLimit, type PolicyLimit } from './limits.contract.ts'
import type { ClaimType } from './policies.contract.ts'

const limit_kinds: Record<LimitKind, string> = {
  per_year: 'At most an amount in a plan year',
  per_dependent: 'At most an amount in a plan year for each dependent',
  frequency: 'Number of claims in a period',
  waiting: 'Not in the first months after joining',
}
const needed = (name: 'cents' | 'claims' | 'months') => NewLimit.shape[name].unwrap().unwrap()
const months = numberText(needed('months'))

const figuresOf = (currency: string) => {
  const by_amount = z.object({ cents: neededAmount(currency).pipe(needed('cents')) })
  return {
    per_year: by_amount,
    per_dependent: by_amount,
    frequency: z.object({ claims: numberText(needed('claims')), months }),
    waiting: z.object({ months }),
  }
}

/** Fields that a kind does not have are not checked. */
const fieldsOf = (figures: ReturnType<typeof figuresOf>) =>
  z
    .object({
      kind: LimitKind,
      /** 'all', a category, or a type by its id. */
      scope: z.string(),
      /** 'everybody', or a group by its id. */
      group: z.string(),
      cents: z.string().optional(),
      claims: z.string().optional(),
      months: z.string().optional(),
    })
    .superRefine((typed, context) => {
      const { error } = figures[typed.kind].safeParse(typed)
      for (const { path, message } of error?.issues ?? [])
        context.addIssue({ code: 'custom', path, message })
    })

type ClaimTypes = readonly z.infer<typeof ClaimType>[]
type Props = {
  limit?: PolicyLimit
  types: ClaimTypes
  groups: readonly { id: string; name: string }[]
  currency: string
  onClose: () => void
}

export function EditLimit({ limit, types, groups, currency, onClose }: Props) {
  const add = useWrite(lazy_api.limits.add, 'Limit added')
  const change = useWrite(lazy_api.limits.change, 'Limit saved')
  const [figures] = useState(() => figuresOf(currency))
  const [shape] = useState(() => fieldsOf(figures))
  return (
    <Dialog
      open
      onClose={onClose}
      title={limit ? 'Edit limit' : 'Add a limit'}
      description="Claims already submitted stay as they are."
    >
      <Form
        name={`limit:${limit?.id ?? 'new'}`}
        shape={shape}
        defaults={{
          kind: limit?.kind ?? 'per_year',
          scope: limit?.type_id ?? limit?.category ?? 'all',
          group: limit?.group_id ?? 'everybody',
          cents: limit?.cents ? decimal(limit.cents, currency) : '',
          claims: String(limit?.claims ?? 1),
          months: limit?.months ? String(limit.months) : '',
        }}
        onSubmit={async ({ kind, scope, group, ...typed }) => {
          const type = types.find(({ id }) => id === scope)
          const input = {
            kind,
            ...figures[kind].parse(typed),
            category: type?.category ?? Category.safeParse(scope).data ?? null,
            type_id: type?.id ?? null,
            group_id: group === 'everybody' ? null : group,
          }
          if (limit) await change.submit({ id: limit.id, version: limit.version, ...input })
          else await add.submit(input)
          onClose()
        }}
      >
        <SelectField name="kind" label="Limit" options={limit_kinds} required />
        <HowMuch currency={currency} />
        <Scope types={types} />
        <SelectField
          name="group"
          label="Who it is for"
          options={{
            everybody: 'Everybody',
            ...Object.fromEntries(groups.map(({ id, name }) => [id, name])),
          }}
        />
        <FormButtons onCancel={onClose} waiting="Saving...">
          {limit ? 'Save limit' : 'Add limit'}
        </FormButtons>
      </Form>
    </Dialog>
  )
}

function HowMuch({ currency }: { currency: string }) {
  const kind = useFormContext().watch('kind') as LimitKind
  const month_field = (
    <TextField
      name="months"
      label={kind === 'waiting' ? 'Months after joining' : 'In so many months'}
      type="number"
      inputMode="numeric"
      shape={months}
      required
    />
  )
  if (kind === 'waiting') return month_field
  if (kind !== 'frequency')
    return <AmountField name="cents" label="At most" currency={currency} required />
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextField
        name="claims"
        label="Claims at most"
        type="number"
        inputMode="numeric"
        shape={needed('claims')}
        required
        hint="Each dependent is counted separately"
      />
      {month_field}
    </div>
  )
}

/** Limits per dependent are for Solidarity alone. */
function Scope({ types }: { types: ClaimTypes }) {
  const form = useFormContext()
  const per_dependent = form.watch('kind') === 'per_dependent'
  const offered = Category.options.filter((one) => !per_dependent || one === 'solidarity')
  const options = offered.flatMap((category): [string, string][] => [
    [category, categoryNames[category]],
    ...types
      .filter((type) => type.category === category)
      .map(({ id, name }): [string, string] => [id, `${categoryNames[category]}: ${name}`]),
  ])
  const chosen = form.watch('scope') as string
  const stays = !per_dependent || options.some(([value]) => value === chosen)
  useEffect(() => {
    if (!stays) form.setValue('scope', 'solidarity')
  }, [stays, form])
  return (
    <SelectField
      name="scope"
      label="For which claims"
      options={Object.fromEntries(per_dependent ? options : [['all', 'All claims'], ...options])}
      required
    />
  )
}
