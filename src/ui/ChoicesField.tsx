import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { useController } from 'react-hook-form'
import { Fault, useField, type FieldProps } from './Field.tsx'

type Props = Omit<FieldProps, 'required'> & {
  options: readonly { id: string; name: string }[]
}

export function ChoicesField({ name, label, hint, options }: Props) {
  const { value, onChange, ref } = useController({ name }).field
  const list = useRef<HTMLDivElement>(null)
  // A fault here is scrolled into view as in any other field.
  useEffect(() => ref({ focus: () => list.current?.querySelector('input')?.focus() }))
  const { id, fault } = useField({ name, hint })
  const chosen = (value ?? []) as string[]
  const pick = (one: string) =>
    onChange(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one])
  return (
    <fieldset className="min-w-0" aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {hint && <p className="mb-2 text-ui text-faint">{hint}</p>}
      <div
        ref={list}
        className={clsx(
          '-m-1 flex flex-wrap gap-2 p-1',
          options.length > 24 && 'max-h-64 overflow-y-auto',
        )}
      >
        {options.map((option) => (
          <label key={option.id} className={chipStyles}>
            <input
              type="checkbox"
              checked={chosen.includes(option.id)}
              onChange={() => pick(option.id)}
              className="size-4 shrink-0 accent-primary"
            />
            <span className="min-w-0 wrap-anywhere">{option.name}</span>
          </label>
        ))}
      </div>
      <Fault id={id} text={fault} />
    </fieldset>
  )
}

const chipStyles = clsx(
  'flex min-h-9 max-w-full cursor-pointer items-center gap-2 rounded-control border border-edge',
  'bg-surface px-2.5 py-1 text-ui has-checked:border-primary has-checked:bg-primary-wash',
)
