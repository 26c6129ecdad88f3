import { clsx } from 'clsx'
import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { useController } from 'react-hook-form'
import { today } from './calendar-days.ts'
import { dateText } from './DateText.tsx'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'
import { dayFrom, isNoDay } from './typed-day.ts'

/** Fetched when somebody is about to open it; typing goes on without it. */
const load = () => import('./CalendarBubble.tsx')
const CalendarBubble = lazy(() => load().catch(() => ({ default: () => null })))

type Limits = { min?: string | undefined; max?: string | undefined }
type Props = FieldProps & Limits & { aside?: ReactNode; readOnly?: boolean }

/** A day, typed in the page's own format or any other, or picked from a calendar. */
export function DateField({ min, max, readOnly, aside, ...props }: Props) {
  const { value, onChange, onBlur, ref } = useController({ name: props.name }).field
  const field = useField(props)
  const no_day = typeof value === 'string' && isNoDay(value, { today: today() })
  return (
    <FieldFrame
      id={field.id}
      label={props.label}
      hint={props.hint}
      fault={field.fault && no_day ? `There is no ${value}` : field.fault}
      aside={aside}
    >
      <DateInput
        {...field.control}
        inputRef={ref}
        value={typeof value === 'string' ? value : ''}
        onChange={(day) => onChange(day === '' && !props.required ? undefined : day)}
        onBlur={onBlur}
        readOnly={readOnly}
        min={min}
        max={max}
      />
    </FieldFrame>
  )
}

type FilterProps = Pick<Limits, 'max'> & {
  id?: string
  value: string
  onChange: (day: string) => void
}

/**
 * A date filter above a list: the list follows once the day is complete, by Enter or on leaving the field; a later day becomes
 * `max`.
 */
export function DateFilter({ value, onChange, ...props }: FilterProps) {
  const [typed, setTyped] = useState<string>()
  const done = (text = typed) => {
    setTyped(undefined)
    if (text !== undefined && (text === '' || isDay(text)))
      onChange(props.max && text > props.max ? props.max : text)
  }
  return (
    <DateInput
      {...props}
      value={typed ?? value}
      onChange={setTyped}
      onBlur={() => done()}
      onPick={done}
      placeholder="Any day"
      className="h-9 sm:w-42"
    />
  )
}

type InputProps = Limits & {
  id?: string | undefined
  value: string
  /** A day; while it is none, what was typed. */
  onChange: (value: string) => void
  onPick?: (day: string) => void
  onBlur?: () => void
  inputRef?: React.Ref<HTMLInputElement>
  readOnly?: boolean | undefined
  required?: boolean | undefined
  placeholder?: string
  className?: string
}

function DateInput(props: InputProps) {
  const { value, onChange, onPick = onChange, onBlur, inputRef, min, max, ...rest } = props
  const { className = 'h-10', placeholder, ...input } = rest
  const [typed, setTyped] = useState<string>()
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const leave = () => {
    setTyped(undefined)
    onBlur?.()
  }
  const pick = (day: string) => {
    setTyped(undefined)
    onPick(day)
    setOpen(false)
  }
  return (
    <div ref={frame} className={clsx('relative w-full', className)}>
      <input
        {...input}
        ref={inputRef}
        autoComplete="off"
        spellCheck={false}
        placeholder={input.readOnly ? undefined : (placeholder ?? `e.g. ${dateText(today())}`)}
        value={typed ?? (isDay(value) ? dateText(value) : value)}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(dayFrom(target.value, { today: today(), max }) ?? target.value.trim())
        }}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') leave()
          if (event.key !== 'ArrowDown' || input.readOnly) return
          event.preventDefault()
          setOpen(true)
        }}
        className={clsx(inputStyles, 'figures h-full! pr-10')}
      />
      {!input.readOnly && (
        <button
          type="button"
          aria-label="Calendar"
          aria-haspopup="dialog"
          aria-expanded={open}
          onPointerEnter={() => void load().catch(() => undefined)}
          onClick={() => setOpen(!open)}
          className={buttonStyles}
        >
          <CalendarDays className="size-4" aria-hidden />
        </button>
      )}
      {open && (
        <Suspense>
          <CalendarBubble
            anchor={frame}
            value={isDay(value) ? value : ''}
            min={min}
            max={max}
            onPick={pick}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  )
}

const isDay = (value: string) => /^\d{4}-\d\d-\d\d$/.test(value)

const buttonStyles = clsx(
  'absolute inset-y-1 right-1 grid w-8 place-items-center rounded-md text-soft',
  'hover:bg-sunken hover:text-ink aria-expanded:bg-sunken aria-expanded:text-ink',
)
