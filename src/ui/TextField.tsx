import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { FieldFrame, inputLook, useField, type FieldProps } from './Field.tsx'

type Props = FieldProps & { aside?: ReactNode } & Pick<
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

export function TextField({ name, label, hint, required, aside, className, ...input }: Props) {
  const field = useField({ name, hint, ...(required === undefined ? {} : { required }) })
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault} aside={aside}>
      <input
        {...input}
        {...field.register()}
        {...field.control}
        className={clsx(inputLook, className)}
      />
    </FieldFrame>
  )
}

type AreaProps = FieldProps & Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>

export function TextAreaField({ name, label, hint, required, rows = 4, ...area }: AreaProps) {
  const field = useField({ name, hint, ...(required === undefined ? {} : { required }) })
  return (
    <FieldFrame id={field.id} label={label} hint={hint} fault={field.fault}>
      <textarea
        {...area}
        {...field.register()}
        {...field.control}
        rows={rows}
        className={clsx(inputLook, 'h-auto! py-2')}
      />
    </FieldFrame>
  )
}
