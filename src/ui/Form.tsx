import { zodResolver } from '@hookform/resolvers/zod'
import { use, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import {
  FormProvider,
  get,
  useForm,
  useFormContext,
  type Field,
  type FieldErrors,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { Problem, problems, type ProblemCode } from '#problems.ts'
import { ActorContext } from './actor.ts'
import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { clearDraft, keepDraft, readDraft, type Values } from './draft.ts'
import { FormContext } from './Field.tsx'
import { useFollowing, type AnyForm } from './following.ts'
import { Failure, onceOnline, sentenceOf, showFailure } from './failure.ts'
import { isOffline } from './online.ts'
import { FormUploads, FormUploadsContext, UploadingContext } from './form-uploads.ts'
import { dismiss, toast } from './toast.ts'

type Props<Shape extends z.ZodObject> = {
  /** Typed text is kept under this name until it is sent. */
  name: string
  /** The contract's own shape: its messages stand beside the fields. */
  shape: Shape
  defaults?: Partial<z.input<Shape>>
  /** A Problem's `fields` stand beside their fields; any other failure becomes a toast. */
  onSubmit: (values: z.output<Shape>, form: UseFormReturn) => unknown
  /** Faults by field, for a form that says one thing about them as a whole. */
  onInvalid?: (faults: Record<string, string | undefined>) => string | undefined
  /** Empties the form after success, for the next one. */
  resets?: boolean
  /** Stays on screen after success: what nobody has touched follows `defaults`. */
  follows?: boolean
  className?: string | undefined
  children: ReactNode
}

export function Form<Shape extends z.ZodObject>(props: Props<Shape>) {
  const { shape, defaults, className = 'flex flex-col gap-5' } = props
  const draft_name = `${use(ActorContext)?.id ?? 'visitor'}:${props.name}`
  const form = useForm<FieldValues, unknown, FieldValues>({
    resolver: zodResolver(shape as z.ZodObject),
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    defaultValues: { ...defaults, ...readDraft(draft_name, defaults ?? {}) },
  })
  const { before, sending } = useFollowing(form, defaults ?? {}, props.follows ?? false)
  const showFaults = useServerFaults(form)
  useDraft(form, draft_name, before)
  const alive = useAlive()
  const failed = useRef<number>(undefined)
  const send = async (values: FieldValues) => {
    const sent = sending()
    try {
      await props.onSubmit(values as z.output<Shape>, form)
      if (alive.current) sent()
      clearDraft(draft_name)
      // Resets fields without a default as well, which stay registered and have to be emptied.
      if (props.resets && alive.current) form.reset({ ...defaults }, { keepFieldsRef: true })
    } catch (error) {
      if (error instanceof Problem && error.fields) return showFaults(Object.entries(error.fields))
      // A toast is gone in some seconds; here it stays until something is changed, or the line is back.
      const kind = faultKindOf(error)
      if (kind !== 'server') failed.current = showFailure(error)
      showFaults([['', [sentenceOf(error)]]], kind)
      onceOnline(() => form.clearErrors('root.server'))
    }
  }
  const refuse = (errors: FieldErrors) => {
    const faultOf = (name: string) => [name, form.getFieldState(name).error?.message] as const
    const faults = Object.keys(errors).map(faultOf)
    const text = props.onInvalid?.(Object.fromEntries(faults))
    if (text) failed.current = toast(text, 'failure')
    const unseen = faults.filter(([name]) => !isOnScreen(form, name))
    showFaults(unseen.map(([, fault]) => ['', [fault ?? problems.invalid_input[1]]]))
  }
  const { uploads, uploading, whenUploaded, whenRead } = useFormUploads()
  const submit = async () => {
    // The next try clears the message of the last one.
    if (failed.current) dismiss(failed.current)
    if (!(await whenUploaded())) return
    // The files may provide what is not filled in yet.
    const complete = (await shape.safeParseAsync(form.getValues())).success
    if (!complete) await whenRead()
    if (alive.current) await form.handleSubmit(send, refuse)()
  }
  return (
    <FormProvider {...form}>
      <FormUploadsContext value={uploads}>
        <UploadingContext value={uploading}>
          <form
            noValidate
            className={className}
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            <FormFault />
            <FormContext value={{ shape, draft_name }}>{props.children}</FormContext>
          </form>
        </UploadingContext>
      </FormUploadsContext>
    </FormProvider>
  )
}

function useDraft(form: AnyForm, name: string, before: RefObject<Values>) {
  // React Hook Form reports every change here, also those of fields that never render again.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => keepDraft(name, values, before.current),
      }),
    [form, name, before],
  )
}

type Fault = readonly [name: string, messages: string[]]

/** The server's message is about the values of that moment, perhaps of several fields, so any change clears it. */
function useServerFaults(form: AnyForm) {
  const shown = useRef<string[]>([])
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: () => {
          if (shown.current.length > 0) form.clearErrors(shown.current.splice(0))
        },
      }),
    [form],
  )
  return (faults: readonly Fault[], type: FaultKind = 'server') => {
    const placeOf = ([name]: Fault) => (isOnScreen(form, name) ? name : 'root.server')
    for (const [place, there] of Map.groupBy(faults, placeOf)) {
      const message = there.flatMap(([, messages]) => messages).join('. ')
      form.setError(place, { type, message }, { shouldFocus: true })
      shown.current.push(place)
    }
  }
}

/**
 * Whether a field is on screen: a fault of a field that is gone could not be shown beside it, though its value is still in the
 * form.
 */
function isOnScreen({ control: { _fields: fields } }: AnyForm, name: string): boolean {
  const { _f: field }: Partial<Field> = get(fields, name, {})
  return field?.mount === true
}

const reading_takes_ms = 30_000
const filling_takes_ms = 150
const waits = { sending: 'Uploading...', reading: 'Reading the receipt...' }

function useFormUploads() {
  const [uploads] = useState(() => new FormUploads())
  const [uploading, setUploading] = useState<'sending' | 'reading'>()
  /** Answers whether the form may be sent: every file chosen for it is there. */
  const whenUploaded = async () => {
    setUploading(uploads.running > 0 ? 'sending' : undefined)
    const refused = await uploads.settled()
    setUploading(undefined)
    if (refused === 0) return true
    showFailure(
      new Failure(
        refused === 1
          ? 'One file was not uploaded. Try it again or remove it'
          : `${refused} files were not uploaded. Try them again or remove them`,
      ),
    )
    return false
  }
  const whenRead = async () => {
    if (uploads.reading === 0) return
    setUploading('reading')
    await uploads.read(reading_takes_ms)
    // Values that were read are filled in first, then those that follow from them.
    await new Promise((resolve) => setTimeout(resolve, filling_takes_ms))
    setUploading(undefined)
  }
  return { uploads, uploading, whenUploaded, whenRead }
}

/** `toast`: in a toast as well; `news`: what somebody else did meanwhile. */
type FaultKind = 'server' | 'toast' | 'news'

/** A banner already says that there is no connection. */
function faultKindOf(error: unknown): FaultKind {
  if (isOffline()) return 'server'
  return error instanceof Failure && error.tone === 'notice' ? 'news' : 'toast'
}

/** A refusal that belongs to no field of the form. It is brought into sight: a dialog may be scrolled past it. */
function FormFault() {
  const fault = useFormContext().formState.errors['root']?.['server']
  if (typeof fault?.message !== 'string') return null
  return (
    <div
      className="col-span-full"
      key={fault.message}
      ref={(box) => {
        box?.scrollIntoView({ block: 'nearest' })
      }}
    >
      <Callout tone={fault.type === 'news' ? 'accent' : 'bad'} quiet={fault.type !== 'server'}>
        {fault.message}
      </Callout>
    </div>
  )
}

/** Gives up what is typed: opened again, the form shows the record. A dialog that is closed otherwise keeps it. */
export function CancelButton({ onClick }: { onClick: () => void }) {
  const { draft_name } = use(FormContext)
  const giveUp = () => {
    if (draft_name) clearDraft(draft_name)
    onClick()
  }
  return <Button onClick={giveUp}>Cancel</Button>
}

type SubmitProps = {
  children: ReactNode
  waiting?: string
  wide?: boolean
  large?: boolean
  /** The facts that the form is about are not there yet. */
  loading?: boolean | undefined
  unless?: ProblemCode | null | undefined
}

export function SubmitButton(props: SubmitProps) {
  const { children, waiting, wide, large, loading, unless } = props
  const { isSubmitting } = useFormContext().formState
  const uploading = use(UploadingContext)
  return (
    <Button
      type="submit"
      variant="primary"
      loading={loading || isSubmitting || uploading !== undefined}
      unless={unless}
      wide={wide}
      size={large ? 'large' : 'medium'}
    >
      {uploading ? waits[uploading] : isSubmitting && waiting ? waiting : children}
    </Button>
  )
}

/** The end of a form: its button, and Cancel where it stands in a dialog that loses what is typed by it. */
export const FormButtons = ({ onCancel, ...submit }: SubmitProps & { onCancel?: () => void }) => (
  <div className="flex justify-end gap-2">
    {onCancel && <CancelButton onClick={onCancel} />}
    <SubmitButton {...submit} />
  </div>
)

function useAlive() {
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])
  return alive
}
