import { useId } from 'react'

type Props<Value extends string> = {
  label: string
  options: Readonly<Record<Value, string>>
  chosen: Value
  onChoose: (value: Value) => void
}

export function Choice<Value extends string>({ label, options, chosen, onChoose }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-sm font-medium">{label}</legend>
      {Object.entries<string>(options).map(([value, text]) => (
        <label key={value} className="flex items-start gap-3 text-sm">
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            onChange={() => onChoose(value as Value)}
            className="mt-0.5 size-4 shrink-0 accent-primary"
          />
          <span className="min-w-0">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
