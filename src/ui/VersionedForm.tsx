import { useEffect, useState, type ReactNode } from 'react'
import { useFormContext, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { Problem } from '#problems.ts'
import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { isSame } from './draft.ts'
import { Form, SubmitButton } from './Form.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'

type FieldValues = Record<string, string>
type VersionedRecord = { version: number }
type Props<R extends VersionedRecord, Shape extends z.ZodObject> = {
  name: string
  shape: Shape
  /** The record now. Changes by others are taken over while nobody types here, else noticed on saving. */
  record: R
  /** A record as the fields hold it; what is empty is ''. */
  fieldsOf: (record: R) => FieldValues
  /** Labels of the fields, and texts for values that are not read as they are typed. */
  labels: Record<string, string>
  shown?: (field: string, value: string) => string
  save: (values: z.output<Shape>, version: number) => Promise<R>
  find: () => Promise<R>
  onSaved?: (saved: R) => void
  submit?: string
  className?: string
  /** The form's fields; or, where the button does not stand below them, all of it. */
  children: ReactNode | ((parts: FormParts) => ReactNode)
}
type FormParts = { differences: ReactNode; unsaved: ReactNode; button: ReactNode }

type Conflict<R> = { theirs: R; was: FieldValues; both: string[] }

/**
 * A form over a record that others may change at the same time. Fields that only they changed are taken over, fields that only I
 * changed are saved; if both changed the same field, both values are shown and I choose.
 */
export function VersionedForm<R extends VersionedRecord, Shape extends z.ZodObject>(
  props: Props<R, Shape>,
) {
  const { fieldsOf, shape } = props
  const [base, setBase] = useState(props.record)
  const [conflict, setConflict] = useState<Conflict<R>>()

  const taken = (record: R) => {
    setConflict(undefined)
    setBase(record)
  }
  const saved = (record: R) => {
    taken(record)
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
      const whole = shape.safeParse(filled(of.getValues()))
      if (whole.success && merged.both.length === 0) {
        saved(await props.save(whole.data, theirs.version))
        return
      }
      setConflict({ theirs, was: fieldsOf(over), both: merged.both })
      // Fields that both changed are shown below; else it has to be said that nothing was saved.
      if (merged.both.length === 0) throw error
    }
  }
  const differences = conflict && conflict.both.length > 0 && (
    <Differences
      {...props}
      conflict={conflict}
      onTheirs={() => setConflict({ ...conflict, was: fieldsOf(conflict.theirs), both: [] })}
    />
  )
  const unsaved = <Unsaved was={fieldsOf(base)} />
  const button = (
    <SubmitButton waiting="Saving...">
      {conflict?.both.length ? 'Replace with mine' : (props.submit ?? 'Save Changes')}
    </SubmitButton>
  )
  return (
    <Form
      follows
      name={props.name}
      shape={shape}
      defaults={filled(fieldsOf(base)) as Partial<z.input<Shape>>}
      onSubmit={send}
      className={props.className}
    >
      <Newer base={base} record={props.record} fieldsOf={fieldsOf} onNewer={taken} />
      {typeof props.children === 'function' ? (
        props.children({ differences, unsaved, button })
      ) : (
        <>
          {differences}
          {props.children}
          <div className="flex justify-end">{button}</div>
        </>
      )}
    </Form>
  )
}

type NewerProps<R> = {
  base: R
  record: R
  fieldsOf: (record: R) => FieldValues
  onNewer: (record: R) => void
}

function Newer<R extends VersionedRecord>({ base, record, fieldsOf, onNewer }: NewerProps<R>) {
  const form = useFormContext<FieldValues>()
  const { isSubmitting } = form.formState
  useEffect(() => {
    // The version just saved here is known before the page has read it again.
    if (record.version <= base.version || isSubmitting) return
    const untouched = ([name, value]: [string, string]) => isSame(form.getValues(name), value)
    if (Object.entries(fieldsOf(base)).every(untouched)) onNewer(record)
  })
  return null
}

function Unsaved({ was }: { was: FieldValues }) {
  const form = useFormContext<FieldValues>()
  const typed = form.watch()
  const changed = Object.keys(was).filter((name) => !isSame(typed[name], was[name]))
  if (changed.length === 0) return null
  const discard = () => {
    for (const name of changed) form.setValue(name, was[name] ?? '')
    form.clearErrors()
  }
  return <UnsavedChanges onDiscard={discard} />
}

/** An optional field that is empty is left out: its shape refuses ''. */
const filled = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))

/** The fields that only they changed, and the names of those that both did. */
function merge(was: FieldValues, theirs: FieldValues, typed: FieldValues) {
  const taken: FieldValues = {}
  const both: string[] = []
  for (const name of Object.keys(was)) {
    const by_them = theirs[name] !== was[name]
    const by_me = (typed[name] ?? '') !== was[name]
    if (by_them && !by_me) taken[name] = theirs[name] ?? ''
    else if (by_them && (typed[name] ?? '') !== theirs[name]) both.push(name)
  }
  return { taken, both }
}

type DifferencesProps<R> = {
  conflict: Conflict<R>
  fieldsOf: (record: R) => FieldValues
  labels: Record<string, string>
  shown?: (field: string, value: string) => string
  onTheirs: () => void
}

function Differences<R>(props: DifferencesProps<R>) {
  const { conflict, fieldsOf, labels, shown = (_: string, value: string) => value } = props
  const form = useFormContext<FieldValues>()
  const typed = form.watch()
  const theirs = fieldsOf(conflict.theirs)
  const takeTheirs = () => {
    for (const name of conflict.both) form.setValue(name, theirs[name] ?? '')
    form.clearErrors(conflict.both)
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
            {words(name, theirs[name])}, yours {words(name, typed[name])}, before{' '}
            {words(name, conflict.was[name])}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
