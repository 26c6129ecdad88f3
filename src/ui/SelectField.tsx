import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { FieldFrame, inputLook, useField, type FieldProps } from './Field.tsx'

type Props = FieldProps & {
  options: Readonly<Record<string, string>>
  /** Shown until something is chosen. */
  placeholder?: string
}

// The platform's own list: it works with every keyboard, phone and screen reader there is.
export function SelectField({ options, placeholder, ...props }: Props) {
  const field = useField(props)
  return (
    <FieldFrame id={field.id} label={props.label} hint={props.hint} fault={field.fault}>
      <div className="relative">
        <select
          {...field.register()}
          {...field.control}
          className={clsx(
            inputLook,
            'appearance-none pr-10 text-ellipsis has-[option[value=""]:checked]:text-faint',
          )}
        >
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value} className="bg-raised text-ink">
              {text}
            </option>
          ))}
        </select>
        <ChevronDown
          className="pointer-events-none absolute top-3 right-3 size-4 text-faint"
          aria-hidden
        />
      </div>
    </FieldFrame>
  )
}
