import { TriangleAlert } from 'lucide-react'

/** What a check found, beside its field, before anything is sent. */
export const FieldWarning = ({ text }: { text: string | undefined }) =>
  text ? (
    <span className="flex animate-appear items-start gap-1.5 text-ui text-accent-ink">
      <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
      {text}
    </span>
  ) : null
