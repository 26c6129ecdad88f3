import { clsx } from 'clsx'
import { HeartHandshake, ShieldPlus, Stethoscope } from 'lucide-react'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { Category, categoryNames } from '#categories.ts'
import { Fault } from '#ui/Field.tsx'
import { Money } from '#ui/Money.tsx'
import { LimitedTo } from './LimitedTo.tsx'
import { yearOfDay } from './claim-options.ts'
import type { ClaimOptions } from '#claims/claims.contract.ts'

const icons = { prevention: ShieldPlus, treatment: Stethoscope, solidarity: HeartHandshake }
const inks = {
  prevention: 'text-prevention',
  treatment: 'text-treatment',
  solidarity: 'text-solidarity',
}
const hints: Record<Category, string> = {
  prevention: 'To stay well',
  treatment: 'To get well',
  solidarity: 'For your family',
}

/** Three big choices, each with what is left in it for the year of the service. */
export function CategoryField({ options }: { options: ClaimOptions }) {
  const id = useId()
  const form = useFormContext()
  const fault = form.getFieldState('category', form.formState).error?.message
  const year = yearOfDay(options, form.watch('service_on'))
  return (
    <fieldset className="min-w-0" aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Category</legend>
      <div className="grid gap-2 sm:grid-cols-3">
        {Category.options.map((category) => {
          const Icon = icons[category]
          return (
            <label key={category} className={choiceStyles}>
              <input
                type="radio"
                value={category}
                {...form.register('category')}
                className="sr-only"
              />
              <Icon className={clsx('size-5 shrink-0', inks[category])} aria-hidden />
              <span className="min-w-0 flex-1 sm:flex-none">
                <span className="block text-sm font-medium">{categoryNames[category]}</span>
                <span className="block text-ui text-soft">{hints[category]}</span>
              </span>
              <span className="text-right text-ui sm:text-left">
                <span className="font-medium">
                  <Money cents={year?.available[category] ?? 0} currency={options.currency} />
                </span>
                <span className="text-soft"> available</span>
                {year && <LimitedTo options={options} year={year} category={category} />}
              </span>
            </label>
          )
        })}
      </div>
      <div className="mt-1.5">
        <Fault id={id} text={fault} />
      </div>
    </fieldset>
  )
}

const choiceStyles = clsx(
  'flex cursor-pointer items-center gap-3 rounded-card border border-edge/60 bg-surface p-3',
  'shadow-card transition-colors hover:bg-sunken/60 sm:flex-col sm:items-start sm:gap-2',
  'has-checked:border-primary has-checked:bg-primary-wash has-checked:ring-1',
  'has-checked:ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
  'has-focus-visible:outline-primary',
)
