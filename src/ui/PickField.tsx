import { useId, useState } from 'react'
import { useController } from 'react-hook-form'
import type { Call } from './ask.ts'
import { useRead } from './ask.ts'
import { FieldFrame, inputLook, useField, type FieldProps } from './Field.tsx'

export type Choice = { id: string; name: string; note?: string | null }
export type FindChoices = Call<{ search?: string | undefined }, Choice[]>

type Props = FieldProps & { find: FindChoices; chosen?: Choice | undefined; placeholder?: string }

/** One of many, found by typing part of its name. The platform's own list offers what fits. */
export function PickField({ find, chosen, placeholder, ...props }: Props) {
  const { onChange, onBlur, ref } = useController({ name: props.name }).field
  const field = useField(props)
  return (
    <FieldFrame id={field.id} label={props.label} hint={props.hint} fault={field.fault}>
      <PickInput
        {...field.control}
        inputRef={ref}
        find={find}
        chosen={chosen}
        placeholder={placeholder}
        onBlur={onBlur}
        onPick={(choice) => onChange(choice?.id)}
      />
    </FieldFrame>
  )
}

type InputProps = {
  find: FindChoices
  chosen?: Choice | undefined
  onPick: (choice: Choice | undefined) => void
  onBlur?: () => void
  inputRef?: React.Ref<HTMLInputElement>
  placeholder?: string | undefined
  className?: string
  id?: string
  required?: boolean | undefined
}

export function PickInput(props: InputProps) {
  const {
    find,
    chosen,
    onPick,
    onBlur,
    inputRef,
    className = inputLook,
    required: _,
    ...rest
  } = props
  const list = useId()
  const [typed, setTyped] = useState(chosen ? titleOf(chosen) : '')
  const [search, setSearch] = useState('')
  const offered = useRead(find, { search }, { keep: true }) ?? []
  const change = (text: string) => {
    setTyped(text)
    const picked = offered.find((choice) => titleOf(choice) === text)
    onPick(picked)
    if (!picked) setSearch(text.slice(0, 100))
  }
  /** Whoever typed the whole name and went on has said which one, if only one is called so. */
  const leave = () => {
    const [named, another] = offered.filter(({ name }) => isSame(name, typed))
    if (named && !another) change(titleOf(named))
    onBlur?.()
  }
  return (
    <>
      <input
        {...rest}
        onBlur={leave}
        ref={inputRef}
        list={list}
        autoComplete="off"
        value={typed}
        onChange={(event) => change(event.target.value)}
        className={className}
      />
      <datalist id={list}>
        {offered.map((choice) => (
          <option key={choice.id} value={titleOf(choice)}>
            {titleOf(choice)}
          </option>
        ))}
      </datalist>
    </>
  )
}

const isSame = (name: string, typed: string) => name.toLowerCase() === typed.trim().toLowerCase()

const titleOf = ({ name, note }: Choice) => (note ? `${name} (${note})` : name)
