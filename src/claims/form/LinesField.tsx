import { clsx } from 'clsx'
import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { decimal } from '#lib/money.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Fault, inlineInputStyles, useField } from '#ui/Field.tsx'
import { ClaimLine, most_lines } from '#claims/claims.contract.ts'
import { FieldWarning } from './FieldWarning.tsx'
import { linesFrom, linesText, newLine, sumText, type TypedLine } from './typed-lines.ts'

type Props = { currency: string; warning: string | undefined }

/** The lines of the claim, for people who want each decided on separately. Their sum is the amount claimed. */
export function LinesField({ currency, warning }: Props) {
  const form = useFormContext()
  const { field } = useController({ name: 'lines' })
  const { id, fault } = useField({ name: 'lines' })
  const faults = (form.formState.errors['lines'] ?? {}) as Record<number, LineFaults | undefined>
  const lines = linesFrom(field.value)
  const list = useRef<HTMLOListElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    list.current?.querySelector<HTMLInputElement>('li:last-of-type input')?.focus()
  })
  const focus = () => {
    const inputs = [...(list.current?.querySelectorAll('input') ?? [])]
    const wrong = inputs.find((input) => input.getAttribute('aria-invalid')) ?? inputs[0]
    wrong?.focus()
  }
  useEffect(() => field.ref({ focus }))
  const set = (next: TypedLine[]) => {
    const again = { shouldDirty: true, shouldValidate: form.formState.isSubmitted }
    form.setValue('lines', linesText(next), again)
    if (next.length > 0) form.setValue('amount_cents', sumText(next, currency), again)
  }
  const add = () => {
    added.current = true
    const first = lines.length === 0 ? [newLine('', form.getValues('amount_cents') ?? '')] : lines
    set(lines.length === 0 ? first : [...first, newLine()])
  }
  if (lines.length === 0) return <Split onSplit={add} />
  return (
    <fieldset className="min-w-0" aria-describedby={fault ? `${id}-fault` : undefined}>
      <legend className="text-sm font-medium">Lines</legend>
      <p className="mt-0.5 mb-2 text-ui text-faint">
        HR decides on each separately. Their sum is the amount claimed.
      </p>
      <ol ref={list} className="flex flex-col gap-3 sm:gap-2">
        {lines.map((line, at) => (
          <LineFields
            key={line.key}
            line={line}
            number={at + 1}
            currency={currency}
            faults={faults[at]}
            onChange={(change) => set(lines.with(at, { ...line, ...change }))}
            onRemove={() => set(lines.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <Button
        size="small"
        className="mt-2"
        icon={<Plus className="size-3.5" aria-hidden />}
        disabled={lines.length >= most_lines}
        onClick={add}
      >
        Add line
      </Button>
      <FieldWarning name="lines" text={warning} />
      <Fault id={id} text={fault} />
    </fieldset>
  )
}

const Split = ({ onSplit }: { onSplit: () => void }) => (
  <p className="-mt-2 text-ui text-faint">
    Several things on one bill?{' '}
    <button
      type="button"
      onClick={onSplit}
      className="rounded font-medium text-primary-ink underline underline-offset-2"
    >
      Split it into lines
    </button>
  </p>
)

type LineFaults = { what?: { message?: string }; amount?: { message?: string } }
type LineFieldsProps = {
  line: TypedLine
  number: number
  currency: string
  faults: LineFaults | undefined
  onChange: (change: Partial<TypedLine>) => void
  onRemove: () => void
}

function LineFields({ line, number, currency, faults, onChange, onRemove }: LineFieldsProps) {
  const id = useId()
  const [what, amount] = [faults?.what?.message, faults?.amount?.message]
  const tied = (fault: string | undefined) =>
    fault ? { 'aria-invalid': true, 'aria-describedby': `${id}-fault` } : {}
  return (
    <li className="flex flex-wrap items-center gap-2">
      <input
        {...tied(what)}
        aria-label={`Line ${number}, what it is`}
        value={line.what}
        maxLength={ClaimLine.shape.what.maxLength ?? undefined}
        placeholder="What it is"
        onChange={({ target }) => onChange({ what: target.value })}
        className={clsx(inlineInputStyles, 'max-sm:basis-full sm:w-0 sm:flex-1')}
      />
      <input
        {...tied(amount)}
        aria-label={`Line ${number}, amount in ${currency}`}
        value={line.amount}
        inputMode="decimal"
        autoComplete="off"
        placeholder={decimal(0, currency)}
        onChange={({ target }) => onChange({ amount: target.value })}
        className={clsx(inlineInputStyles, 'figures w-0 flex-1 text-right sm:max-w-32')}
      />
      <IconButton label={`Remove line ${number}`} icon={Trash2} onClick={onRemove} />
      <div className="basis-full empty:hidden">
        <Fault id={id} text={[what, amount].filter(Boolean).join('. ') || undefined} />
      </div>
    </li>
  )
}
