import { clsx } from 'clsx'
import { useId, type ComponentProps, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { count, counted } from './figures.ts'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'

type Props = FieldProps & {
  aside?: ReactNode
  /** Offered while typing; anything else may be typed as well. */
  suggestions?: readonly string[] | undefined
} & Pick<
    ComponentProps<'input'>,
    | 'type'
    | 'autoComplete'
    | 'inputMode'
    | 'maxLength'
    | 'placeholder'
    | 'readOnly'
    | 'min'
    | 'max'
    | 'step'
    | 'className'
  >

export function TextField(props: Props) {
  const { name, label, hint, required, aside, className, maxLength, suggestions, ...input } = props
  const list = useId()
  const field = useField({ name, hint, ...(required === undefined ? {} : { required }) })
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault} aside={aside}>
      <input
        {...input}
        maxLength={isCounted(maxLength) ? undefined : maxLength}
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
      {isCounted(maxLength) && (
        <Length name={name} most={maxLength} refused={field.fault !== undefined} />
      )}
    </FieldFrame>
  )
}

/** A code has its length; what is written is counted, never cut: the form's shape refuses what is too long. */
const isCounted = (most: number | undefined): most is number => most !== undefined && most > 50

type LengthProps = { name: string; most: number; refused: boolean }

/** Near the end how much there is room for, and beyond it by how much it is too long, until the form says so. */
function Length({ name, most, refused }: LengthProps) {
  const text: unknown = useWatch({ name })
  const length = typeof text === 'string' ? text.trim().length : 0
  if (length < most - Math.max(10, most / 10)) return null
  const over = length - most
  return (
    <p className={clsx('figures text-ui', over > 0 ? 'text-bad-ink' : 'text-faint')}>
      {`${count(length)} of ${counted(most, 'character')}`}
      <output>{over > 0 && !refused && `: ${count(over)} too many. Shorten it`}</output>
    </p>
  )
}

type AreaProps = FieldProps & Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>

export function TextAreaField(props: AreaProps) {
  const { name, label, hint, required, rows = 4, maxLength, ...area } = props
  const field = useField({ name, hint, ...(required === undefined ? {} : { required }) })
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault}>
      <textarea
        {...area}
        {...field.register()}
        {...field.control}
        rows={rows}
        className={clsx(inputStyles, 'h-auto! py-2')}
      />
      {maxLength && <Length name={name} most={maxLength} refused={field.fault !== undefined} />}
    </FieldFrame>
  )
}
