import { clsx } from 'clsx'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { count, counted } from './figures.ts'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'

type Props = FieldProps & {
  aside?: ReactNode
  /** Offered while typing; anything else may be typed as well. */
  suggestions?: readonly string[] | undefined
  /** Has the bounds where the form's own shape lets the field be anything, as it is not always there. */
  shape?: z.ZodType
} & Pick<
    ComponentProps<'input'>,
    'type' | 'autoComplete' | 'inputMode' | 'maxLength' | 'placeholder' | 'readOnly' | 'className'
  >

export function TextField(props: Props) {
  const { name, label, hint, aside, className, suggestions, shape: _, ...input } = props
  const list = useId()
  const field = useField(props)
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault} aside={aside}>
      <input
        {...input}
        {...(input.type === 'number' && field.ends)}
        {...field.register()}
        {...field.control}
        {...(suggestions && { list })}
        className={clsx(inputStyles, className)}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((value) => (
            <option key={value}>{value}</option>
          ))}
        </datalist>
      )}
      {!input.maxLength && <Length name={name} {...field} />}
    </FieldFrame>
  )
}

type LengthProps = { name: string; most: number | undefined; fault: string | undefined }

/**
 * Codes are cut at their length; written text is counted and never cut. Shows near the end how many characters are left, and
 * beyond it how many are too many, until the form shows a fault.
 */
function Length({ name, most, fault }: LengthProps) {
  const text: unknown = useWatch({ name })
  if (most === undefined || most <= 50) return null
  const length = typeof text === 'string' ? text.trim().length : 0
  if (length < most - Math.max(10, most / 10)) return null
  const over = length - most
  return (
    <p className={clsx('figures text-ui', over > 0 ? 'text-bad-ink' : 'text-faint')}>
      {`${count(length)} of ${counted(most, 'character')}`}
      <output>{over > 0 && !fault && `: ${count(over)} too many. Shorten it`}</output>
    </p>
  )
}

type AreaProps = FieldProps & Pick<ComponentProps<'textarea'>, 'rows' | 'placeholder'>

export function TextAreaField(props: AreaProps) {
  const { name, label, hint, rows = 4, ...area } = props
  const field = useField(props)
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault}>
      <textarea
        {...area}
        {...field.register()}
        {...field.control}
        rows={rows}
        className={clsx(inputStyles, 'h-auto! py-2')}
      />
      <Length name={name} {...field} />
    </FieldFrame>
  )
}
