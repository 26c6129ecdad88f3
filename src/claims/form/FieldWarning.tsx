import { TriangleAlert } from 'lucide-react'
import { useFormContext } from 'react-hook-form'

type Props = { name: string; text: string | undefined }

/** The finding of a check, beside its field, before anything is sent. Once sent, the field's fault says it. */
export function FieldWarning({ name, text }: Props) {
  const form = useFormContext()
  if (!text || form.getFieldState(name, form.formState).error) return null
  return (
    <span className="flex animate-appear items-start gap-1.5 text-ui text-accent-ink">
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      {text}
    </span>
  )
}
