import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'

type Props = FieldProps & {
  options: Readonly<Record<string, string>>
  placeholder?: string
}

// The platform's own list: it works with every keyboard, phone and screen reader there is.
export function SelectField({ options, placeholder, ...props }: Props) {
  const field = useField(props)
  return (
    <FieldFrame id={field.id} label={props.label} hint={props.hint} fault={field.fault}>
      <Select {...field.register()} {...field.control} className="h-10">
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value} className="bg-raised text-ink">
            {text}
          </option>
        ))}
      </Select>
    </FieldFrame>
  )
}

/** One outside a form, such as above a list. */
export const Select = ({ className, ...select }: ComponentProps<'select'>) => (
  <div className={clsx('relative', className)}>
    <select
      {...select}
      className={clsx(
        inputStyles,
        'h-full! min-h-9 appearance-none pr-10 text-ellipsis',
        'has-[option[value=""]:checked]:text-faint',
      )}
    />
    <ChevronDown
      className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-faint"
      aria-hidden
    />
  </div>
)
