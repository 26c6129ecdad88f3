import { lazy, Suspense, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useController } from 'react-hook-form'
import type { ActCall } from './ask.ts'
import { useRead } from './ask.ts'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'

export type PickChoice = { id: string; name: string; note?: string | null }
export type FindChoices = ActCall<{ search?: string | undefined }, PickChoice[]>

type Props = FieldProps & {
  find: FindChoices
  chosen?: PickChoice | undefined
  placeholder?: string
}

/** Fetched when somebody begins to type; the whole name is understood without it. */
const PickList = lazy(() => import('./PickList.tsx').catch(() => ({ default: () => null })))
const shown_most = 8

/** A field for one of many, found by typing a part of its name. */
export function PickField({ find, chosen, placeholder, ...props }: Props) {
  const { value, onChange, onBlur, ref } = useController({ name: props.name }).field
  const field = useField(props)
  const [named, setNamed] = useState(chosen?.id)
  const [round, setRound] = useState(0)
  // A form that was emptied for the next one.
  if (named && !value) {
    setNamed(undefined)
    setRound(round + 1)
  }
  useEffect(() => {
    // A draft keeps the id alone, and nobody may stay chosen whose name isn't shown.
    if (value && value !== named) onChange(named)
  }, [value, named, onChange])
  return (
    <FieldFrame id={field.id} label={props.label} hint={props.hint} fault={field.fault}>
      <PickInput
        key={round}
        {...field.control}
        inputRef={ref}
        find={find}
        chosen={round === 0 ? chosen : undefined}
        placeholder={placeholder}
        onBlur={onBlur}
        onPick={(choice) => {
          setNamed(choice?.id)
          onChange(choice?.id)
        }}
      />
    </FieldFrame>
  )
}

type InputProps = {
  find: FindChoices
  chosen?: PickChoice | undefined
  onPick: (choice: PickChoice | undefined) => void
  onBlur?: () => void
  inputRef?: (element: HTMLInputElement | null) => void
  placeholder?: string | undefined
  className?: string
  id?: string
  required?: boolean | undefined
}

/** The typed text, its matches, and which of them the keyboard is at. */
function usePicking({ find, chosen, onPick }: Pick<InputProps, 'find' | 'chosen' | 'onPick'>) {
  const [typed, setTyped] = useState(chosen ? titleOf(chosen) : '')
  const [search, setSearch] = useState('')
  /** Open: which of them Enter takes, at first none. */
  const [at, setAt] = useState<number>()
  const found = useRead(find, { search }, { keep: true, quiet: true })
  const offered = found ?? []
  const choices = offered.slice(0, shown_most)
  const open = at !== undefined && choices.length > 0
  const nobody = at !== undefined && found?.length === 0 && search !== ''
  const change = (text: string) => {
    setTyped(text)
    const picked = offered.find((choice) => titleOf(choice) === text)
    onPick(picked)
    if (!picked) setSearch(text.slice(0, 100))
  }
  const pick = (choice: PickChoice | undefined) => {
    setAt(undefined)
    if (choice) change(titleOf(choice))
  }
  /** Typing a whole name and going on picks it, if only one has that name. */
  const pickNamed = () => {
    const [one, another] = offered.filter(({ name }) => isSame(name, typed))
    pick(another ? undefined : one)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt(Math.min(Math.max((at ?? -1) + step, 0), choices.length - 1))
    else if (event.key === 'Enter' && open) {
      const choice = choices[at]
      if (choice) pick(choice)
      else pickNamed()
    } else return
    event.preventDefault()
  }
  return { typed, choices, open, nobody, at: at ?? -1, setAt, change, pick, pickNamed, press }
}

export function PickInput(props: InputProps) {
  const { find, chosen, onPick, onBlur, inputRef, className = inputStyles, ...others } = props
  const { required: _, ...rest } = others
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const { typed, choices, open, nobody, at, ...picking } = usePicking({ find, chosen, onPick })
  return (
    <>
      <input
        {...rest}
        ref={(element) => {
          field.current = element
          inputRef?.(element)
        }}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        aria-activedescendant={open && at >= 0 ? `${list}-${at}` : undefined}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onBlur={() => {
          picking.pickNamed()
          onBlur?.()
        }}
        onClick={() => picking.setAt(at)}
        onKeyDown={picking.press}
        onChange={(event) => {
          picking.change(event.target.value)
          picking.setAt(-1)
        }}
        className={className}
      />
      {(open || nobody) && (
        <Suspense>
          <PickList
            id={list}
            anchor={field}
            choices={choices}
            at={at}
            onPick={picking.pick}
            onClose={() => picking.setAt(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const isSame = (name: string, typed: string) => name.toLowerCase() === typed.trim().toLowerCase()

const titleOf = ({ name, note }: PickChoice) => (note ? `${name} (${note})` : name)
