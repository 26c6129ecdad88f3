import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { createContext, use, useId, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { boundsOf } from './bounds.ts'

/** The form that a field or a button stands in. */
export const FormContext = createContext<{ shape?: z.ZodObject; draft_name?: string }>({})

export type FieldProps = {
  name: string
  label: string
  hint?: ReactNode
  required?: boolean
}

type OwnProps = Omit<FieldProps, 'label'> & { shape?: z.ZodType }

/** The parts that every control needs: its fault, and the ids that tie label, hint and fault to it. */
export function useField({ name, hint, required, shape }: OwnProps) {
  const id = useId()
  const of_form = use(FormContext).shape?.shape[name]
  const { most, ...ends } = boundsOf(shape ?? of_form)
  const form = useFormContext()
  const fault = form.getFieldState(name, form.formState).error?.message
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return {
    id,
    fault,
    form,
    most,
    ends,
    control: {
      id,
      required,
      'aria-invalid': fault ? true : undefined,
      'aria-describedby': described || undefined,
    },
    // An empty optional field is an absent one, not an empty string to be refused.
    register: () =>
      form.register(
        name,
        required ? {} : { setValueAs: (value) => (value === '' ? undefined : value) },
      ),
  }
}

type FrameProps = Omit<FieldProps, 'name'> & {
  id: string
  fault: string | undefined
  /** Stands at the end of the label's line, such as a Forgot password link. */
  aside?: ReactNode
  children: ReactNode
}

export function FieldFrame({ id, label, hint, fault, aside, children }: FrameProps) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] content-start items-baseline gap-y-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="col-span-2 row-start-2 flex min-w-0 flex-col gap-1.5">
        {children}
        {hint && (
          <div id={`${id}-hint`} className="text-ui text-faint">
            {hint}
          </div>
        )}
        <Fault id={id} text={fault} />
      </div>
      {/* The keyboard reaches it after the field. */}
      {aside && <div className="col-start-2 row-start-1 pl-3 text-sm">{aside}</div>}
    </div>
  )
}

export function Fault({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null
  return (
    <p id={`${id}-fault`} className="flex animate-appear items-start gap-1.5 text-ui text-bad-ink">
      <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      {text}
    </p>
  )
}

/** A field in a row with others, which sets its width. 16 px on phones: smaller text makes iOS zoom into the field. */
export const inlineInputStyles = clsx(
  'h-10 min-w-0 rounded-control border border-edge bg-surface px-3 text-base sm:text-sm',
  'shadow-card transition-colors',
  'hover:border-edge focus:border-primary',
  'focus:outline-2 focus:-outline-offset-1 focus:outline-primary',
  '[&[readonly]]:bg-sunken [&[readonly]]:text-soft disabled:bg-sunken disabled:text-soft',
  'aria-invalid:border-bad aria-invalid:focus:outline-bad',
)
export const inputStyles = clsx('w-full', inlineInputStyles)
