import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { Checkbox, Switch } from 'radix-ui'
import { useController } from 'react-hook-form'
import { problems, type ProblemCode } from '#problems.ts'
import { Fault, useField, type FieldProps } from './Field.tsx'

const boxStyles = clsx(
  'mt-0.5 grid size-5 shrink-0 place-items-center rounded-md border border-edge bg-surface',
  'text-on-primary data-[state=checked]:border-primary data-[state=checked]:bg-primary',
)
const trackStyles = clsx(
  'relative mt-0.5 h-6 w-10 shrink-0 rounded-full bg-edge transition-colors',
  'data-[state=checked]:bg-primary data-disabled:opacity-50 forced-colors:border',
)
const knobStyles = clsx(
  'block size-5 translate-x-0.5 rounded-full bg-surface shadow-card transition-transform',
  'data-[state=checked]:translate-x-4.5 forced-colors:bg-[ButtonText]',
)

export function CheckboxField(props: FieldProps) {
  const { value, onChange, onBlur, ref } = useController({ name: props.name }).field
  const { id, control, fault } = useField(props)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-3">
        <Checkbox.Root
          {...control}
          required={props.required ?? false}
          ref={ref}
          checked={value === true}
          onCheckedChange={(checked) => onChange(checked === true)}
          onBlur={onBlur}
          className={boxStyles}
        >
          <Checkbox.Indicator>
            <Check className="size-3.5" strokeWidth={3} aria-hidden />
          </Checkbox.Indicator>
        </Checkbox.Root>
        <Words id={id} {...props} />
      </div>
      <Fault id={id} text={fault} />
    </div>
  )
}

type SwitchFieldProps = FieldProps & {
  /** The refusal of what it would switch on: it is grey and says why. */
  unless?: ProblemCode | null | undefined
}

export function SwitchField({ unless, ...field }: SwitchFieldProps) {
  const props = unless ? { ...field, hint: `${problems[unless][1]}.` } : field
  const { value, onChange, ref } = useController({ name: props.name }).field
  const { id, control, fault } = useField(props)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-6">
        <Words id={id} {...props} />
        <Toggle
          {...control}
          ref={ref}
          disabled={Boolean(unless)}
          checked={value === true}
          onCheckedChange={onChange}
        />
      </div>
      <Fault id={id} text={fault} />
    </div>
  )
}

type ToggleProps = Omit<Parameters<typeof Switch.Root>[0], 'className' | 'required'> & {
  required?: boolean | undefined
}

/** A switch that acts at once, without a form. Name it by `aria-label` or `aria-labelledby`. */
export function Toggle({ required, ...props }: ToggleProps) {
  return (
    <Switch.Root {...props} required={required ?? false} className={trackStyles}>
      <Switch.Thumb className={knobStyles} />
    </Switch.Root>
  )
}

function Words({ id, label, hint }: FieldProps & { id: string }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {hint && (
        <div id={`${id}-hint`} className="mt-0.5 text-ui text-faint">
          {hint}
        </div>
      )}
    </div>
  )
}
