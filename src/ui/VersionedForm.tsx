import { useState, type ReactNode } from 'react'
import { useFormContext, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { Problem } from '#problems.ts'
import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { Form, SubmitButton } from './Form.tsx'

type Fields = Record<string, string>
type Versioned = { version: number }
type Props<R extends Versioned, Shape extends z.ZodObject> = {
  name: string
  shape: Shape
  /** As it was when the form was opened: what others change meanwhile is noticed by it. */
  record: R
  /** A record as the fields hold it; what is empty is ''. */
  fieldsOf: (record: R) => Fields
  /** How the fields are called, and values written that are not read as they are typed. */
  labels: Record<string, string>
  shown?: (field: string, value: string) => string
  save: (values: z.output<Shape>, version: number) => Promise<R>
  find: () => Promise<R>
  onSaved?: (saved: R) => void
  submit?: string
  children: ReactNode
}

type Conflict<R> = { theirs: R; was: Fields; both: string[] }

/**
 * A form over a record that others may change at the same time. What only they changed is taken
 * over, what only I changed is saved; where both changed the same, both are shown and I choose.
 */
export function VersionedForm<R extends Versioned, Shape extends z.ZodObject>(
  props: Props<R, Shape>,
) {
  const { fieldsOf, shape } = props
  const [base, setBase] = useState(props.record)
  const [conflict, setConflict] = useState<Conflict<R>>()

  const saved = (record: R) => {
    setConflict(undefined)
    setBase(record)
    props.onSaved?.(record)
  }
  const send = async (values: z.output<Shape>, of: UseFormReturn) => {
    const over = conflict?.theirs ?? base
    try {
      saved(await props.save(values, over.version))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'changed_meanwhile') throw error
      const theirs = await props.find()
      const merged = merge(fieldsOf(over), fieldsOf(theirs), of.getValues())
      for (const [name, value] of Object.entries(merged.taken)) of.setValue(name, value)
      const whole = shape.safeParse({ ...of.getValues(), ...merged.taken })
      if (merged.both.length > 0 || !whole.success) {
        setConflict({ theirs, was: fieldsOf(over), both: merged.both })
      } else saved(await props.save(whole.data, theirs.version))
    }
  }
  return (
    <Form
      key={base.version}
      name={`${props.name}-${base.version}`}
      shape={shape}
      defaults={filled(fieldsOf(base)) as Partial<z.input<Shape>>}
      onSubmit={send}
    >
      {conflict && conflict.both.length > 0 && (
        <Differences
          {...props}
          conflict={conflict}
          onTheirs={() => setConflict({ ...conflict, was: fieldsOf(conflict.theirs), both: [] })}
        />
      )}
      {props.children}
      <div className="flex justify-end">
        <SubmitButton waiting="Saving...">
          {conflict?.both.length ? 'Replace with mine' : (props.submit ?? 'Save Changes')}
        </SubmitButton>
      </div>
    </Form>
  )
}

/** An optional field that is empty is left out: its shape refuses ''. */
const filled = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

/** The fields that only they changed, and the names of those that both did. */
function merge(was: Fields, theirs: Fields, mine: Fields) {
  const taken: Fields = {}
  const both: string[] = []
  for (const name of Object.keys(was)) {
    const by_them = theirs[name] !== was[name]
    const by_me = (mine[name] ?? '') !== was[name]
    if (by_them && !by_me) taken[name] = theirs[name] ?? ''
    else if (by_them && (mine[name] ?? '') !== theirs[name]) both.push(name)
  }
  return { taken, both }
}

type DifferencesProps<R> = {
  conflict: Conflict<R>
  fieldsOf: (record: R) => Fields
  labels: Record<string, string>
  shown?: (field: string, value: string) => string
  onTheirs: () => void
}

function Differences<R>(props: DifferencesProps<R>) {
  const { conflict, fieldsOf, labels, shown = (_: string, value: string) => value } = props
  const form = useFormContext<Fields>()
  const mine = form.watch()
  const theirs = fieldsOf(conflict.theirs)
  const takeTheirs = () => {
    for (const name of conflict.both) form.setValue(name, theirs[name] ?? '')
    props.onTheirs()
  }
  const words = (name: string, value: string | undefined) => (
    <q className="wrap-anywhere">{value ? shown(name, value) : 'nothing'}</q>
  )
  return (
    <Callout
      tone="accent"
      title="Somebody else changed this while you were editing"
      action={
        <Button size="small" onClick={takeTheirs}>
          Keep theirs
        </Button>
      }
    >
      Nothing was overwritten. You both changed:
      <ul className="mt-2 flex flex-col gap-1.5">
        {conflict.both.map((name) => (
          <li key={name}>
            <span className="font-medium">{labels[name] ?? name}</span>: theirs{' '}
            {words(name, theirs[name])}, yours {words(name, mine[name])}, before{' '}
            {words(name, conflict.was[name])}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
