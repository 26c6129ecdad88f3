import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { categories, categoryNames } from '#categories.ts'
import { decimal } from '#lib/money.ts'
import { useRead } from '#ui/ask.ts'
import { amountOrNull } from '#ui/amount.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { ChoicesField } from '#ui/ChoicesField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DialogButtons } from '#ui/DialogButtons.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CheckboxField } from '#ui/ToggleField.tsx'
import { numberOrNull } from '#ui/whole-number.ts'
import { ApprovalStep } from './steps.contract.ts'

export type EditedStep = { step: ApprovalStep; fresh: boolean; save: (step: ApprovalStep) => void }
type Props = EditedStep & { currency: string; onClose: () => void }

const {
  categories: Categories,
  type_ids,
  departments,
  group_ids,
  person_ids,
  who,
} = ApprovalStep.shape

const shapeOf = (currency: string) =>
  z
    .object({
      above_cents: amountOrNull(currency),
      categories: Categories,
      type_ids,
      departments,
      group_ids,
      new_provider: z.boolean(),
      who,
      person_ids,
      together: z.enum(['any', 'all']),
      deputy_id: z.string().optional(),
      most_cents: amountOrNull(currency).pipe(ApprovalStep.shape.most_cents),
      days: numberOrNull(ApprovalStep.shape.days.unwrap()),
    })
    .refine((step) => step.who !== 'people' || step.person_ids?.length > 0, {
      message: 'Choose at least one person',
      path: ['person_ids'],
      when: () => true,
    })
    .refine(
      ({ who: whose, deputy_id, person_ids: of }) =>
        whose !== 'people' || !deputy_id || !of?.includes(deputy_id),
      { message: 'The deputy is already one of them', path: ['deputy_id'], when: () => true },
    )

type Shape = ReturnType<typeof shapeOf>

/** Types that do not belong to the chosen category are dropped. */
const stepOf = (
  { together, deputy_id, ...typed }: z.output<Shape>,
  types: readonly OfCategory[],
): ApprovalStep => {
  const offered = new Set(offeredIn(types, typed.categories).map(({ id }) => id))
  const named = typed.who === 'people'
  return ApprovalStep.parse({
    ...typed,
    type_ids: typed.type_ids.filter((id) => offered.has(id)),
    person_ids: named ? typed.person_ids : [],
    together: named && together === 'all',
    deputy_id: (typed.who !== 'reviewers' && deputy_id) || null,
  })
}

const textsOf = (step: ApprovalStep, currency: string): z.input<Shape> => ({
  ...step,
  above_cents: step.above_cents === null ? '' : decimal(step.above_cents, currency),
  most_cents: step.most_cents === null ? '' : decimal(step.most_cents, currency),
  days: step.days === null ? '' : String(step.days),
  together: step.together ? 'all' : 'any',
  deputy_id: step.deputy_id ?? '',
})

/** Edits one step within the policy's form; only saving the policy saves it. */
export function StepDialog({ step, fresh, save, currency, onClose }: Props) {
  const [shape] = useState(() => shapeOf(currency))
  const choices = useRead(api.policies.step_choices, {})
  const types = useRead(api.policies.types, {})
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={fresh ? 'Add a step' : 'Change this step'}
      description="It takes effect for new claims once the policy is saved."
    >
      {!choices || !types ? (
        <Skeleton className="h-96 w-full" />
      ) : (
        <Form
          name={`approval-step:${JSON.stringify(step)}`}
          shape={shape}
          defaults={textsOf(step, currency)}
          onSubmit={(typed) => {
            save(stepOf(typed, types))
            onClose()
          }}
        >
          <Who people={choices.people} />
          <When
            currency={currency}
            types={types.filter(({ active, id }) => active || step.type_ids.includes(id))}
            departments={[...new Set([...choices.departments, ...step.departments])]}
            groups={choices.groups}
          />
          <Limits currency={currency} />
          <DialogButtons>
            <CancelButton onClick={onClose} />
            <SubmitButton>{fresh ? 'Add step' : 'Change step'}</SubmitButton>
          </DialogButtons>
        </Form>
      )}
    </Dialog>
  )
}

type StepChoice = { id: string; name: string }
type OfCategory = { id: string; category: string }

const offeredIn = <Type extends OfCategory>(types: readonly Type[], categories: string[]) =>
  types.filter(({ category }) => categories.length === 0 || categories.includes(category))

function Who({ people }: { people: StepChoice[] }) {
  const form = useFormContext()
  const chosen = form.watch('who') as ApprovalStep['who']
  const several = (form.watch('person_ids') as string[]).length > 1
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2">
        <SelectField
          name="who"
          label="Who approves"
          options={{
            reviewers: 'Any reviewer',
            owners: 'Any owner',
            people: 'Named people',
            manager: 'The employee’s manager',
          }}
          hint={
            chosen === 'manager' || chosen === 'owners'
              ? 'If they have the Reviewer right; otherwise the deputy, or else any reviewer'
              : 'Nobody approves twice, or their own claim'
          }
        />
        {chosen !== 'reviewers' && (
          <SelectField
            name="deputy_id"
            label="Deputy"
            placeholder="None"
            options={Object.fromEntries(people.map(({ id, name }) => [id, name]))}
            hint="Steps in when none of them is available, or the days are over"
          />
        )}
      </div>
      {chosen === 'people' && <ChoicesField name="person_ids" label="People" options={people} />}
      {chosen === 'people' && several && (
        <SelectField
          name="together"
          label="How many of them"
          options={{ any: 'Any one of them', all: 'All of them' }}
        />
      )}
    </>
  )
}

type WhenProps = {
  currency: string
  types: (StepChoice & OfCategory)[]
  departments: string[]
  groups: StepChoice[]
}

function When({ currency, types, departments: all, groups }: WhenProps) {
  const chosen = useFormContext().watch('categories') as string[]
  return (
    <fieldset className="flex min-w-0 flex-col gap-5">
      <legend className="mb-3 text-sm font-semibold">
        When it applies <span className="font-normal text-soft">(all conditions must be met)</span>
      </legend>
      <div className="grid gap-5 sm:grid-cols-2">
        <AmountField
          name="above_cents"
          label="Claims above"
          currency={currency}
          hint="Leave empty for any amount"
        />
        <div className="sm:pt-7">
          <CheckboxField
            name="new_provider"
            label="New provider"
            hint="No claim for this provider has been approved yet"
          />
        </div>
      </div>
      <ChoicesField
        name="categories"
        label="Categories"
        hint="None selected: applies to all"
        options={categories.map((id) => ({ id, name: categoryNames[id] }))}
      />
      <ChoicesField
        name="type_ids"
        label="Types"
        hint="None selected: applies to all"
        options={offeredIn(types, chosen)}
      />
      {all.length > 0 && (
        <ChoicesField
          name="departments"
          label="Departments"
          hint="None selected: applies to all"
          options={all.map((name) => ({ id: name, name }))}
        />
      )}
      {groups.length > 0 && (
        <ChoicesField
          name="group_ids"
          label="Groups"
          hint="None selected: applies to all"
          options={groups}
        />
      )}
    </fieldset>
  )
}

const Limits = ({ currency }: { currency: string }) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <AmountField
      name="most_cents"
      label="Approves at most"
      currency={currency}
      hint="Only part of a larger claim can be approved. Leave empty for no limit"
    />
    <TextField
      name="days"
      label="Working days for this step"
      type="number"
      hint="Leave empty for the days of the whole decision"
    />
  </div>
)
